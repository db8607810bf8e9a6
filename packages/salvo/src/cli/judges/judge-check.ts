import { checkProjectJudge } from '../../app/judges/check-project-judge.ts';
import { renderCanaries } from '../../report/judge/canary-report.ts';
import type { JudgeCheckCommandOptions } from '../program/command-options.ts';
import { createJudgeProgress } from '../terminal/judge-progress.ts';
import { printResult } from '../terminal/print-result.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** `salvo judge-check` */
export async function judgeCheckCommand(options: JudgeCheckCommandOptions, terminal: Terminal): Promise<number> {
  const { cwd, env, stop, abort } = terminal;
  const { onEvent, finish } = createJudgeProgress(terminal, options);
  const report = await checkProjectJudge({ ...options, cwd, env, stop, abort, onEvent }).finally(finish);
  printResult(
    { json: options.json, kind: 'judge-check', document: report, text: (look) => renderCanaries(report, look) },
    terminal,
  );
  return report.exit_code;
}
