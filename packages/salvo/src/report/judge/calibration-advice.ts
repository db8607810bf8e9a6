import type { CalibrationRecord, CalibrationReport } from '../../judge/calibration/calibration-record.ts';
import { FEWEST_ITEMS } from '../../judge/calibration/calibration-verdict.ts';
import {
  formatNumbers,
  formatPercent,
  formatPlural,
  formatPointsInterval,
  formatPointsSize,
  oneDigit,
  twoDigits,
} from '../../stats/format.ts';
import { safeLine } from '../../text/output/safe-text.ts';

/** A calibration, with the judge it is about where that is known. */
export type ShownCalibration = CalibrationReport &
  Partial<Pick<CalibrationRecord, 'judge_adapter' | 'judge_model' | 'k' | 'judge'>>;

/** A threshold that is chosen on the same labels looks better than it is, so small gains are ignored. */
const WORTH_A_NEW_THRESHOLD = 0.05;
const WORTH_MENTIONING_ERROR = 0.1;
const MANY_UNREADABLE = 0.1;

/** Whether so little could be scored that the figures say nothing about the judge. */
export function isUnscored({ items, scored }: ShownCalibration): boolean {
  return scored === 0 || scored * 2 < items;
}

/** What to do about a calibration, most important first. Safe to print; not yet wrapped. */
export function calibrationAdvice(report: ShownCalibration): string[] {
  // Labels and votes are not the problem when the judge could not be asked.
  if (isUnscored(report)) return unread(report);
  return [
    ...firstStep(report),
    ...panel(report),
    ...weakestCriterion(report),
    ...anotherThreshold(report),
    ...bias(report),
    ...votes(report),
    ...unread(report),
  ];
}

function firstStep({ verdict, overall, criteria }: ShownCalibration): string[] {
  const unproven = criteria.some((each) => each.n > 0 && each.verdict !== 'usable');
  switch (verdict) {
    case 'usable':
      return [
        `Use ${unproven ? 'its overall verdict' : 'it as it is'}, and calibrate again when the model, the prompt or the rubric changes.`,
      ];
    case 'weak':
      return [
        'Read the items where it and people differ, and say in the criteria what decided them; then calibrate again.',
      ];
    case 'too few labels':
      return moreLabels(overall, criteria);
    case 'no better than chance':
      return [
        'Do not rely on it. Say in the criteria what earns each score, or take a stronger model; then calibrate again.',
      ];
  }
}

function moreLabels(overall: ShownCalibration['overall'], criteria: ShownCalibration['criteria']): string[] {
  const n = Math.max(overall.n, ...criteria.map((each) => each.n));
  const missing = [
    ...(n < FEWEST_ITEMS ? [`Label ${formatPlural(FEWEST_ITEMS - n, 'more item')} at least.`] : []),
    ...(overall.n > 0 && overall.sensitivity.total === 0 ? ['Label some items that pass.'] : []),
    ...(overall.n > 0 && overall.specificity.total === 0 ? ['Label some items that fail.'] : []),
  ];
  if (missing.length > 0) return missing;
  const enough = labelsThatTell(overall);
  return [
    enough === null
      ? 'Label more items, some that pass and some that fail.'
      : `Label more items: if it goes on like this, about ${enough} in all would tell.`,
  ];
}

/** How many labels make the interval of kappa narrow enough. Its width shrinks with the root of the labels. */
function labelsThatTell({ n, kappa, kappa_ci }: ShownCalibration['overall']): number | null {
  if (kappa === null || kappa_ci === null) return null;
  const bound = kappa >= 0.6 ? 0.2 : 0;
  const needed = n * ((kappa - kappa_ci[0]) / (kappa - bound)) ** 2;
  return kappa > bound + 0.05 && needed < 2000 ? Math.ceil((needed + 1) / 10) * 10 : null;
}

function panel({ panel: found }: ShownCalibration): string[] {
  if (!found || found.best_minus_majority <= 0) return [];
  const best = found.judges.reduce((top, judge) => (judge.agreement > top.agreement ? judge : top));
  const { best_minus_majority: gain, best_minus_majority_ci: ci } = found;
  const interval = ci ? ` (95% interval ${formatPointsInterval(ci)})` : '';
  const doubt =
    ci && ci[0] > 0 ? 'Take that judge alone, or others.' : 'That may be chance: the best was chosen on these labels.';
  return [
    `The panel's majority agrees with people on ${formatPercent(found.majority)} of ${formatPlural(found.items, 'item')}, ${safeLine(best.judge_model, 60)} alone on ${formatPercent(best.agreement)}: ${formatPointsSize(gain)} more${interval}. ${doubt}`,
  ];
}

