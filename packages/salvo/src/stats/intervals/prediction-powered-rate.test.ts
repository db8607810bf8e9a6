import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../seeded-random.ts';
import { type PredictedItem, predictionPoweredRate } from './prediction-powered-rate.ts';

/** 60 items of 20 clusters, of which every other one has a label with a weight of its own. */
function sample({ errs = 0.2, labelled = (index: number) => index % 2 === 0 } = {}): PredictedItem[] {
  const random = seededRandom('prediction-powered');
  return Array.from({ length: 60 }, (_, index) => {
    const passed = random() < 0.7;
    const prediction = random() < errs ? Number(!passed) : Number(passed);
    const weight = 1 + (index % 3);
    return { cluster: `${index % 20}`, prediction, label: labelled(index) ? { passed, weight } : null };
  });
}

interface Labelled {
  cluster: string;
  prediction: number;
  passed: number;
  weight: number;
}

function labelledOf(items: readonly PredictedItem[]): Labelled[] {
  return items.flatMap(({ cluster, prediction, label }) =>
    label ? [{ cluster, prediction, passed: Number(label.passed), weight: label.weight }] : [],
  );
}

function weighted(labels: readonly Labelled[], of: (label: Labelled) => number): number {
  const weight = labels.reduce((sum, each) => sum + each.weight, 0);
  return labels.reduce((sum, each) => sum + each.weight * of(each), 0) / weight;
}

/** From the residuals of labels, instead of labels and gaps. */
function standardError(items: readonly PredictedItem[], lambda: number): number {
  const labels = labelledOf(items);
  const weight = labels.reduce((sum, each) => sum + each.weight, 0);
  const residual = (each: Labelled) => each.passed - lambda * each.prediction;
  const middle = weighted(labels, residual);
  const predicted = items.reduce((sum, { prediction }) => sum + prediction, 0) / items.length;
  const names = [...new Set(items.map(({ cluster }) => cluster))];
  const sums = names.map((name) => {
    const own = items.filter(({ cluster }) => cluster === name);
    const all = own.reduce((sum, { prediction }) => sum + (lambda * (prediction - predicted)) / items.length, 0);
    return labelledOf(own).reduce((sum, each) => sum + (each.weight * (residual(each) - middle)) / weight, all);
  });
  const count = new Set(labels.map(({ cluster }) => cluster)).size;
  return Math.sqrt((count / (count - 1)) * sums.reduce((sum, each) => sum + each ** 2, 0));
}

describe('predictionPoweredRate', () => {
  it('is the weighted mean of the labels with a lambda of 0', () => {
    const items = sample();
    const mean = weighted(labelledOf(items), ({ passed }) => passed);
    const found = predictionPoweredRate(items, { lambda: 0 });
    expect(found?.rate).toBeCloseTo(mean, 12);
    expect(found?.standardError).toBeCloseTo(standardError(items, 0), 12);
  });

  it('is the mean prediction plus the mean error of predictions with a lambda of 1', () => {
    const items = sample();
    const predicted = items.reduce((sum, { prediction }) => sum + prediction, 0) / items.length;
    const error = weighted(labelledOf(items), ({ passed, prediction }) => passed - prediction);
    const found = predictionPoweredRate(items, { lambda: 1 });
    expect(found?.rate).toBeCloseTo(predicted + error, 12);
    expect(found?.standardError).toBeCloseTo(standardError(items, 1), 12);
  });

  it('has the standard error of the textbook for independent labels of equal weight', () => {
    const items = sample().map((item, index): PredictedItem => {
      return { ...item, cluster: `${index}`, label: item.label && { ...item.label, weight: 1 } };
    });
    const passed = labelledOf(items).map((each) => each.passed);
    const mean = passed.reduce((sum, each) => sum + each, 0) / passed.length;
    const variance = passed.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (passed.length - 1);
    const found = predictionPoweredRate(items, { lambda: 0 });
    expect(found?.standardError).toBeCloseTo(Math.sqrt(variance / passed.length), 12);
  });

  it('chooses the lambda with the smallest standard error', () => {
    const items = sample();
    const tuned = predictionPoweredRate(items);
    expect(tuned?.lambda).toBeGreaterThan(0);
    expect(tuned?.lambda).toBeLessThan(1);
    const others = Array.from({ length: 101 }, (_, step) => standardError(items, step / 100));
    expect(tuned?.standardError).toBeLessThanOrEqual(Math.min(...others) + 1e-12);
    expect(tuned?.standardError).toBeGreaterThan(Math.min(...others) - 1e-4);
  });

  it('takes nothing from predictions that are the same for all, or worse than none, or not needed', () => {
    const same = sample().map((item) => ({ ...item, prediction: 0.5 }));
    const opposite = sample({ errs: 0.95 });
    const all = sample({ labelled: () => true }).map((item) => {
      return { ...item, label: item.label && { ...item.label, weight: 1 } };
    });
    expect([same, opposite, all].map((items) => predictionPoweredRate(items)?.lambda)).toEqual([0, 0, 0]);
  });

  it('is narrower the better the predictions are, but never a point', () => {
    const width = (errs: number) => {
      const [low = 0, high = 0] = predictionPoweredRate(sample({ errs }))?.interval ?? [];
      return high - low;
    };
    expect(width(0)).toBeLessThan(width(0.2));
    expect(width(0)).toBeGreaterThan(0.1);
  });

  it('says nothing by labels of fewer than three clusters', () => {
    expect(predictionPoweredRate(sample({ labelled: (index) => index % 20 < 2 }))).toBeNull();
    expect(predictionPoweredRate(sample({ labelled: () => false }))).toBeNull();
    expect(predictionPoweredRate([])).toBeNull();
  });

  it('has an interval around the rate, from 0 to 1', () => {
    const label = fc.option(fc.record({ passed: fc.boolean(), weight: fc.double({ min: 1, max: 50, noNaN: true }) }));
    const item = fc.record({
      cluster: fc.integer({ min: 0, max: 9 }).map(String),
      prediction: fc.double({ min: 0, max: 1, noNaN: true }),
      label,
    });
    fc.assert(
      fc.property(fc.array(item, { maxLength: 40 }), (items) => {
        const found = predictionPoweredRate(items);
        if (!found) return;
        const { rate, interval } = found;
        expect(interval[0]).toBeGreaterThanOrEqual(0);
        expect(interval[0]).toBeLessThanOrEqual(rate);
        expect(interval[1]).toBeGreaterThanOrEqual(rate);
        expect(interval[1]).toBeLessThanOrEqual(1);
        expect(interval[1] - interval[0]).toBeGreaterThan(0);
      }),
    );
  });
});
