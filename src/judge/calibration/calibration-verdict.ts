import type { CalibrationMetrics, CalibrationVerdict } from './calibration-record.ts';

/** Substantial agreement, by the usual interpretation of kappa. */
const USABLE_KAPPA = 0.6;
/** The lower bound of the interval must be above this: fair agreement. */
const USABLE_LOWER_BOUND = 0.2;
/** With fewer items even full agreement shows nothing. */
const FEWEST_ITEMS = 20;

type Evidence = Pick<CalibrationMetrics, 'n' | 'human_passed' | 'kappa' | 'kappa_ci'>;

/**
 * Whether a judge can be trusted in place of people, and why.
 *
 * - `usable`: kappa is at least 0.6 and its 95% interval lies above 0.2, on at least 20 items of both kinds.
 * - `no better than chance`: the interval includes 0, so that chance explains the agreement.
 * - `weak`: everything between, and whenever there is too little to compare.
 */
export function calibrationVerdict(evidence: Evidence): { verdict: CalibrationVerdict; reason: string } {
  const { n, human_passed, kappa, kappa_ci } = evidence;
  const weak = (reason: string) => ({ verdict: 'weak', reason }) as const;
  if (n === 0) return weak('no item has both a label and a score, so nothing could be compared');
  if (human_passed === 0 || human_passed === n) {
    const [same, missing] = human_passed === 0 ? ['failed', 'a pass'] : ['passed', 'a failure'];
    return weak(`people ${same} all ${n} items, so it is unknown whether it would recognise ${missing}`);
  }
  if (kappa === null || kappa_ci === null) return weak(`${n} items are too few to tell it from chance`);
  const metrics = `kappa ${kappa.toFixed(2)} (95% interval ${kappa_ci[0].toFixed(2)} to ${kappa_ci[1].toFixed(2)})`;
  if (kappa_ci[0] <= 0) {
    const few = n < FEWEST_ITEMS ? `, and ${n} items are too few to show more` : '';
    return { verdict: 'no better than chance', reason: `${metrics} may be chance${few}` };
  }
  if (n < FEWEST_ITEMS) return weak(`${metrics}, but ${n} items are too few: at least ${FEWEST_ITEMS} are needed`);
  if (kappa < USABLE_KAPPA) return weak(`${metrics} is below ${USABLE_KAPPA.toFixed(2)}`);
  if (kappa_ci[0] <= USABLE_LOWER_BOUND) {
    return weak(`${metrics} could be as low as ${kappa_ci[0].toFixed(2)}: more labels would tell`);
  }
  return { verdict: 'usable', reason: `${metrics} on ${n} items` };
}
