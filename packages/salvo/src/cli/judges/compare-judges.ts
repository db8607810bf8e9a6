import { type CompareProjectJudgesOptions, compareProjectJudges } from '../../app/judges/compare-project-judges.ts';
import type { StoredComparison } from '../../judge/which/stored-comparison.ts';
import { renderJudgeComparison } from '../../report/judge/judge-comparison-report.ts';
import { salvoCommand } from '../../text/output/salvo-command.ts';
import type { Given, LongCommandOptions } from '../program/command-options.ts';
import { createJudgeProgress } from '../terminal/judge-progress.ts';
import { printResult, type Result } from '../terminal/print-result.ts';
import type { Terminal } from '../terminal/terminal.ts';

type CompareJudgesOptions = Given<CompareProjectJudgesOptions> & LongCommandOptions & { json: boolean };

/** `salvo calibrate LABELS --judges FILE`, without the name of a judge: all of them are compared. */
export async function compareJudgesCommand(options: CompareJudgesOptions, terminal: Terminal): Promise<number> {
  const { cwd, env, stop, abort } = terminal;
  const { onEvent, finish } = createJudgeProgress(terminal, options);
  let comparison: StoredComparison;
  try {
    comparison = await compareProjectJudges({ ...options, cwd, env, stop, abort, onEvent }).finally(finish);
  } catch (error) {
    if (error !== stop.reason) throw error;
    terminal.stderr.write('\nStopped before anything was judged.\n');
    return 3;
  }
  const { comparison_id: id } = comparison;
  const stored = `\n\`${salvoCommand()} view ${id}\` shows it with diagrams; \`${salvoCommand()} calibrate --forget ${id}\` removes it.\n`;
  const text: Result['text'] = (look) => renderJudgeComparison(comparison, look) + stored;
  printResult({ json: options.json, kind: 'calibrate-judges', document: comparison, text }, terminal);
  return comparison.exit_code;
}
