import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { passAtK, passHatK } from './pass-at-k.ts';

const draws = fc.integer({ min: 1, max: 300 }).chain((total) =>
  fc.record({
    total: fc.constant(total),
    passed: fc.integer({ min: 0, max: total }),
    k: fc.integer({ min: 1, max: total }),
  }),
);

/** The definition, in integers of any size. */
function choose(n: bigint, k: bigint): bigint {
  if (k > n) return 0n;
  let result = 1n;
  for (let i = 1n; i <= k; i += 1n) result = (result * (n - k + i)) / i;
  return result;
}

function ratio(part: bigint, whole: bigint): number {
  return Number((part * 10n ** 18n) / whole) / 1e18;
}

describe('pass@k and pass^k', () => {
  it.each([
    { total: 4, passed: 2, k: 2, at: 5 / 6, hat: 1 / 6 },
    { total: 10, passed: 3, k: 1, at: 0.3, hat: 0.3 },
    { total: 5, passed: 5, k: 5, at: 1, hat: 1 },
    { total: 5, passed: 0, k: 3, at: 0, hat: 0 },
    { total: 5, passed: 4, k: 5, at: 1, hat: 0 },
  ])('with $passed of $total passed and k = $k are $at and $hat', ({ at, hat, ...draw }) => {
    expect(passAtK(draw)).toBeCloseTo(at, 14);
    expect(passHatK(draw)).toBeCloseTo(hat, 14);
  });

  it('are exactly the pass rate for k = 1', () => {
    fc.assert(
      fc.property(draws, ({ total, passed }) => {
        expect(passAtK({ total, passed, k: 1 })).toBe(passed / total);
        expect(passHatK({ total, passed, k: 1 })).toBeCloseTo(passed / total, 13);
      }),
    );
  });

  it('equal their definition by binomial coefficients', () => {
    fc.assert(
      fc.property(draws, ({ total, passed, k }) => {
        const all = choose(BigInt(total), BigInt(k));
        expect(passHatK({ total, passed, k })).toBeCloseTo(ratio(choose(BigInt(passed), BigInt(k)), all), 11);
        expect(passAtK({ total, passed, k })).toBeCloseTo(
          1 - ratio(choose(BigInt(total - passed), BigInt(k)), all),
          11,
        );
      }),
    );
  });

  it('are chances, pass^k at most the pass rate and pass@k at least', () => {
    fc.assert(
      fc.property(draws, ({ total, passed, k }) => {
        const at = passAtK({ total, passed, k });
        const hat = passHatK({ total, passed, k });
        expect(hat).toBeGreaterThanOrEqual(0);
        expect(at).toBeLessThanOrEqual(1);
        expect(hat).toBeLessThanOrEqual(passed / total + 1e-12);
        expect(at).toBeGreaterThanOrEqual(passed / total - 1e-12);
      }),
    );
  });

  it('hold for a million trials', () => {
    expect(passHatK({ total: 1_000_000, passed: 999_999, k: 500_000 })).toBeCloseTo(0.5, 12);
    expect(passAtK({ total: 1_000_000, passed: 1, k: 500_000 })).toBeCloseTo(0.5, 12);
    expect(passAtK({ total: 1_000_000, passed: 500_000, k: 2 })).toBeCloseTo(0.75, 5);
    expect(passHatK({ total: 1_000_000, passed: 500_000, k: 500_000 })).toBe(0);
  });

  it('refuse more draws than there are trials', () => {
    expect(() => passAtK({ total: 2, passed: 1, k: 3 })).toThrow(RangeError);
    expect(() => passHatK({ total: 2, passed: 3, k: 1 })).toThrow(RangeError);
    expect(() => passHatK({ total: 2, passed: 1, k: 0 })).toThrow(RangeError);
    expect(() => passHatK({ total: 2, passed: 0.5, k: 1 })).toThrow(RangeError);
  });
});
