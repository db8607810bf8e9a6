import { describe, expect, it } from 'vitest';
import { sampleCalibration } from '../../../../../test/sample-calibration.ts';
import type { Agreement } from './calibration-record.ts';
import { correctedPassRate, type JudgedRate } from './corrected-pass-rate.ts';

/** A judge that was right on so many of what people passed, and of what they failed. */
function agreement(
  passed: [right: number, of: number],
  failed: [right: number, of: number],
  kappa_ci: [number, number] | null = [0.5, 0.9],
): Agreement {
  const counted = ([correct, total]: [number, number]) => ({ correct, total, rate: correct / total, ci: null });
  return {
    n: passed[1] + failed[1],
    human_passed: passed[1],
    kappa: 0.7,
    kappa_ci,
    sensitivity: counted(passed),
    specificity: counted(failed),
  };
}

const base = sampleCalibration();
const observed: JudgedRate = { rate: 0.69, worth: 100, interval: [0.59, 0.77] };

function corrected(overall: Agreement, scenarios: Record<string, Agreement> | null, judged: JudgedRate = observed) {
  const groups = scenarios
    ? Object.entries(scenarios).map(([name, group]) => ({ scenario: name, ...group }))
    : [{ scenario: null, ...overall }];
  return correctedPassRate(
    { overall: { ...base.overall, ...overall }, scenarios: groups },
    { observed: judged, scenario: 'refund' },
  );
}

describe('correctedPassRate', () => {
  it('by labels that name no scenario says what it assumes', () => {
    // Sensitivity 18/20, specificity 8/10: (0.69 + 0.8 - 1) / 0.7.
    const { rate, note } = corrected(agreement([18, 20], [8, 10]), null);
    expect(rate).toBeCloseTo(0.7, 12);
    expect(note).toBe('assumes that the judge errs here as often as on the labelled items, which name no scenario');
  });

  it('takes the labels of the scenario itself when there are enough', () => {
    const own = agreement([18, 20], [8, 10]);
    const { rate, note } = corrected(agreement([20, 60], [20, 30]), {
      refund: own,
      other: agreement([2, 40], [12, 20]),
    });
    expect(rate).toBeCloseTo(0.7, 12);
    expect(note).toBe('the labels are of this scenario');
  });

  it('is wider for a scenario without labels, the more the labelled scenarios differ', () => {
    const overall = agreement([54, 60], [27, 30]);
    const alike = corrected(overall, {
      a: agreement([18, 20], [9, 10]),
      b: agreement([18, 20], [9, 10]),
      c: agreement([18, 20], [9, 10]),
      d: agreement([18, 20], [9, 10]),
    });
    const unlike = corrected(overall, {
      a: agreement([20, 20], [10, 10]),
      b: agreement([20, 20], [10, 10]),
      c: agreement([14, 20], [7, 10]),
      d: agreement([18, 20], [9, 10]),
    });
    const width = ({ interval }: typeof alike) => (interval ? interval[1] - interval[0] : Number.NaN);
    const unnamed = corrected(overall, null);
    expect(width(alike)).toBeGreaterThan(width(unnamed));
    expect(width(unlike)).toBeGreaterThan(width(alike));
    expect(unlike.note).toContain('on the 4 labelled scenarios; the interval is wider');
  });

  it('is wider, the fewer independent trials the judged ones and the labels are worth', () => {
    const labels = agreement([90, 100], [85, 100]);
    const width = (own: Agreement, judged?: JudgedRate) => {
      const [low, high] = corrected(own, null, judged).interval ?? [0, 0];
      return high - low;
    };
    const all = width(labels);
    expect(width(labels, { ...observed, worth: 12 })).toBeGreaterThan(1.5 * all);
    const clustered = { ...labels, sensitivity: { ...labels.sensitivity, worth: 15 } };
    expect(width(clustered)).toBeGreaterThan(all);
  });

  it('is never narrower than the interval of the judge itself', () => {
    const labels = agreement([400, 400], [400, 400]);
    for (const [rate, worth] of [
      [0.98, 400],
      [0.02, 400],
      [0.6, 8],
    ] as const) {
      const judged: JudgedRate = { rate, worth, interval: [Math.max(0, rate - 0.2), Math.min(1, rate + 0.2)] };
      const [low, high] = corrected(labels, null, judged).interval ?? [0, 0];
      expect(high - low).toBeGreaterThanOrEqual((judged.interval?.[1] ?? 0) - (judged.interval?.[0] ?? 0) - 1e-12);
      expect(low).toBeLessThanOrEqual(rate);
      expect(high).toBeGreaterThanOrEqual(rate);
    }
  });

  it('takes the rate that weighted labels give, and not their counts', () => {
    const labels = agreement([10, 20], [10, 20]);
    const weighted = {
      ...labels,
      sensitivity: { ...labels.sensitivity, rate: 0.9, worth: 12 },
      specificity: { ...labels.specificity, rate: 0.8, worth: 12 },
    };
    expect(corrected(weighted, null).rate).toBeCloseTo(0.7, 12);
  });

  it('is not given for trials or labels of a single case', () => {
    const labels = agreement([90, 100], [85, 100]);
    expect(corrected(labels, null, { ...observed, worth: 0 }).note).toContain('all judged trials are of one case');
    const ofOneCase = { ...labels, specificity: { ...labels.specificity, worth: 0 } };
    expect(corrected(ofOneCase, null).note).toContain('are all of one case');
  });

  it.each<[string, Agreement, Record<string, Agreement> | null, string]>([
    ['one label', agreement([1, 1], [0, 0], null), null, 'people passed every labelled item'],
    ['too few labels', agreement([5, 5], [5, 5]), null, '10 labels are too few, at least 20 are needed'],
    ['labels of one kind', agreement([30, 30], [0, 0], null), null, 'people passed every labelled item'],
    ['chance', agreement([10, 20], [12, 20], [-0.2, 0.3]), null, "40 labels can't tell it from chance"],
    [
      'labels of other scenarios',
      agreement([36, 40], [18, 20]),
      { a: agreement([18, 20], [9, 10]), b: agreement([18, 20], [9, 10]) },
      'of other scenarios, and too few of them',
    ],
    [
      'chance in this scenario',
      agreement([36, 40], [18, 20]),
      { refund: agreement([10, 20], [5, 10], [-0.3, 0.3]), b: agreement([18, 20], [9, 10]) },
      "its 30 labels of this scenario can't tell it from chance",
    ],
    [
      'too few failures in the only scenario',
      agreement([25, 27], [3, 3]),
      { refund: agreement([25, 27], [3, 3]) },
      'its labels of this scenario are too few',
    ],
  ])('is not given by %s, and says why', (_, overall, scenarios, why) => {
    const { rate, interval, note } = corrected(overall, scenarios);
    expect({ rate, interval }).toEqual({ rate: null, interval: null });
    expect(note).toMatch(/^not corrected: /);
    expect(note).toContain(why);
  });

  it('has no rate when the labels leave every rate possible', () => {
    const scenarios = {
      a: agreement([20, 20], [10, 10]),
      b: agreement([0, 20], [5, 10]),
      c: agreement([10, 20], [10, 10]),
    };
    expect(corrected(agreement([30, 60], [25, 30]), scenarios)).toEqual({
      rate: null,
      interval: [0, 1],
      note: 'with these labels, people could have passed anything from 0 to 100%',
    });
  });
});
