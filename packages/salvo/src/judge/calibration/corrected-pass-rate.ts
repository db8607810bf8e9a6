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
  /** How many labels it is by; missing without a rate. */
  labels?: number | undefined;
  /** A sentence without a full stop. */
  note: string;
}

/** A pass rate that a judge found in a run. */
export interface JudgedRate {
  /** Null when nothing was judged. */
  rate: number | null;
  /** How many independent trials its trials are worth. */
  worth: number;
  /** The interval that the judge's own rate has; null if unknown. */
  interval: readonly [number, number] | null;
}

/**
 * The pass rate that people would have found in a scenario, from the one that a calibrated judge found: by the labels of
 * that scenario if it has enough of them, else by all labels. If the labels name other scenarios, the interval is wider
 * by how much the judge's errors differ between them. It is never narrower than the judge's own.
 */
export function correctedPassRate(
  calibration: Pick<CalibrationReport, 'scenarios'> & { overall: Agreement },
  { observed: judged, scenario }: { observed: JudgedRate; scenario: string },
): Correction {
  const { overall, scenarios } = calibration;
  if (judged.rate === null) return none('no trial was judged');
  if (judged.worth === 0) return none('all judged trials are of one case, which says nothing about others');
  const observed = { passed: judged.rate * judged.worth, total: judged.worth };
  const possible = (corrected: CorrectedRate | null, { n }: Agreement, note: string) =>
    correctionBy(corrected, judged.interval, { labels: n, note });
  const own = scenarios.find((group) => group.scenario === scenario);
  if (own && hasEnough(own)) {
    if (!isBetterThanChance(own)) return none(`its ${own.n} labels of this scenario can't tell it from chance`);
    if (isOfOneCase(own)) return none('its labels of this scenario that pass, or that fail, are all of one case');
    return possible(correctedRate({ observed, ...errorsOf(own) }), own, 'the labels are of this scenario');
  }
  if (!isBetterThanChance(overall)) return none(whyUnknown(overall));
  if (isOfOneCase(overall)) return none('its labels that pass, or that fail, are all of one case');
  if (scenarios.every((group) => group.scenario === null)) {
    return possible(
      correctedRate({ observed, ...errorsOf(overall) }),
      overall,
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
    overall,
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

/** Then it is unknown how the judge's errors differ between cases. */
function isOfOneCase({ sensitivity, specificity }: Agreement): boolean {
  return sensitivity.worth === 0 || specificity.worth === 0;
}

function errorsOf({ sensitivity, specificity }: Agreement): { sensitivity: CountedRate; specificity: CountedRate } {
  return { sensitivity: independent(sensitivity), specificity: independent(specificity) };
}

/** The counts of as many independent labels as these are worth. */
function independent({ correct, total, rate, worth = total }: Agreement['sensitivity']): CountedRate {
  return rate === null ? { passed: correct, total } : { passed: rate * worth, total: worth };
}

function none(why: string): Correction {
  return { rate: null, interval: null, note: `not corrected: ${why}` };
}

function correctionBy(
  corrected: CorrectedRate | null,
  own: readonly [number, number] | null,
  { labels, note }: { labels: number; note: string },
): Correction {
  if (!corrected) return none('the judge passes what people fail as often as what they pass');
  const { rate } = corrected;
  const interval = atLeastAsWide(corrected.interval, own);
  if (interval[0] > 0 || interval[1] < 1) return { rate, interval, labels, note };
  return { rate: null, interval, note: 'with these labels, people could have passed anything from 0 to 100%' };
}

/** Cut off at 0 or 1, an interval may be narrower than that of the judge's own rate: then it is extended. */
function atLeastAsWide([low, high]: [number, number], own: readonly [number, number] | null): [number, number] {
  const missing = own === null ? 0 : own[1] - own[0] - (high - low);
  if (missing <= 0) return [low, high];
  const below = Math.min(low, Math.max(missing / 2, missing - (1 - high)));
  return [low - below, Math.min(1, high + missing - below)];
}
