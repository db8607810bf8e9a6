import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Baseline } from '../../../run/compare/baseline.ts';
import { compareWithBase, type RunComparison } from '../../../run/compare/compare-runs.ts';

export interface ComparedBaselines {
  base: Baseline;
  others: readonly Baseline[];
}

/** Fewer are compared faster than a thread starts. */
const TRIALS_FOR_A_THREAD = 2000;

/** As `compareWithBase`. Many trials take seconds, in which no other request would be answered: a thread compares them. */
export async function compareBeside(
  { base, others }: ComparedBaselines,
  { trialsForThread = TRIALS_FOR_A_THREAD }: { trialsForThread?: number } = {},
): Promise<RunComparison[]> {
  const file = threadFile();
  const trials = [base, ...others].reduce((sum, each) => sum + trialsOf(each), 0);
  if (file === undefined || trials < trialsForThread) return compareWithBase(base, others);
  const { promise, resolve, reject } = Promise.withResolvers<RunComparison[]>();
  const thread = new Worker(file, { workerData: { base, others }, execArgv: [] });
  thread.once('message', resolve);
  thread.once('error', reject);
  // After its message, this changes nothing.
  thread.once('exit', (code) => reject(new Error(`The comparison ended with code ${code} and without a result.`)));
  return await promise;
}

function trialsOf({ scenarios }: Baseline): number {
  return scenarios.reduce((sum, { cases }) => sum + cases.reduce((own, { trials }) => own + trials.length, 0), 0);
}

/** Undefined if Salvo is part of a bundled app, which has no such file. */
function threadFile(): string | undefined {
  // Beside this file in the sources; in the build, at the top of dist/.
  const places = import.meta.url.endsWith('.ts')
    ? ['./compare-thread.ts']
    : ['./compare-thread.js', '../compare-thread.js'];
  return places.map((place) => fileURLToPath(new URL(place, import.meta.url))).find((file) => existsSync(file));
}
