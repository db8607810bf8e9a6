import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../seeded-random.ts';
import { cohenKappa } from './cohen-kappa.ts';
import { kappaEstimate } from './kappa-interval.ts';

/** The interval for items that are independent and count the same. */
function kappaInterval(a: readonly boolean[], b: readonly boolean[], random: () => number) {
  const items = a.map((first, index) => ({ first, second: b[index] === true, cluster: `${index}`, weight: 1 }));
  return kappaEstimate(items, random)?.interval ?? null;
}

/** Two raters from how often both say yes, only the first, only the second, neither. */
function raters(...counts: [both: number, onlyA: number, onlyB: number, neither: number]) {
  const cells = counts.flatMap((count, cell) => Array<number>(count).fill(cell));
  return { a: cells.map((cell) => cell === 0 || cell === 1), b: cells.map((cell) => cell === 0 || cell === 2) };
}

describe('kappaEstimate', () => {
  it('is near the interval of the large-sample formula', () => {
    // Kappa 0.4 on 200 items; standard error sqrt(0.7 * 0.3 / 200) / (1 - 0.5) = 0.0648.
    const { a, b } = raters(80, 20, 40, 60);
    const [low, high] = kappaInterval(a, b, seededRandom(1)) ?? [Number.NaN, Number.NaN];
    expect(low).toBeCloseTo(0.4 - 1.96 * 0.0648, 1);
    expect(high).toBeCloseTo(0.4 + 1.96 * 0.0648, 1);
  });

  it('is the same for the same seed', () => {
    const { a, b } = raters(12, 3, 4, 9);
    expect(kappaInterval(a, b, seededRandom(7))).toEqual(kappaInterval(a, b, seededRandom(7)));
    expect(kappaInterval(a, b, seededRandom(7))).not.toEqual(kappaInterval(a, b, seededRandom(8)));
  });

  it('narrows with more items of the same kind', () => {
    const width = (times: number) => {
      const { a, b } = raters(8 * times, 2 * times, 3 * times, 7 * times);
      const [low, high] = kappaInterval(a, b, seededRandom(3)) ?? [0, 0];
      return high - low;
    };
    expect(width(10)).toBeLessThan(width(1));
  });

  it('does not claim to be sure of raters who happened to agree on all of a few items', () => {
    const few = raters(10, 0, 0, 10);
    const many = raters(500, 0, 0, 500);
    const [low, high] = kappaInterval(few.a, few.b, seededRandom(1)) ?? [0, 0];
    expect(low).toBeGreaterThan(0.5);
    expect(low).toBeLessThan(0.9);
    expect(high).toBe(1);
    expect(kappaInterval(many.a, many.b, seededRandom(1))?.[0]).toBeGreaterThan(0.98);
  });

  it('contains the truth about 19 times in 20, with as few as 20 items', () => {
    const random = seededRandom('coverage');
    const rounds = 300;
    let held = 0;
    for (let round = 0; round < rounds; round += 1) {
      // Each says yes half of the time, and they differ on one of 20: kappa 0.9.
      const a = Array.from({ length: 20 }, () => random() < 0.5);
      const b = a.map((said) => (random() < 0.05 ? !said : said));
      const [low, high] = kappaInterval(a, b, random) ?? [0, 0];
      held += low <= 0.9 && 0.9 <= high ? 1 : 0;
    }
    expect(held / rounds).toBeGreaterThan(0.93);
  });

  it('is unknown where kappa is', () => {
    expect(kappaInterval([], [], seededRandom(1))).toBeNull();
    expect(kappaInterval([true, true, true], [true, true, true], seededRandom(1))).toBeNull();
  });

  it('lies within -1 and 1 and contains kappa itself', () => {
    const count = fc.integer({ min: 0, max: 6 });
    fc.assert(
      fc.property(fc.tuple(count, count, count, count), (counts) => {
        const { a, b } = raters(...counts);
        const interval = kappaInterval(a, b, seededRandom(5));
        fc.pre(interval !== null);
        const kappa = cohenKappa(a, b) ?? Number.NaN;
        expect(interval[0]).toBeLessThanOrEqual(kappa);
        expect(interval[1]).toBeGreaterThanOrEqual(kappa);
        expect(interval[0]).toBeGreaterThanOrEqual(-1);
        expect(interval[1]).toBeLessThanOrEqual(1);
      }),
      { numRuns: 30 },
    );
  });

  it('tells as much as the clusters do, if the items of a cluster are alike', () => {
    const two = Array.from({ length: 30 }, (_, index) => {
      return { first: index < 15, second: index < 15, cluster: index < 15 ? 'a' : 'b', weight: 1 };
    });
    expect(kappaEstimate(two, seededRandom(1))?.kappa).toBe(1);
    expect(kappaEstimate(two, seededRandom(1))?.interval[0]).toBeLessThan(0);
  });

  it('says nothing beyond a single cluster', () => {
    const items = [true, false, true].map((first) => ({ first, second: first, cluster: 'a', weight: 1 }));
    expect(kappaEstimate(items, seededRandom(1))).toEqual({ kappa: 1, interval: [-1, 1], worth: 0 });
  });

  it('contains the truth about 19 times in 20 if a rater errs by cluster', () => {
    const random = seededRandom('clusters');
    const rounds = 200;
    let held = 0;
    for (let round = 0; round < rounds; round += 1) {
      // Twelve clusters of five items. The second rater says the opposite in one cluster of five: kappa 0.6.
      const items = Array.from({ length: 12 }, (_, cluster) => {
        const isWrong = random() < 0.2;
        return Array.from({ length: 5 }, () => {
          const first = random() < 0.5;
          return { first, second: first !== isWrong, cluster: `${cluster}`, weight: 1 };
        });
      }).flat();
      const [low, high] = kappaEstimate(items, random)?.interval ?? [0, 0];
      held += low <= 0.6 && 0.6 <= high ? 1 : 0;
    }
    expect(held / rounds).toBeGreaterThan(0.92);
  });

  it('weighs items by how many they stand for', () => {
    const random = seededRandom(1);
    const item = (first: boolean, second: boolean, weight: number, cluster: string) => ({
      first,
      second,
      weight,
      cluster,
    });
    const weighted = [item(true, true, 3, 'a'), item(false, false, 2, 'b'), item(true, false, 1, 'c')];
    const repeated = weighted.flatMap((each) => Array.from({ length: each.weight }, () => ({ ...each, weight: 1 })));
    expect(kappaEstimate(weighted, random)?.kappa).toBeCloseTo(kappaEstimate(repeated, random)?.kappa ?? 0, 12);
  });
});
