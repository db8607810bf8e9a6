import { calibrateJudge } from '../../app/judges/calibrate.ts';
import type { CalibrationOutcome } from '../../judge/calibration/run-calibration.ts';
import { renderCalibration } from '../../report/judge/calibration-report.ts';
import { formatMoney, formatPlural } from '../../report/terminal/format.ts';
import type { Look } from '../../report/terminal/look.ts';
import type { CalibrateCommandOptions } from '../program/command-options.ts';
import { createJudgeProgress } from '../terminal/judge-progress.ts';
import { printResult } from '../terminal/print-result.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** `salvo calibrate` */
export async function calibrateCommand(options: CalibrateCommandOptions, terminal: Terminal): Promise<number> {
  const { cwd, env, stop, abort } = terminal;
  const { onEvent, finish } = createJudgeProgress(terminal, options);
  let outcome: CalibrationOutcome;
  try {
    outcome = await calibrateJudge({ ...options, cwd, env, stop, abort, onEvent }).finally(finish);
  } catch (error) {
    if (error !== stop.reason) throw error;
    terminal.stderr.write('\nStopped before anything was judged.\n');
    return 3;
  }
  const { judge, report, record, disagreements, notJudged, judgeCostUsd, exitCode } = outcome;
  printResult(
    {
      json: options.json,
      document: {
        ...(record ?? { ...judge, ...report }),
        disagreements,
        not_judged: notJudged,
        judge_cost_usd: judgeCostUsd,
        stored: record !== null,
        exit_code: exitCode,
      },
      text: (look) => render(outcome, look),
    },
    terminal,
  );
  return exitCode;
}

function render(outcome: CalibrationOutcome, look: Look): string {
  const { judge, report, disagreements, notKept, corrects, notJudged, judgeCostUsd } = outcome;
  const cost = judgeCostUsd === null ? 'Cost unknown.' : `Cost ${formatMoney(judgeCostUsd)}.`;
  const rest = notJudged > 0 ? `${formatPlural(notJudged, 'item')} not judged. ` : '';
  const kept =
    notKept !== null
      ? `Not stored: ${notKept}.`
      : corrects
        ? '`salvo run` corrects the pass rates of this judge from now on.'
        : 'Stored. `salvo run` corrects no pass rates by it: these labels cannot tell the judge from chance.';
  return `${renderCalibration({ ...judge, ...report, disagreements }, look)}\n${rest}${kept} ${cost}\n`;
}
