import { Z_95 } from '../normal.ts';

/** A rate with its counts, on which its uncertainty depends. */
export interface CountedRate {
  passed: number;
  total: number;
}

/** What a judge observed, and how often it was right: of what people passed, and of what they failed. */
interface JudgeCounts {
  observed: CountedRate;
  sensitivity: CountedRate;
  specificity: CountedRate;
}

export interface CorrectedRate {
  rate: number;
  /** 95%, with the uncertainty of all three counts. */
  interval: [number, number];
}

/**
 * The true pass rate behind one that an imperfect judge observed (Rogan and Gladen 1978), with the interval of Lang and
 * Reiczigel (2014). Sensitivity: of what people passed, how much the judge passed. Specificity: of what people failed,
 * how much the judge failed.
 * Null when it can't be computed: a count is empty, or the judge is no better than chance (their sum is 1 or less).
 */
export function correctedRate(counts: JudgeCounts): CorrectedRate | null {
  const rate = roganGladen(counts);
  if (rate === null) return null;
  const [low, high] = langReiczigel(counts);
  return { rate, interval: [Math.min(low, rate), Math.max(high, rate)] };
}

/** The estimate of Rogan and Gladen without an interval: the rate that a judge without errors would have found. */
export function roganGladen({ observed, sensitivity, specificity }: JudgeCounts): number | null {
  const all = [observed, sensitivity, specificity];
  for (const { passed, total } of all) {
    if (!(passed >= 0 && passed <= total)) throw new RangeError(`${passed} of ${total} is not a rate`);
  }
  if (all.some(({ total }) => total === 0)) return null;
  const power = share(sensitivity) + share(specificity) - 1;
  return power <= 0 ? null : within01((share(observed) + share(specificity) - 1) / power);
}

/** A few added observations shift every rate towards 0.5, which makes the interval hold for small counts. */
function langReiczigel(counts: JudgeCounts) {
  const observed = padded(counts.observed, Z_95 ** 2 / 2);
  const sensitivity = padded(counts.sensitivity, 1);
  const specificity = padded(counts.specificity, 1);
  const power = sensitivity.rate + specificity.rate - 1;
  // With so few labels the judge may be guessing: any true rate is possible.
  if (power <= 0) return [0, 1] as const;
  const rate = (observed.rate + specificity.rate - 1) / power;
  const shift = 2 * Z_95 ** 2 * (rate * sensitivity.variance - (1 - rate) * specificity.variance);
  const variance = observed.variance + rate ** 2 * sensitivity.variance + (1 - rate) ** 2 * specificity.variance;
  const half = (Z_95 * Math.sqrt(variance)) / power;
  return [within01(rate + shift - half), within01(rate + shift + half)] as const;
}

function padded({ passed, total }: CountedRate, each: number): { rate: number; variance: number } {
  const size = total + 2 * each;
  const rate = (passed + each) / size;
  return { rate, variance: (rate * (1 - rate)) / size };
}

function share({ passed, total }: CountedRate): number {
  return passed / total;
}

function within01(value: number): number {
  return Math.min(1, Math.max(0, value));
}
