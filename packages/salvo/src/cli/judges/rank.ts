import { rankRuns } from '../../app/judges/rank-runs.ts';
import { renderRanking } from '../../report/judge/rank-report.ts';
import type { RankCommandOptions } from '../program/command-options.ts';
import { createJudgeProgress } from '../terminal/judge-progress.ts';
import { printResult } from '../terminal/print-result.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** `salvo rank` */
export async function rankCommand(options: RankCommandOptions, terminal: Terminal): Promise<number> {
  const { cwd, env, stop, abort } = terminal;
  const { onEvent, finish } = createJudgeProgress(terminal, options);
  const ranking = await rankRuns({ ...options, cwd, env, stop, abort, onEvent }).finally(finish);
  printResult(
    { json: options.json, kind: 'rank', document: ranking, text: (look) => renderRanking(ranking, look) },
    terminal,
  );
  return ranking.exit_code;
}
