import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Cost, costSince, KILLED, NO_COST, sumCosts, UNKNOWN_CALL } from './cost.ts';

const anyCost: fc.Arbitrary<Cost> = fc.oneof(
  fc.integer({ min: 0, max: 1000 }).map((usd) => ({ usd })),
  fc
    .record({ usd: fc.integer({ min: 0, max: 1000 }), calls_unknown: fc.nat(20) })
    .map((at_least) => ({ usd: null, at_least })),
  fc.constantFrom(NO_COST, UNKNOWN_CALL, KILLED),
);

describe('a sum of costs', () => {
  test('is exact if all of it is known, and nothing costs nothing', () => {
    expect(sumCosts([{ usd: 0.1 }, { usd: 0.2 }, { usd: 0.7 }])).toEqual({ usd: 1 });
    expect(sumCosts([])).toEqual(NO_COST);
  });

  test('keeps what is known, and counts the calls that are not', () => {
    const costs = [{ usd: 2 }, UNKNOWN_CALL, { usd: null, at_least: { usd: 1, calls_unknown: 3 } }];
    expect(sumCosts(costs)).toEqual({ usd: null, at_least: { usd: 3, calls_unknown: 4 } });
  });

  test('is a lower bound after a kill', () => {
    const at_least = { usd: 4, calls_unknown: 0, killed: true };
    expect(sumCosts([{ usd: 4 }, KILLED])).toEqual({ usd: null, at_least });
  });

  test('is a lower bound, without a count, if nobody counted the calls', () => {
    expect(sumCosts([{ usd: 4 }, { usd: null }])).toEqual({ usd: null, at_least: { usd: 4, calls_unknown: 0 } });
  });

  test('is the same in every order and grouping', () => {
    fc.assert(
      fc.property(fc.array(anyCost), fc.array(anyCost), (some, others) => {
        const all = sumCosts([...some, ...others]);
        expect(sumCosts([...others, ...some].reverse())).toEqual(all);
        expect(sumCosts([sumCosts(some), sumCosts(others)])).toEqual(all);
      }),
    );
  });
});

test('what was added to a cost gives the later cost when it is added again', () => {
  fc.assert(
    fc.property(anyCost, anyCost, (before, added) => {
      const now = sumCosts([before, added]);
      expect(sumCosts([before, costSince(before, now)])).toEqual(now);
    }),
  );
});
