import { relative } from 'node:path';
import { runShard } from '../../app/runs/run-shard.ts';
import { shardOfCi } from '../../app/runs/shard-of-ci.ts';
import { runTotals } from '../../report/run/run-report.ts';
import { shardName } from '../../run/record/shard.ts';
import { formatCount, formatPlural } from '../../stats/format.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { shellQuote } from '../../text/output/quote-output.ts';
import { safeLine } from '../../text/output/safe-text.ts';
import { salvoCommand } from '../../text/output/salvo-command.ts';
import type { RunCommandOptions } from '../program/command-options.ts';
import { databasePatience } from '../terminal/database-patience.ts';
import { createRunProgress } from '../terminal/run-progress.ts';
import type { Terminal } from '../terminal/terminal.ts';

/**
 * `salvo run --shard`: exits with 0 when all trials of the shard have a result, whatever it is, and with 3 when some
 * have none. `salvo merge` gives the verdict.
 */
export async function shardCommand(options: RunCommandOptions, terminal: Terminal): Promise<number> {
  const { cwd, env, stop, abort, stdout } = terminal;
  const { shard: choice, out, tag, ...rest } = options;
  if (choice === undefined) throw new SalvoError('OPTIONS_INVALID', '--out needs --shard: --shard 1/4 --out DIR.');
  if (out === undefined) throw new SalvoError('OPTIONS_INVALID', '--shard needs a folder for its part: --out DIR.');
  const shard = choice === 'auto' ? shardOfCi(env) : choice;
  const resumed = options.resume !== undefined;
  const { onEvent, finish } = createRunProgress(terminal, { quiet: options.quiet, resumed });
  const patience = databasePatience(options, terminal);
  const request = { ...rest, shard, out, tags: tag, cwd, env, patience, stop, abort, onEvent };
  await using finished = await runShard(request).finally(finish);
  const { outcome, run, file, isComplete } = finished;
  const totals = runTotals(run.scenarios.flatMap(({ summary }) => summary ?? []));
  const counts = [
    `${formatCount(totals.ran)} of ${formatPlural(totals.planned, 'trial')} run`,
    `${formatCount(totals.passed)} passed`,
    ...(totals.unscored > 0 ? [`${formatCount(totals.unscored)} not scored`] : []),
  ];
  const resume = `${salvoCommand()} run --shard ${shardName(shard)} --out ${shellQuote(out)} --resume ${run.run_id}`;
  const lines = [
    `Shard ${shardName(shard)}: ${counts.join(', ')}.`,
    ...finished.notes,
    ...(outcome.budgetRefusal === null ? [] : [`Stopped: ${outcome.budgetRefusal}.`]),
    ...(isComplete ? [] : [`Trials are missing. To run them: ${resume}`]),
    `Its part is ${relative(cwd, file) || file}. \`salvo merge\` gives the verdict on all ${formatPlural(shard.count, 'part')}.`,
  ];
  stdout.write(lines.map((line) => `${safeLine(line)}\n`).join(''));
  return isComplete ? 0 : 3;
}