function weakestCriterion({ criteria }: ShownCalibration): string[] {
  const measured = criteria.flatMap(({ name, kappa, verdict }) => (kappa === null ? [] : [{ name, kappa, verdict }]));
  const [weakest] = measured.toSorted((a, b) => a.kappa - b.kappa);
  if (!weakest || measured.length < 2 || weakest.verdict === 'usable') return [];
  const name = safeLine(weakest.name, 60);
  return [
    `"${name}" agrees least (kappa ${twoDigits(weakest.kappa)}): give it a scale of its own, or split it in two.`,
  ];
}

function anotherThreshold({ overall, threshold }: ShownCalibration): string[] {
  const { best_threshold: best, kappa } = overall;
  if (!best || best.threshold === threshold || best.kappa - (kappa ?? 0) < WORTH_A_NEW_THRESHOLD) return [];
  return [
    `A threshold of ${best.threshold} would agree better than ${threshold}: kappa ${twoDigits(best.kappa)} instead of ${twoDigits(kappa ?? 0)}. Check it on other labels, for it was chosen on these.`,
  ];
}

function bias({ overall }: ShownCalibration): string[] {
  const { mean_error: error } = overall;
  if (error === null || Math.abs(error) < WORTH_MENTIONING_ERROR) return [];
  return [
    `It is too ${error > 0 ? 'kind' : 'strict'}: its scores are ${twoDigits(Math.abs(error))} ${error > 0 ? 'above' : 'below'} those of people on average.`,
  ];
}

function votes({ overall, k, judge, panel: found }: ShownCalibration): string[] {
  const { vote_flip_rate, votes_needed: needed, effective_votes: effective } = overall;
  const worth = effective
    ? [
        `Its ${effective.votes} votes are worth ${oneDigit(effective.worth)} independent ones: their errors correlate by ${twoDigits(effective.error_correlation)}.`,
      ]
    : [];
  // The votes of different judges differ for other reasons than chance.
  if (found) return worth;
  if (vote_flip_rate === null) {
    // A decision model answers the same each time.
    const decides = judge?.judges.every(({ mode }) => mode === 'decide') ?? false;
    return k === 1 && !decides ? ['Ask for more than one vote to learn how often it contradicts itself.'] : [];
  }
  if (needed === null) {
    return [...worth, 'Even 21 votes would not give stable verdicts: too many items are a toss-up to it.'];
  }
  if (k === undefined || needed <= k) return worth;
  return [...worth, `With ${needed} votes instead of ${k} its verdict would be the same again 19 times in 20.`];
}

function unread({ failed_votes, unreadable_votes, votes: cast, unscored }: ShownCalibration): string[] {
  const lines: string[] = [];
  if (failed_votes > 0) {
    lines.push(
      `${failed_votes} of ${formatPlural(cast, 'call')} failed. Check the adapter of the judge in salvo.yaml, its address and its key; then calibrate again.`,
    );
  }
  if (cast > 0 && unreadable_votes / cast > MANY_UNREADABLE) {
    lines.push(
      `${unreadable_votes} of ${formatPlural(cast, 'vote')} could not be read: allow more tokens, or take a model that calls tools.`,
    );
  }
  if (unscored.length > 0) {
    const where = `${unscored.length === 1 ? 'line' : 'lines'} ${formatNumbers(unscored.map(({ line }) => line))}`;
    const left = `${formatPlural(unscored.length, 'item')} could not be scored and ${unscored.length === 1 ? 'was' : 'were'} left out (${where})`;
    const why = commonCause(unscored);
    lines.push(why === null ? `${left}.` : `${left}: ${safeLine(why, 200)}`);
  }
  return lines;
}

/** The error that most items have. */
export function commonCause(unscored: ShownCalibration['unscored']): string | null {
  const causes = Map.groupBy(
    unscored.flatMap(({ error }) => error ?? []),
    (error) => error,
  );
  return [...causes.values()].toSorted((a, b) => b.length - a.length)[0]?.[0] ?? null;
}
