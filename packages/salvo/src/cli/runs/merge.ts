import { mergeParts } from '../../app/runs/merge-parts.ts';
import type { MergeCommandOptions } from '../program/command-options.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { checkTargets } from '../terminal/write-reports.ts';
import { writeRun } from './run.ts';

/** `salvo merge`: reports like `salvo run`, and exits with the code of the whole run. */
export async function mergeCommand(options: MergeCommandOptions, terminal: Terminal): Promise<number> {
  const { cwd, env } = terminal;
  await checkTargets(options, terminal);
  await using merged = await mergeParts({ ...options, cwd, env });
  return await writeRun(merged, { targets: options, started: null, isResumed: true }, terminal);
}
