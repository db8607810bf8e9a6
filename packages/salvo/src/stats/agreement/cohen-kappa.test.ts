import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cohenKappa, tableKappa } from './cohen-kappa.ts';

/** Two raters' labels from a table of how often they gave each pair of them. */
function fromTable(table: readonly (readonly number[])[]): { a: number[]; b: number[] } {
  const pairs = table.flatMap((row, x) => row.flatMap((count, y) => Array.from({ length: count }, () => [x, y])));
  return { a: pairs.map(([x = 0]) => x), b: pairs.map(([, y = 0]) => y) };
}

const label = fc.integer({ min: 0, max: 3 });
const pairs = fc.array(fc.tuple(label, label), { minLength: 2, maxLength: 40 });
const left = <T>(both: [T, T][]) => both.map(([a]) => a);
const right = <T>(both: [T, T][]) => both.map(([, b]) => b);

describe('cohenKappa', () => {
  it.each([
    {
      // Observed 35/50 = 0.7; by chance 25/50 * 30/50 + 25/50 * 20/50 = 0.5; (0.7 - 0.5) / (1 - 0.5).
      name: 'of two readers of grant proposals',
      table: [
        [20, 5],
        [10, 15],
      ],
      kappa: 0.4,
    },
    {
      // Observed 0.6; by chance 0.6 * 0.7 + 0.4 * 0.3 = 0.54; 0.06 / 0.46.
      name: 'of equal agreement by lucky margins',
      table: [
        [45, 15],
        [25, 15],
      ],
      kappa: 0.06 / 0.46,
    },
    {
      // Observed 0.6; by chance 0.6 * 0.3 + 0.4 * 0.7 = 0.46; 0.14 / 0.54.
      name: 'of equal agreement against the margins',
      table: [
        [25, 35],
        [5, 35],
      ],
      kappa: 0.14 / 0.54,
    },
    {
      // Cohen (1968): observed 0.70; by chance 0.6 * 0.5 + 0.3 * 0.3 + 0.1 * 0.2 = 0.41; 0.29 / 0.59 = 0.49.
      name: 'of three diagnoses',
      table: [
        [44, 7, 9],
        [5, 20, 5],
        [1, 3, 6],
      ],
      kappa: 0.29 / 0.59,
    },
  ])('$name is $kappa', ({ table, kappa }) => {
    const { a, b } = fromTable(table);
    expect(cohenKappa(a, b)).toBeCloseTo(kappa, 12);
  });

  it('is exactly 1 for perfect agreement, and -1 for perfect disagreement on two equal halves', () => {
    expect(cohenKappa(['x', 'y', 'x'], ['x', 'y', 'x'])).toBe(1);
    expect(cohenKappa([true, false], [false, true])).toBe(-1);
  });

  it('is exactly 0 when one rater says the same of everything: it distinguished nothing', () => {
    expect(cohenKappa([true, true, true, true], [true, false, true, false])).toBe(0);
  });

  it('is null, never NaN, when both always say the same or there are fewer than two items', () => {
    expect(cohenKappa([true, true], [true, true])).toBeNull();
    expect(cohenKappa([], [])).toBeNull();
    expect(cohenKappa(['x'], ['y'])).toBeNull();
  });

  it('refuses ratings of different items', () => {
    expect(() => cohenKappa([1], [1, 2])).toThrow(RangeError);
  });

  it('lies within -1 and 1, and the order of the raters does not matter', () => {
    fc.assert(
      fc.property(pairs, (both) => {
        const kappa = cohenKappa(left(both), right(both));
        expect(cohenKappa(right(both), left(both))).toBe(kappa);
        fc.pre(kappa !== null);
        expect(kappa).toBeLessThanOrEqual(1);
        expect(kappa).toBeGreaterThanOrEqual(-1);
      }),
    );
  });

  it('depends neither on the names of the labels nor on the order of the items', () => {
    const names = ['pear', 'fig', 'plum', 'apple'];
    const named = (labels: number[]) => labels.map((each) => names[each] ?? '');
    fc.assert(
      fc.property(pairs, (both) => {
        const kappa = cohenKappa(left(both), right(both));
        expect(cohenKappa(named(left(both)), named(right(both)))).toBe(kappa);
        expect(cohenKappa(left(both.toReversed()), right(both.toReversed()))).toBe(kappa);
      }),
    );
  });
});

describe('tableKappa', () => {
  it('is the kappa of the answers that were counted', () => {
    const count = fc.integer({ min: 0, max: 12 });
    fc.assert(
      fc.property(fc.tuple(count, count, count, count), (counts) => {
        const cells = counts.flatMap((times, cell) => Array<number>(times).fill(cell));
        fc.pre(cells.length >= 2);
        const first = cells.map((cell) => cell === 0 || cell === 1);
        const second = cells.map((cell) => cell === 0 || cell === 2);
        expect(tableKappa(counts)).toBe(cohenKappa(first, second));
      }),
    );
  });

  it('of nothing is unknown', () => {
    expect(tableKappa([0, 0, 0, 0])).toBeNull();
  });
});
