import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { effectiveSize } from './effective-size.ts';

/** Clusters of verdicts on yes or no, each with a weight. */
function sizeOf(clusters: readonly (readonly boolean[])[], weights: readonly number[] = []): number {
  const all = clusters.flatMap((verdicts, cluster) =>
    verdicts.map((said) => ({ said, cluster: `${cluster}`, weight: weights[cluster] ?? 1 })),
  );
  const weight = all.reduce((sum, each) => sum + each.weight, 0);
  const rate = all.reduce((sum, each) => sum + each.weight * Number(each.said), 0) / weight;
  return effectiveSize(all.map((each) => ({ ...each, influence: Number(each.said) - rate })));
}

const pass = (times: number) => Array.from({ length: times }, () => true);
const fail = (times: number) => Array.from({ length: times }, () => false);

describe('effectiveSize', () => {
  it('is the number of items if each is independent and counts the same', () => {
    expect(sizeOf([[true], [false], [true], [true]])).toBe(4);
    expect(sizeOf([])).toBe(0);
  });

  it('is at most the number of clusters if the items of a cluster are all the same', () => {
    const size = sizeOf([pass(10), fail(10), pass(10), fail(10), pass(10), fail(10)]);
    expect(size).toBeGreaterThan(2);
    expect(size).toBeLessThan(6);
  });

  it('is nearly the number of items if clusters are as mixed as all items', () => {
    const mixed = Array.from({ length: 50 }, () => [true, false]);
    expect(sizeOf(mixed)).toBeGreaterThan(90);
  });

  it('counts clusters if no item differs from another', () => {
    expect(sizeOf(Array.from({ length: 40 }, () => pass(5)))).toBeGreaterThan(35);
    expect(sizeOf(Array.from({ length: 40 }, () => pass(5)))).toBeLessThan(40);
  });

  it('is nothing for a single cluster, and little for a cluster that outweighs all others', () => {
    expect(sizeOf([pass(30)])).toBe(0);
    const alike = Array.from({ length: 30 }, (_, index) => [index % 2 === 0]);
    expect(sizeOf(alike, [1000])).toBeLessThan(2);
  });

  it('is never more than the items, and the same in units of any weight', () => {
    const clusters = fc.array(fc.array(fc.boolean(), { minLength: 1, maxLength: 6 }), { minLength: 2, maxLength: 12 });
    fc.assert(
      fc.property(clusters, fc.constantFrom(0.5, 4), (verdicts, unit) => {
        const size = sizeOf(verdicts);
        expect(size).toBeLessThanOrEqual(verdicts.flat().length);
        expect(size).toBeGreaterThan(0);
        expect(
          sizeOf(
            verdicts,
            verdicts.map(() => unit),
          ),
        ).toBeCloseTo(size, 6);
      }),
    );
  });
});
