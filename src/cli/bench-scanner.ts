import { type BenchScannerOptions, benchScanner } from '../app/bench-scanner.ts';
import { withExperimentProgress } from './terminal/experiment-progress.ts';
import type { Terminal } from './terminal/terminal.ts';
import { checkExperimentTargets, type ExperimentTargets, writeExperiment } from './terminal/write-experiment.ts';

export interface BenchScannerCommandOptions
  extends Omit<BenchScannerOptions, 'cwd' | 'env' | 'stop' | 'abort' | 'onEvent'>,
    Omit<ExperimentTargets, 'latex'> {}

/** `salvo bench-scanner` */
export async function benchScannerCommand(options: BenchScannerCommandOptions, terminal: Terminal): Promise<number> {
  await checkExperimentTargets(options, terminal);
  await using opened = await withExperimentProgress(terminal, (playing) => benchScanner({ ...options, ...playing }));
  return await writeExperiment({ opened, targets: options, terminal });
}
