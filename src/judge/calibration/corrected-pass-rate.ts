import { type CorrectedRate, type CountedRate, correctedRate } from '../../stats/intervals/corrected-rate.ts';
import { correctedRateElsewhere } from '../../stats/intervals/corrected-rate-elsewhere.ts';
import type { Agreement, CalibrationReport } from './calibration-record.ts';
import { FEWEST_ITEMS, isBetterThanChance } from './calibration-verdict.ts';

/** With fewer labels of one kind, a scenario's own labels say too little about that kind. */
const FEWEST_OF_A_KIND = 5;

/** A pass rate that people would have found, and what that assumes; or why there is none. */
export interface Correction {
  /** Null when nothing is known, or when the labels leave every rate possible. */
  rate: number | null;
  /** 95%. Null when there is no correction. */
  interval: [number, number] | null;
  /** A sentence without a full stop. */
  note: string;
}

/**
 * The pass rate that people would have found in a scenario, from the one that a calibrated judge found: by the labels of
 * that scenario if it has enough of them, else by all labels. If the labels name other scenarios, the interval is wider
 * by how much the judge's errors differ between them.
 */
export function correctedPassRate(
  calibration: Pick<CalibrationReport, 'scenarios'> & { overall: Agreement },
  { observed, scenario }: { observed: CountedRate; scenario: string },
): Correction {
  const { overall, scenarios } = calibration;
  if (observed.total === 0) return none('no trial was judged');
  const own = scenarios.find((group) => group.scenario === scenario);
  if (own && hasEnough(own)) {
    if (!isBetterThanChance(own)) return none(`its ${own.n} labels of this scenario can't tell it from chance`);
    return possible(correctedRate({ observed, ...errorsOf(own) }), `by the ${own.n} labels of this scenario`);
  }
  if (!isBetterThanChance(overall)) return none(whyUnknown(overall));
  if (scenarios.every((group) => group.scenario === null)) {
    return possible(
      correctedRate({ observed, ...errorsOf(overall) }),
      'assumes that the judge errs here as often as on the labelled items, which name no scenario',
    );
  }
  if (own && scenarios.length === 1) {
    return none(
      `its labels of this scenario are too few: at least ${FEWEST_OF_A_KIND} must pass and ${FEWEST_OF_A_KIND} fail`,
    );
  }
  const elsewhere = correctedRateElsewhere(observed, scenarios.map(errorsOf));
  if (!elsewhere) return none('its labels are of other scenarios, and too few of them to say how its errors differ');
  return possible(
    elsewhere,
    `assumes that the judge errs here as on the ${scenarios.length} labelled scenarios; the interval is wider by how much these differ`,
  );
}

function hasEnough({ n, sensitivity, specificity }: Agreement): boolean {
  return n >= FEWEST_ITEMS && Math.min(sensitivity.total, specificity.total) >= FEWEST_OF_A_KIND;
}

function whyUnknown({ n, human_passed }: Agreement): string {
  if (n > 0 && (human_passed === 0 || human_passed === n)) {
    return `people ${human_passed === 0 ? 'failed' : 'passed'} every labelled item`;
  }
  if (n < FEWEST_ITEMS) return `${n} labels are too few, at least ${FEWEST_ITEMS} are needed`;
  return `its ${n} labels can't tell it from chance`;
}

function errorsOf({ sensitivity, specificity }: Agreement): { sensitivity: CountedRate; specificity: CountedRate } {
  return {
    sensitivity: { passed: sensitivity.correct, total: sensitivity.total },
    specificity: { passed: specificity.correct, total: specificity.total },
  };
}

function none(why: string): Correction {
  return { rate: null, interval: null, note: `not corrected: ${why}` };
}

function possible(corrected: CorrectedRate | null, note: string): Correction {
  if (!corrected) return none('the judge passes what people fail as often as what they pass');
  const { rate, interval } = corrected;
  if (interval[0] > 0 || interval[1] < 1) return { rate, interval, note };
  return { rate: null, interval, note: 'with these labels, people could have passed anything from 0 to 100%' };
}
