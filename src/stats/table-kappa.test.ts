import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cohenKappa } from './cohen-kappa.ts';
import { tableKappa } from './table-kappa.ts';

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
