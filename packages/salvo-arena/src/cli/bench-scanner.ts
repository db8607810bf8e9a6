import { checkWritable, type Terminal } from 'salvo/kit/cli';
import { databasePatience, detached, salvoCommand } from 'salvo/kit/progress';
import { benchScanner } from '../app/experiments/bench-scanner.ts';
import type { BenchScannerCommandOptions } from './program/command-options.ts';
import { createExperimentProgress } from './terminal/experiment-progress.ts';
import { writeExperiment } from './terminal/write-experiment.ts';

/** `salvo bench-scanner` */
export async function benchScannerCommand(options: BenchScannerCommandOptions, terminal: Terminal): Promise<number> {
  await checkWritable([options.csv, options.jsonl, options.markdown], terminal);
  const { labels, localWorkers: local, detach, ...bench } = options;
  const workers = { labels, local, detach, command: salvoCommand(), leave: terminal.leave };
  const play = async (): Promise<number> => {
    const { onEvent, finish } = createExperimentProgress(terminal, options);
    const patience = databasePatience(options, terminal);
    await using opened = await benchScanner({ ...bench, ...terminal, onEvent, workers, patience }).finally(finish);
    return await writeExperiment({ opened, targets: options, terminal });
  };
  return await detached(play, options, terminal);
}
