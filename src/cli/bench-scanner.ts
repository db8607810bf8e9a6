import { benchScanner } from '../app/bench-scanner.ts';
import type { BenchScannerCommandOptions } from './program/commands.ts';
import { withExperimentProgress } from './terminal/experiment-progress.ts';
import type { Terminal } from './terminal/terminal.ts';
import { checkExperimentTargets, writeExperiment } from './terminal/write-experiment.ts';

/** `salvo bench-scanner` */
export async function benchScannerCommand(options: BenchScannerCommandOptions, terminal: Terminal): Promise<number> {
  await checkExperimentTargets(options, terminal);
  await using opened = await withExperimentProgress(terminal, (playing) => benchScanner({ ...options, ...playing }));
  return await writeExperiment({ opened, targets: options, terminal });
}
