import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decide } from './decide.ts';

const demand = (needed: number | null) => ({ needed, allowUnscored: false });

it('is decided by the share of all planned trials', () => {
  const shares = { planned: 5, held: 4, crashed: 0, unknown: 0 };
  expect(decide(shares, demand(0.8))).toBe('held');
  expect(decide(shares, demand(1))).toBe('not');
});

it('is unscored only if trials that are unknown could change it', () => {
  expect(decide({ planned: 5, held: 4, crashed: 0, unknown: 1 }, demand(0.8))).toBe('held');
  expect(decide({ planned: 5, held: 3, crashed: 0, unknown: 1 }, demand(0.8))).toBe('unscored');
  expect(decide({ planned: 5, held: 2, crashed: 0, unknown: 1 }, demand(0.8))).toBe('not');
  expect(decide({ planned: 0, held: 0, crashed: 0, unknown: 0 }, demand(0))).toBe('unscored');
});

it('leaves out what is unknown where that is allowed, as long as something is known', () => {
  expect(decide({ planned: 3, held: 2, crashed: 0, unknown: 1 }, { needed: 1, allowUnscored: true })).toBe('held');
  expect(decide({ planned: 3, held: 0, crashed: 0, unknown: 3 }, { needed: 1, allowUnscored: true })).toBe('unscored');
});

it('holds for .not only if every trial is known, ended, and did not do it', () => {
  expect(decide({ planned: 3, held: 0, crashed: 0, unknown: 0 }, demand(null))).toBe('held');
  expect(decide({ planned: 3, held: 0, crashed: 1, unknown: 0 }, demand(null))).toBe('not');
  expect(decide({ planned: 3, held: 0, crashed: 0, unknown: 1 }, demand(null))).toBe('unscored');
  expect(decide({ planned: 3, held: 1, crashed: 0, unknown: 1 }, demand(null))).toBe('not');
});

it('never lets a matcher and its .not hold together, and what is decided does not change as trials become known', () => {
  const shares = fc
    .record({ held: fc.nat(5), crashed: fc.nat(5), other: fc.nat(5), unknown: fc.nat(5) })
    .map(({ other, ...known }) => ({ ...known, planned: known.held + known.crashed + known.unknown + other }));
  fc.assert(
    fc.property(shares, fc.double({ min: 0.01, max: 1, noNaN: true }), fc.boolean(), (before, needed, holds) => {
      const isPositive = decide(before, demand(needed)) === 'held';
      expect(isPositive && decide(before, demand(null)) === 'held').toBe(false);
      if (before.unknown === 0) return;
      const after = { ...before, unknown: before.unknown - 1, held: before.held + (holds ? 1 : 0) };
      for (const share of [needed, null]) {
        const decided = decide(before, demand(share));
        if (decided !== 'unscored') expect(decide(after, demand(share))).toBe(decided);
      }
    }),
  );
});
