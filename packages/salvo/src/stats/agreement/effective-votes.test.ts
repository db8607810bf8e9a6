import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../seeded-random.ts';
import { effectiveVotes } from './effective-votes.ts';

/** Errors of six judges on many items, each right with the same chance. */
function panel({ right, copies = false, items = 4000 }: { right: number; copies?: boolean; items?: number }) {
  const random = seededRandom('panel', right, String(copies));
  return Array.from({ length: items }, () => {
    const first = random() >= right;
    return Array.from({ length: 6 }, (_, judge) => (copies || judge === 0 ? first : random() >= right));
  });
}

describe('effectiveVotes', () => {
  it.each([0.5, 0.7, 0.95])('of six judges that err independently, each right in %d, is about six', (right) => {
    expect(effectiveVotes(panel({ right }))?.worth).toBeGreaterThan(5.6);
  });

  it.each([0.5, 0.7, 0.95])('of copies of one judge that is right in %d is one', (right) => {
    expect(effectiveVotes(panel({ right, copies: true }))).toMatchObject({
      votes: 6,
      worth: expect.closeTo(1, 9),
      errorCorrelation: expect.closeTo(1, 9),
    });
  });

  it('lies between for judges that share some of their errors', () => {
    const random = seededRandom('shared');
    const errors = Array.from({ length: 4000 }, () => {
      const difficult = random() < 0.2;
      return Array.from({ length: 4 }, () => random() < (difficult ? 0.7 : 0.05));
    });
    const { worth, errorCorrelation } = effectiveVotes(errors) ?? { worth: 0, errorCorrelation: 0 };
    expect(errorCorrelation).toBeCloseTo(0.46, 1);
    expect(worth).toBeCloseTo(4 / (1 + 3 * errorCorrelation), 9);
  });

  it('is never below one or above the number of votes', () => {
    const vote = fc.option(fc.boolean(), { nil: null });
    const rows = fc
      .integer({ min: 2, max: 6 })
      .chain((votes) =>
        fc.array(fc.array(vote, { minLength: votes, maxLength: votes }), { minLength: 5, maxLength: 30 }),
      );
    fc.assert(
      fc.property(rows, (errors) => {
        const found = effectiveVotes(errors);
        fc.pre(found !== null);
        expect(found?.worth).toBeGreaterThanOrEqual(1 - 1e-9);
        expect(found?.worth).toBeLessThanOrEqual((found?.votes ?? 0) + 1e-9);
      }),
    );
  });

  it('is the same for items and votes in another order', () => {
    const errors = panel({ right: 0.7, items: 40 });
    const turned = errors.toReversed().map((row) => row.toReversed());
    expect(effectiveVotes(turned)?.worth).toBeCloseTo(effectiveVotes(errors)?.worth ?? Number.NaN, 9);
  });

  it('is unknown for one vote, without errors, and with errors on fewer than five items', () => {
    expect(effectiveVotes([[true], [false], [true], [true], [true], [true]])).toBeNull();
    expect(effectiveVotes(Array(50).fill([false, false]))).toBeNull();
    expect(effectiveVotes([...Array(50).fill([false, false]), ...Array(4).fill([true, false])])).toBeNull();
    expect(effectiveVotes([])).toBeNull();
  });
});
