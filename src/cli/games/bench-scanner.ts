import { benchScanner } from '../../app/experiments/bench-scanner.ts';
import type { BenchScannerCommandOptions } from '../program/command-options.ts';
import { withExperimentProgress } from '../terminal/experiment-progress.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { writeExperiment } from '../terminal/write-experiment.ts';
import { checkWritable } from '../terminal/write-file.ts';

/** `salvo bench-scanner` */
export async function benchScannerCommand(options: BenchScannerCommandOptions, terminal: Terminal): Promise<number> {
  await checkWritable([options.csv, options.jsonl, options.markdown], terminal);
  await using opened = await withExperimentProgress(terminal, options, (playing) =>
    benchScanner({ ...options, ...playing }),
  );
  return await writeExperiment({ opened, targets: options, terminal });
}
