import type { CalibrationRecord, CalibrationReport } from '../../judge/calibration/calibration-record.ts';
import { safeLine } from '../../text/safe-text.ts';
import { formatNumbers, formatPlural } from '../terminal/format.ts';

/** A calibration, with the judge it is about where that is known. */
export type ShownCalibration = CalibrationReport &
  Partial<Pick<CalibrationRecord, 'judge_adapter' | 'judge_model' | 'k'>>;

/** A threshold that is chosen on the same labels looks better than it is, so small gains are ignored. */
const WORTH_A_NEW_THRESHOLD = 0.05;
const WORTH_MENTIONING_ERROR = 0.1;
const MANY_UNREADABLE = 0.1;
const ENOUGH_LABELS = 20;

/** What to do about a calibration, most important first. Safe to print; not yet wrapped. */
export function calibrationAdvice(report: ShownCalibration): string[] {
  return [
    ...firstStep(report),
    ...weakestCriterion(report),
    ...anotherThreshold(report),
    ...bias(report),
    ...votes(report),
    ...unread(report),
  ];
}

function firstStep({ verdict, overall, criteria }: ShownCalibration): string[] {
  const n = Math.max(overall.n, ...criteria.map((each) => each.n));
  const labels = [
    ...(n < ENOUGH_LABELS ? [`Label ${formatPlural(ENOUGH_LABELS - n, 'more item')} at least.`] : []),
    ...(overall.n > 0 && overall.sensitivity.total === 0 ? ['Label some items that pass.'] : []),
    ...(overall.n > 0 && overall.specificity.total === 0 ? ['Label some items that fail.'] : []),
  ];
  const unproven = criteria.some((each) => each.n > 0 && each.verdict !== 'usable');
  switch (verdict) {
    case 'usable':
      return [
        `Use ${unproven ? 'its overall verdict' : 'it as it is'}, and calibrate again when the model, the prompt or the rubric changes.`,
      ];
    case 'weak':
      return labels.length > 0
        ? labels
        : [
            'Read the items where it and people differ, and say in the criteria what decided them; then calibrate again.',
          ];
    case 'no better than chance':
      return [
        'Do not rely on it. Say in the criteria what earns each score, or take a stronger model; then calibrate again.',
        ...labels,
      ];
  }
}

function weakestCriterion({ criteria }: ShownCalibration): string[] {
  const measured = criteria.flatMap(({ name, kappa, verdict }) => (kappa === null ? [] : [{ name, kappa, verdict }]));
  const [weakest] = measured.toSorted((a, b) => a.kappa - b.kappa);
  if (!weakest || measured.length < 2 || weakest.verdict === 'usable') return [];
  const name = safeLine(weakest.name, 60);
  return [
    `"${name}" agrees least (kappa ${weakest.kappa.toFixed(2)}): give it a scale of its own, or split it in two.`,
  ];
}

function anotherThreshold({ overall, threshold }: ShownCalibration): string[] {
  const { best_threshold: best, kappa } = overall;
  if (!best || best.threshold === threshold || best.kappa - (kappa ?? 0) < WORTH_A_NEW_THRESHOLD) return [];
  return [
    `A threshold of ${best.threshold} would agree better than ${threshold}: kappa ${best.kappa.toFixed(2)} instead of ${(kappa ?? 0).toFixed(2)}. Check it on other labels, for it was chosen on these.`,
  ];
}

function bias({ overall }: ShownCalibration): string[] {
  const { mean_error: error } = overall;
  if (error === null || Math.abs(error) < WORTH_MENTIONING_ERROR) return [];
  return [
    `It is too ${error > 0 ? 'kind' : 'strict'}: its scores are ${Math.abs(error).toFixed(2)} ${error > 0 ? 'above' : 'below'} those of people on average.`,
  ];
}

function votes({ overall, k }: ShownCalibration): string[] {
  const { vote_flip_rate, votes_needed: needed } = overall;
  if (vote_flip_rate === null) return ['Ask for more than one vote to learn how often it contradicts itself.'];
  if (needed === null) return ['Even 21 votes would not give stable verdicts: too many items are a toss-up to it.'];
  if (k === undefined || needed <= k) return [];
  return [`With ${needed} votes instead of ${k} its verdict would be the same again 19 times in 20.`];
}

function unread({ unreadable_votes, votes: cast, unscored }: ShownCalibration): string[] {
  const lines: string[] = [];
  if (cast > 0 && unreadable_votes / cast > MANY_UNREADABLE) {
    lines.push(
      `${unreadable_votes} of ${formatPlural(cast, 'vote')} could not be read: allow more tokens, or take a model that calls tools.`,
    );
  }
  const [first] = unscored;
  if (first) {
    const why = unscored.find(({ error }) => error !== null)?.error;
    const where = `${unscored.length === 1 ? 'line' : 'lines'} ${formatNumbers(unscored.map(({ line }) => line))}`;
    const left = `${formatPlural(unscored.length, 'item')} could not be scored and ${unscored.length === 1 ? 'was' : 'were'} left out (${where})`;
    lines.push(why ? `${left}: ${safeLine(why, 200)}` : `${left}.`);
  }
  return lines;
}
