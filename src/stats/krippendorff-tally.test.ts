import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { krippendorffAlpha } from './krippendorff-alpha.ts';
import { createKrippendorffTally } from './krippendorff-tally.ts';

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
