import { twoDigits, twoDigitsInterval } from '../../stats/format.ts';

/** Worst first. */
export const CALIBRATION_VERDICTS = ['no better than chance', 'too few labels', 'weak', 'usable'] as const;

export type CalibrationVerdict = (typeof CALIBRATION_VERDICTS)[number];

/** Substantial agreement, by the usual interpretation of kappa. */
const USABLE_KAPPA = 0.6;
/** The lower bound of the interval must be above this: fair agreement. */
const USABLE_LOWER_BOUND = 0.2;
/** If the whole interval is below this and includes 0, there are enough labels to say that the judge guesses. */
const GUESSING_UPPER_BOUND = 0.4;
/** With fewer items even full agreement shows nothing. */
export const FEWEST_ITEMS = 20;

/** The part of an agreement that decides. */
interface Evidence {
  n: number;
  cases?: number | undefined;
  human_passed: number;
  kappa: number | null;
  kappa_ci: [number, number] | null;
}

/**
 * Whether a judge can be trusted in place of people, and why.
 *
 * - `usable`: kappa is at least 0.6 and its 95% interval lies above 0.2, on at least 20 items of both kinds.
 * - `no better than chance`: the interval includes 0 and lies below 0.4.
 * - `too few labels`: the labels can't tell whether it is usable or guesses.
 * - `weak`: better than chance, but not usable.
 */
export function calibrationVerdict(evidence: Evidence): { verdict: CalibrationVerdict; reason: string } {
  const { n, cases, human_passed, kappa, kappa_ci } = evidence;
  const items = cases === undefined ? `${n} items` : `${n} items of ${cases} ${cases === 1 ? 'case' : 'cases'}`;
  const tooFew = (reason: string) => ({ verdict: 'too few labels', reason }) as const;
  if (n === 0) return tooFew('no item has both a label and a score, so nothing could be compared');
  if (human_passed === 0 || human_passed === n) {
    const [same, missing] = human_passed === 0 ? ['failed', 'a pass'] : ['passed', 'a failure'];
    const all = n === 1 ? 'the only item' : `all ${items}`;
    return tooFew(`people ${same} ${all}, so it is unknown whether it would recognise ${missing}`);
  }
  if (kappa === null || kappa_ci === null) return tooFew(`${items} can't tell it from chance`);
  const metrics = `kappa ${twoDigits(kappa)} (95% interval ${twoDigitsInterval(kappa_ci)})`;
  if (kappa_ci[0] <= 0) {
    if (kappa_ci[1] < GUESSING_UPPER_BOUND) {
      return { verdict: 'no better than chance', reason: `${metrics} on ${items}` };
    }
    return tooFew(`${metrics}: ${items} can't tell it from chance`);
  }
  if (n < FEWEST_ITEMS) return tooFew(`${metrics}, but ${items} are too few: at least ${FEWEST_ITEMS} are needed`);
  if (kappa < USABLE_KAPPA) return { verdict: 'weak', reason: `${metrics} is below ${twoDigits(USABLE_KAPPA)}` };
  if (kappa_ci[0] <= USABLE_LOWER_BOUND) {
    return tooFew(`${metrics} could be as low as ${twoDigits(kappa_ci[0])}: more labels would tell`);
  }
  return { verdict: 'usable', reason: `${metrics} on ${items}` };
}

/** Whether a judge is better than chance beyond doubt: only then its pass rates can be corrected. */
export function isBetterThanChance({ n, human_passed, kappa_ci }: Evidence): boolean {
  return n >= FEWEST_ITEMS && human_passed > 0 && human_passed < n && kappa_ci !== null && kappa_ci[0] > 0;
}
