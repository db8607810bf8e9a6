import { parentPort, workerData } from 'node:worker_threads';
import { compareWithBase } from '../../../run/compare/compare-runs.ts';
import type { ComparedBaselines } from './compare-beside.ts';

// The program of a thread: see `compareBeside`.
if (parentPort !== null) {
  const { base, others }: ComparedBaselines = workerData;
  parentPort.postMessage(compareWithBase(base, others));
}
