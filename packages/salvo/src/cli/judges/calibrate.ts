import { isFileOfPairs } from '../../app/judges/calibrate-pairs.ts';
import { calibrateProjectJudge } from '../../app/judges/calibrate-project-judge.ts';
import { forgetCalibration, forgetCommand } from '../../app/judges/forget-calibration.ts';
import type { CalibrationOutcome } from '../../judge/calibration/calibrate-judge.ts';
import { renderCalibration } from '../../report/judge/calibration-report.ts';
import type { Look } from '../../report/terminal/look.ts';
import { formatCost, formatPlural } from '../../stats/format.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { safeLine } from '../../text/output/safe-text.ts';
import { judgeCostFields } from '../../trace/cost-fields.ts';
import type { CalibrateCommandOptions } from '../program/command-options.ts';
import { createJudgeProgress } from '../terminal/judge-progress.ts';
import { printResult } from '../terminal/print-result.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** `salvo calibrate` */
export async function calibrateCommand(options: CalibrateCommandOptions, terminal: Terminal): Promise<number> {
  const { cwd, env, stop, abort } = terminal;
  if (options.forget !== undefined) return await forget(options, terminal);
  const { labels, judges } = options;
  if (labels !== undefined && (await isFileOfPairs(labels, cwd))) {
    const { calibratePairsCommand } = await import('./calibrate-pairs.ts');
    return await calibratePairsCommand({ ...options, labels }, terminal);
  }
  if (options.cascade) {
    if (labels === undefined || options.judge !== undefined) {
      const message = '--cascade asks all judges of a cascade about a file of labels: give the file, without --judge.';
      throw new SalvoError('OPTIONS_INVALID', message);
    }
    const { calibrateCascadeCommand } = await import('./calibrate-cascade.ts');
    return await calibrateCascadeCommand({ ...options, labels }, terminal);
  }
  if (options.agreement !== undefined || options.cost !== undefined) {
    throw new SalvoError('OPTIONS_INVALID', '--agreement and --cost are for the stages of a cascade: add --cascade.');
  }
  if (labels !== undefined && judges !== undefined && options.judge === undefined) {
    const { compareJudgesCommand } = await import('./compare-judges.ts');
    return await compareJudgesCommand({ ...options, labels, judges }, terminal);
  }
  if (options.canaries) {
    const message =
      '--canaries compares judges: give a file of labels and --judges. `salvo judge-check` tests one judge.';
    throw new SalvoError('OPTIONS_INVALID', message);
  }
  if (options.biases !== undefined) {
    const message = '--biases is for a comparison: give a file of labels and --judges, without --judge.';
    throw new SalvoError('OPTIONS_INVALID', message);
  }
  const { onEvent, finish } = createJudgeProgress(terminal, options);
  let outcome: CalibrationOutcome;
  try {
    outcome = await calibrateProjectJudge({ ...options, cwd, env, stop, abort, onEvent }).finally(finish);
  } catch (error) {
    if (error !== stop.reason) throw error;
    terminal.stderr.write('\nStopped before anything was judged.\n');
    return 3;
  }
  const { judge, report, record, disagreements, notJudged, judgeCost, exitCode } = outcome;
  printResult(
    {
      json: options.json,
      kind: 'calibrate',
      document: {
        ...(record ?? { ...judge, ...report }),
        // Whole conversations, which the file of labels has already.
        anchors: undefined,
        disagreements,
        not_judged: notJudged,
        ...judgeCostFields(judgeCost),
        stored: record !== null,
        exit_code: exitCode,
      },
      text: (look) => render(outcome, look),
    },
    terminal,
  );
  return exitCode;
}

async function forget({ forget: judge, labels, json }: CalibrateCommandOptions, terminal: Terminal): Promise<number> {
  if (labels !== undefined) {
    throw new SalvoError('OPTIONS_INVALID', `--forget removes a calibration and reads no labels: leave out ${labels}.`);
  }
  const { cwd, env } = terminal;
  const removed = await forgetCalibration({ cwd, env, judge: judge === true ? undefined : judge });
  const { created_at } = removed;
  if (removed.what === 'comparison') {
    const document = { forgotten: removed.id, judge_model: null, created_at };
    const text = () => `Forgotten: the comparison of judges of ${created_at.slice(0, 10)}.\n`;
    printResult({ json, kind: 'calibrate-forget', document, text }, terminal);
    return 0;
  }
  const { judge_hash, judge_model } = removed;
  const text = `Forgotten: the calibration of ${safeLine(judge_model ?? 'an unknown judge', 80)} of ${created_at.slice(0, 10)}. \`salvo run\` no longer corrects its pass rates. Labels that were given in salvo view are kept.\n`;
  const document = { forgotten: judge_hash, judge_model, created_at };
  printResult({ json, kind: 'calibrate-forget', document, text: () => text }, terminal);
  return 0;
}

function render(outcome: CalibrationOutcome, look: Look): string {
  const { judge, facts, report, record, disagreements, notKept, corrects, notJudged, judgeCost } = outcome;
  const undo = record ? ` To undo: ${forgetCommand(record.judge_hash)}` : '';
  const cost = `Cost ${formatCost(judgeCost)}.`;
  const rest = notJudged > 0 ? `${formatPlural(notJudged, 'item')} not judged. ` : '';
  const kept =
    notKept !== null
      ? `Not stored: ${notKept}.`
      : corrects
        ? '`salvo run` corrects the pass rates of this judge from now on.'
        : 'Stored. `salvo run` corrects no pass rates by it: these labels cannot tell the judge from chance.';
  return `${renderCalibration({ ...judge, ...(facts && { judge: facts }), ...report, disagreements }, look)}\n${rest}${kept} ${cost}${undo}\n`;
}
