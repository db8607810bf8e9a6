import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../seeded-random.ts';
import { clusterIntervals, DIFFERENCE } from './cluster-intervals.ts';

const average = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const intervalOf = (clusters: readonly number[], seed = 1) =>
  clusterIntervals({ clusters, metrics: (kept) => [average(kept)], random: seededRandom(seed) })?.[0];

interface Counts {
  of: number;
  found: number;
}
const share = (kept: readonly Counts[]) =>
  average(kept.flatMap(({ of, found }) => Array(of).fill(0).fill(1, 0, found)));
const shareInterval = (clusters: readonly Counts[]) =>
  clusterIntervals({ clusters, metrics: (kept) => [share(kept)], random: seededRandom(1) })?.[0];

describe('clusterIntervals', () => {
  it('of fewer than two clusters is unknown', () => {
    expect(intervalOf([])).toBeUndefined();
    expect(intervalOf([0.5])).toBeUndefined();
  });

  it('contains the metric itself and never leaves its range', () => {
    const clusters = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 2, maxLength: 30 });
    fc.assert(
      fc.property(clusters, (values) => {
        const [low, high] = intervalOf(values) ?? [Number.NaN, Number.NaN];
        expect(low).toBeLessThanOrEqual(average(values) + 1e-12);
        expect(high).toBeGreaterThanOrEqual(average(values) - 1e-12);
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('is the same in any order of up to 200 clusters', () => {
    const clusters = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 2, maxLength: 12 });
    fc.assert(
      fc.property(clusters, (values) => {
        const turned = intervalOf(values.toReversed(), 2);
        for (const [index, bound] of (intervalOf(values, 1) ?? []).entries()) {
          expect(turned?.[index]).toBeCloseTo(bound, 9);
        }
      }),
    );
  });

  it('is mirrored with the metric', () => {
    const [low = 0, high = 0] = intervalOf([0.1, 0.4, 0.3]) ?? [];
    const turned = intervalOf([0.9, 0.6, 0.7]);
    expect(turned?.[0]).toBeCloseTo(1 - high, 9);
    expect(turned?.[1]).toBeCloseTo(1 - low, 9);
  });

  it('is never certain because all clusters were alike', () => {
    // Wilson's intervals of 10 of 10 and of 0 of 10.
    expect(intervalOf(Array(10).fill(1))).toEqual([expect.closeTo(0.722, 3), 1]);
    expect(intervalOf(Array(10).fill(0))).toEqual([0, expect.closeTo(0.278, 3)]);
    expect(intervalOf(Array(10).fill(0.5))).toEqual([expect.closeTo(0.361, 3), expect.closeTo(0.639, 3)]);
  });

  it.each([200, 201, 1000, 20_000])(
    'of %i clusters that are alike is that of Wilson, and narrows with each',
    (size) => {
      const bound = 1.959964 ** 2 / (size + 1.959964 ** 2);
      expect(intervalOf(Array(size).fill(1))).toEqual([expect.closeTo(1 - bound, 6), 1]);
      expect(intervalOf(Array(size).fill(0))).toEqual([0, expect.closeTo(bound, 6)]);
    },
  );

  it('does not count silent clusters among very many that are alike', () => {
    const alike = Array.from({ length: 300 }, () => ({ of: 2, found: 2 }));
    const silent = Array.from({ length: 300 }, () => ({ of: 0, found: 0 }));
    expect(shareInterval([...alike, ...silent])).toEqual(shareInterval(alike));
  });

  it('is wider with one failure among very many than with none', () => {
    const [low = 1] = intervalOf([0, ...Array(4999).fill(1)]) ?? [];
    const [without = 0] = intervalOf(Array(5000).fill(1)) ?? [];
    expect(low).toBeLessThan(without);
    expect(low).toBeGreaterThan(0.998);
  });

  it('says almost nothing with two clusters that differ', () => {
    const [low = 1, high = 0] = intervalOf([0.3, 0.7]) ?? [];
    expect(low).toBeLessThan(0.01);
    expect(high).toBeGreaterThan(0.99);
  });

  it('gives every metric its own interval, in its own range', () => {
    const [rate, difference] =
      clusterIntervals({
        clusters: [0, 0.2, 0.9, 1],
        metrics: (kept) => [average(kept), 2 * average(kept) - 1],
        ranges: [undefined, DIFFERENCE],
        random: seededRandom(3),
      }) ?? [];
    expect(difference?.[0]).toBeCloseTo(2 * (rate?.[0] ?? Number.NaN) - 1, 9);
    expect(difference?.[1]).toBeCloseTo(2 * (rate?.[1] ?? Number.NaN) - 1, 9);
  });

  it('does not count clusters that say nothing about a metric', () => {
    const silent = { of: 0, found: 0 };
    const two = [
      { of: 4, found: 1 },
      { of: 6, found: 5 },
    ];
    expect(shareInterval([...two, silent, silent, silent])).toEqual(shareInterval(two));
    expect(shareInterval([{ of: 4, found: 1 }, silent, silent])).toBeNull();
    expect(shareInterval([silent, silent])).toBeNull();
  });

  it('leaves out whole clusters', () => {
    const clusters = [[1, 2], [3, 4], [5]];
    clusterIntervals({
      clusters,
      metrics(kept) {
        for (const cluster of kept) expect(clusters).toContain(cluster);
        return [0.5];
      },
      random: seededRandom(1),
    });
  });

  it('of very many clusters is computed by groups, and nearly the same for other groups', () => {
    const random = seededRandom('many');
    const values = Array.from({ length: 1500 }, () => random());
    let evaluations = 0;
    const [low = 0, high = 0] =
      clusterIntervals({
        clusters: values,
        metrics(kept) {
          evaluations += 1;
          return [average(kept)];
        },
        random: seededRandom(1),
      })?.[0] ?? [];
    expect(evaluations).toBe(401);
    // The standard error of the mean of 1500 numbers between 0 and 1 is 0.0075.
    expect(high - low).toBeGreaterThan(0.024);
    expect(high - low).toBeLessThan(0.035);
    expect(intervalOf(values, 2)?.[0]).toBeCloseTo(low, 2);
  });

  it.each([0.5, 0.99])('contains the truth of %d about 19 times in 20 with 300 clusters', (chance) => {
    let held = 0;
    const samples = 100;
    for (let sample = 0; sample < samples; sample += 1) {
      const random = seededRandom('many', chance, sample);
      const [low, high] = intervalOf(Array.from({ length: 300 }, () => Number(random() < chance))) ?? [1, 0];
      if (low <= chance && high >= chance) held += 1;
    }
    expect(held / samples).toBeGreaterThan(0.92);
  });

  it.each([3, 5, 10])('contains the truth about 19 times in 20 with %i clusters', (size) => {
    let held = 0;
    const samples = 400;
    for (let sample = 0; sample < samples; sample += 1) {
      const random = seededRandom('truth', size, sample);
      const clusters = Array.from({ length: size }, () => {
        // Clusters differ: half of them are easier.
        const chance = random() < 0.5 ? 0.9 : 0.6;
        const of = 5 + Math.floor(random() * 10);
        return { of, found: Array.from({ length: of }, () => random() < chance).filter(Boolean).length };
      });
      const [low, high] = shareInterval(clusters) ?? [1, 0];
      if (low <= 0.75 && high >= 0.75) held += 1;
    }
    expect(held / samples).toBeGreaterThan(0.92);
  });
});
