import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clusterBootstrap } from './cluster-bootstrap.ts';
import { seededRandom } from './seeded-random.ts';

const average = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const intervalOf = (clusters: readonly number[], seed = 1, resamples = 500) =>
  clusterBootstrap({ clusters, metrics: (drawn) => [average(drawn)], random: seededRandom(seed), resamples })?.[0];

describe('clusterBootstrap', () => {
  it('of fewer than two clusters is unknown', () => {
    expect(intervalOf([])).toBeUndefined();
    expect(intervalOf([0.5])).toBeUndefined();
  });

  it('contains the metric itself and never leaves the range of the clusters', () => {
    const clusters = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 2, maxLength: 30 });
    fc.assert(
      fc.property(clusters, fc.integer(), (values, seed) => {
        const [low, high] = intervalOf(values, seed, 50) ?? [Number.NaN, Number.NaN];
        expect(low).toBeLessThanOrEqual(average(values));
        expect(high).toBeGreaterThanOrEqual(average(values));
        expect(low).toBeGreaterThanOrEqual(Math.min(...values) - 1e-12);
        expect(high).toBeLessThanOrEqual(Math.max(...values) + 1e-12);
      }),
    );
  });

  it('is the same with the same random numbers, and another with others', () => {
    const values = Array.from({ length: 20 }, (_, index) => Math.sin(index));
    expect(intervalOf(values, 7)).toEqual(intervalOf(values, 7));
    expect(intervalOf(values, 7)).not.toEqual(intervalOf(values, 8));
  });

  it('is a point when all clusters are alike', () => {
    expect(intervalOf([0.25, 0.25, 0.25])).toEqual([0.25, 0.25]);
  });

  it('draws whole clusters', () => {
    const clusters = [
      [1, 2],
      [3, 4],
    ];
    const samples: (readonly number[])[][] = [];
    clusterBootstrap({
      clusters,
      metrics(drawn) {
        samples.push([...drawn]);
        return [0];
      },
      random: seededRandom(1),
      resamples: 20,
    });
    expect(samples.length).toBeGreaterThanOrEqual(20);
    for (const drawn of samples) {
      expect(drawn).toHaveLength(2);
      for (const cluster of drawn) expect(clusters).toContain(cluster);
    }
  });

  it('gives every metric its own interval from the same draws', () => {
    const values = [0, 0.2, 0.9, 1];
    const [plain, twice] =
      clusterBootstrap({
        clusters: values,
        metrics: (drawn) => [average(drawn), 2 * average(drawn)],
        random: seededRandom(3),
      }) ?? [];
    expect(twice).toEqual(plain?.map((bound) => 2 * bound));
  });

  it('contains the truth about 19 times in 20', () => {
    let held = 0;
    for (let sample = 0; sample < 200; sample += 1) {
      const random = seededRandom('truth', sample);
      const [low, high] = intervalOf(
        Array.from({ length: 60 }, () => (random() < 0.4 ? 1 : 0)),
        sample,
        400,
      ) ?? [1, 0];
      if (low <= 0.4 && high >= 0.4) held += 1;
    }
    expect(held).toBeGreaterThan(178);
    expect(held).toBeLessThan(200);
  });

  it.each([0, -1, 1.5, Number.NaN])('refuses %s resamples', (resamples) => {
    expect(() => intervalOf([0, 1], 1, resamples)).toThrow(RangeError);
  });
});
