import type { Agreement } from '../packages/salvo/src/judge/calibration/calibration-record.ts';
import { mean } from '../packages/salvo/src/stats/mean.ts';
import { Z_95 } from '../packages/salvo/src/stats/normal.ts';

type Interval = readonly [number, number];

/** The true figures of a judge; null where none is asked for. */
interface Truth {
  sensitivity: number;
  specificity: number;
  kappa: number;
  corrected: number | null;
}

/** Counts how often 95% intervals contain the truth. */
export function createCoverage(truth: Truth) {
  const held: Record<keyof Truth, boolean[]> = { sensitivity: [], specificity: [], kappa: [], corrected: [] };
  const widths: Record<'own' | 'alone' | 'ppi', number[]> = { own: [], alone: [], ppi: [] };
  let asked = 0;
  const check = (key: keyof Truth, interval: Interval | null) => {
    const value = truth[key];
    if (interval && value !== null) held[key].push(interval[0] <= value && value <= interval[1]);
  };
  return {
    add({ sensitivity, specificity, kappa_ci }: Agreement): void {
      asked += 1;
      check('sensitivity', sensitivity.ci);
      check('specificity', specificity.ci);
      check('kappa', kappa_ci);
    },
    addCorrected(interval: Interval | null, reference: { alone: Interval | null; ppi: number | null }): void {
      check('corrected', interval);
      if (interval) widths.own.push(interval[1] - interval[0]);
      if (reference.alone) widths.alone.push(reference.alone[1] - reference.alone[0]);
      if (reference.ppi !== null) widths.ppi.push(reference.ppi);
    },
    /** The reference holds for labels that were drawn evenly. */
    words({ hasReference = false } = {}): string {
      const share = (key: keyof Truth) => percent(held[key].filter(Boolean).length / held[key].length);
      const figures = `kappa ${share('kappa')}, sensitivity ${share('sensitivity')}, specificity ${share('specificity')}`;
      if (truth.corrected === null) return figures;
      const missing = 1 - held.corrected.length / asked;
      const none = missing > 0 ? `, none given in ${percent(missing)}` : '';
      const width = (values: number[]) => (mean(values) ?? Number.NaN).toFixed(2);
      const reference = hasReference ? `; labels alone ${width(widths.alone)}, PPI++ ${width(widths.ppi)}` : '';
      return `${figures}, corrected rate ${share('corrected')} (width ${width(widths.own)}${none}${reference})`;
    },
  };
}

interface Verdicts {
  human: boolean;
  passed: boolean;
}

/**
 * How wide the interval of prediction-powered inference would be (PPI++, Angelopoulos et al. 2023), a reference for
 * labels of the run itself that were drawn evenly. Null if it is undefined.
 */
export function ppiWidth(labelled: readonly Verdicts[], all: readonly Verdicts[]): number | null {
  const variance = (values: readonly number[]) => {
    const middle = mean(values) ?? 0;
    return values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / Math.max(1, values.length - 1);
  };
  const human = labelled.map((each) => Number(each.human));
  const judge = labelled.map((each) => Number(each.passed));
  const [n, of] = [labelled.length, all.length];
  const ofJudge = variance(all.map((each) => Number(each.passed)));
  const middles = [mean(human) ?? 0, mean(judge) ?? 0] as const;
  const covariance =
    human.reduce((sum, value, index) => sum + (value - middles[0]) * ((judge[index] ?? 0) - middles[1]), 0) / (n - 1);
  const tuned = ofJudge === 0 ? 0 : covariance / ((1 + n / of) * ofJudge);
  const rest = variance(human.map((value, index) => value - tuned * (judge[index] ?? 0)));
  const width = 2 * Z_95 * Math.sqrt(rest / n + (tuned ** 2 * ofJudge) / of);
  return Number.isFinite(width) ? width : null;
}

export function percent(share: number): string {
  return `${(100 * share).toFixed(0)}%`;
}
