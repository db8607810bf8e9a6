import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cohenKappa } from './cohen-kappa.ts';
import { createKrippendorffTally, krippendorffAlpha } from './krippendorff-alpha.ts';

const _ = null;
const NOMINAL = { level: 'nominal' } as const;
const INTERVAL = { level: 'interval' } as const;

const rating = fc.option(fc.integer({ min: 0, max: 4 }), { freq: 4 });
const matrix = fc
  .integer({ min: 2, max: 5 })
  .chain((raters) =>
    fc.array(fc.array(rating, { minLength: raters, maxLength: raters }), { minLength: 1, maxLength: 20 }),
  );

describe('krippendorffAlpha', () => {
  it('is what Krippendorff (2011) publishes for four observers of twelve units', () => {
    const units = [
      [1, 1, _, 1],
      [2, 2, 3, 2],
      [3, 3, 3, 3],
      [3, 3, 3, 3],
      [2, 2, 2, 2],
      [1, 2, 3, 4],
      [4, 4, 4, 4],
      [1, 1, 2, 1],
      [2, 2, 2, 2],
      [_, 5, 5, 5],
      [_, _, 1, 1],
      [_, 3, _, _],
    ];
    expect(krippendorffAlpha(units, NOMINAL)).toBeCloseTo(0.743, 3);
    expect(krippendorffAlpha(units, INTERVAL)).toBeCloseTo(0.849, 3);
  });

  it('is what is known for three coders with more missing than not', () => {
    // The example of the encyclopedia: nominal 0.691, interval 0.811.
    const a = [_, _, _, _, _, 3, 4, 1, 2, 1, 1, 3, 3, _, 3];
    const b = [1, _, 2, 1, 3, 3, 4, 3, _, _, _, _, _, _, _];
    const c = [_, _, 2, 1, 3, 4, 4, _, 2, 1, 1, 3, 3, _, 4];
    const units = a.map((each, index) => [each, b[index] ?? null, c[index] ?? null]);
    expect(krippendorffAlpha(units, NOMINAL)).toBeCloseTo(0.691, 3);
    expect(krippendorffAlpha(units, INTERVAL)).toBeCloseTo(0.811, 3);
  });

  it('is exactly 1 for perfect agreement, however much is missing', () => {
    const units = [
      [0.25, 0.25, _],
      [_, 1, 1],
      [0.1, 0.1, 0.1],
    ];
    expect(krippendorffAlpha(units, NOMINAL)).toBe(1);
    expect(krippendorffAlpha(units, INTERVAL)).toBe(1);
  });

  it('is unknown when nothing can be compared, or all that can is the same', () => {
    for (const level of [NOMINAL, INTERVAL]) {
      expect(krippendorffAlpha([], level)).toBeNull();
      expect(
        krippendorffAlpha(
          [
            [1, _],
            [_, 2],
          ],
          level,
        ),
      ).toBeNull();
      expect(
        krippendorffAlpha(
          [
            [0.1, 0.1],
            [0.1, 0.1],
            [0.1, 0.1],
          ],
          level,
        ),
      ).toBeNull();
      expect(
        krippendorffAlpha(
          [
            [1, 1],
            [2, _],
          ],
          level,
        ),
      ).toBeNull();
    }
  });

  it('of labels does not depend on what they are called', () => {
    const renamed = [40, -3, 0.5, 7, 1000];
    fc.assert(
      fc.property(matrix, (units) => {
        const other = units.map((unit) => unit.map((each) => (each === null ? null : (renamed[each] ?? null))));
        expect(krippendorffAlpha(other, NOMINAL)).toBe(krippendorffAlpha(units, NOMINAL));
      }),
    );
  });

  it('of an interval scale does not depend on its zero and its unit', () => {
    fc.assert(
      fc.property(matrix, (units) => {
        const other = units.map((unit) => unit.map((each) => (each === null ? null : each / 4 - 3)));
        const alpha = krippendorffAlpha(units, INTERVAL);
        if (alpha === null) expect(krippendorffAlpha(other, INTERVAL)).toBeNull();
        else expect(krippendorffAlpha(other, INTERVAL)).toBeCloseTo(alpha, 10);
      }),
    );
  });

  it('is at most 1 and the same in any order of units and raters', () => {
    fc.assert(
      fc.property(matrix, fc.constantFrom(NOMINAL, INTERVAL), (units, level) => {
        const alpha = krippendorffAlpha(units, level);
        const turned = units.toReversed().map((unit) => unit.toReversed());
        expect(krippendorffAlpha(turned, level) === null).toBe(alpha === null);
        fc.pre(alpha !== null);
        expect(alpha).toBeLessThanOrEqual(1);
        expect(krippendorffAlpha(turned, level)).toBeCloseTo(alpha, 12);
      }),
    );
  });

  it('comes close to kappa with two raters and many units', () => {
    const a = Array.from({ length: 3000 }, (_, index) => index % 3);
    const b = a.map((each, index) => (index % 7 === 0 ? (each + 1) % 3 : each));
    const units = a.map((each, index) => [each, b[index] ?? null]);
    expect(krippendorffAlpha(units, NOMINAL)).toBeCloseTo(cohenKappa(a, b) ?? Number.NaN, 3);
  });
});

function tallied(units: readonly (readonly (number | null)[])[]): number | null {
  const tally = createKrippendorffTally();
  for (const unit of units) tally.add(unit);
  return tally.alpha();
}

const anyUnits = fc.array(fc.array(fc.option(fc.integer({ min: 0, max: 20 }).map((n) => n / 20)), { maxLength: 4 }), {
  maxLength: 12,
});

describe('createKrippendorffTally', () => {
  it('agrees with alpha over all units at once', () => {
    fc.assert(
      fc.property(anyUnits, (units) => {
        const atOnce = krippendorffAlpha(units, { level: 'interval' });
        const oneByOne = tallied(units);
        if (atOnce === null) expect(oneByOne).toBeNull();
        else expect(oneByOne).toBeCloseTo(atOnce, 9);
      }),
    );
  });

  it('is the same to the last bit in whatever order the units come', () => {
    fc.assert(
      fc.property(anyUnits, (units) => {
        expect(tallied(units.toReversed())).toBe(tallied(units));
      }),
    );
  });

  it('is null when no unit was rated twice, or every rating is the same', () => {
    expect(tallied([[1, null], [0]])).toBeNull();
    expect(
      tallied([
        [0.5, 0.5],
        [0.5, 0.5],
      ]),
    ).toBeNull();
    expect(tallied([])).toBeNull();
  });

  it('is 1 when raters always agree and items differ', () => {
    expect(
      tallied([
        [0, 0],
        [1, 1],
      ]),
    ).toBe(1);
  });
});
