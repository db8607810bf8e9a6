import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BudgetReport, type BudgetState, budgetStateSchema, newBudgetState, renewLease } from './budget-state.ts';
import { heldForUnpriced, knownCostsSchema } from './known-costs.ts';

const report = (changes: Partial<BudgetReport> = {}): BudgetReport => ({
  ...{ spent: 0, held: 0, unknownCalls: 0, known: knownCostsSchema.parse({}) },
  ...{ running: 0, forTrials: 0, forCalls: 0, callsUnderWay: {}, open: null, requests: [] },
  ...changes,
});
const call = { type: 'call', kind: 'agent', place: 0, estimateUsd: null, mostUsd: null } as const;
const ALIVE = { nowMs: 0, isAlive: () => true };
const ONLY = (id: string) => ({ nowMs: 0, isAlive: (member: string) => member === id });

function totals(state: BudgetState) {
  const { spent, held, lost, unknown_calls, trials, calls } = state;
  return { spent, held: held + heldForUnpriced(state), lost, unknown_calls, trials, calls };
}

describe('a process that stops responding', () => {
  it('leaves its lease for calls held back, because nobody knows what it has spent', () => {
    const state = newBudgetState(1);
    renewLease(state, 'dead', report({ spent: 0.1, forCalls: 0.3, forTrials: 0.5, running: 1 }), ALIVE);
    const { lost: before } = state;
    renewLease(state, 'heir', report(), ONLY('heir'));
    expect(before).toBe(0);
    expect(state.lost).toBeGreaterThanOrEqual(0.3);
    expect(state.members.dead).toMatchObject({ is_lost: true, running: 0, for_trials: 0 });
  });

  it('gets its lease back if it was only paused', () => {
    const state = newBudgetState(1);
    renewLease(state, 'paused', report({ forCalls: 0.3 }), ALIVE);
    renewLease(state, 'other', report(), ONLY('other'));
    renewLease(state, 'paused', report({ spent: 0.3 }), ALIVE);
    expect(totals(state)).toMatchObject({ spent: 0.3, lost: 0 });
  });

  it('leaves the right to a call without an upper limit, and the call itself counts as one of unknown cost', () => {
    const state = newBudgetState(1);
    renewLease(state, 'dead', report({ requests: [call] }), ALIVE);
    const { decisions } = renewLease(state, 'heir', report({ requests: [call] }), ONLY('heir'));
    expect(decisions).toEqual([{ type: 'allowed', usd: 0, isOpen: true }]);
    const known = knownCostsSchema.parse({ calls: { agent: { highest: 0.2, places: { 0: 0.2 } } } });
    renewLease(state, 'heir', report({ spent: 0.2, known }), ONLY('heir'));
    expect(totals(state)).toMatchObject({ spent: 0.2, held: 0.2, unknown_calls: 1 });
  });
});

it('reads a state that an earlier version has stored', () => {
  const member = {
    ...{
      spent: 0.1,
      held: 0.2,
      unknown_calls: 2,
      kept: { agent: 1 },
      unheld: { agent: 2 },
      for_trials: 0.3,
      for_calls: 0.2,
    },
    ...{ running: 1, trust: { agent: 1 }, open: { kind: 'agent', most_usd: null }, is_lost: false, waits_until: 9 },
  };
  const earlier = {
    ...{
      limit: 1,
      spent: 0.1,
      held: 0.2,
      unknown_calls: 2,
      lost: 0,
      cannot_be_kept: null,
      trials: { 0: 0.1 },
      refused: {},
    },
    calls: { agent: { highest: 0.1, places: { 0: 0.1 }, kept: 1, exceeded: false, unheld: 2 } },
    ...{ open: 'a', members: { a: member } },
  };
  const state = budgetStateSchema.parse(earlier);
  // What was unknown is in `held` already.
  expect(totals(state)).toMatchObject({ spent: 0.1, held: 0.2, unknown_calls: 2 });
  expect(state.members.a).toMatchObject({ for_trials: 0.3, trust: { agent: 1 }, open: { kind: 'agent' } });
});

it('is the same in whatever order processes report, and however often', () => {
  const usd = fc.integer({ min: 0, max: 100 }).map((cents) => cents / 100);
  const someCosts = fc.record({
    highest: fc.option(usd),
    places: fc.dictionary(fc.constantFrom('0', '1'), usd),
    kept: fc.nat(5),
    exceeded: fc.boolean(),
    unpriced: fc.nat(3),
  });
  const someReport = fc.record({
    spent: usd,
    held: usd,
    unknownCalls: fc.nat(3),
    known: fc.record({
      trials: fc.dictionary(fc.constantFrom('0', '1'), usd),
      calls: fc.dictionary(fc.constantFrom('agent', 'judge'), someCosts),
    }),
  });
  const reports = fc
    .uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1 })
    .chain((ids) => fc.tuple(...ids.map((id) => fc.tuple(fc.constant(id), someReport))));
  fc.assert(
    fc.property(
      reports.chain((given) =>
        fc.tuple(fc.constant(given), fc.shuffledSubarray([...given, ...given], { minLength: 2 * given.length })),
      ),
      ([given, shuffled]) => {
        const apply = (list: typeof given): BudgetState => {
          const state = newBudgetState(100);
          for (const [id, { known, ...each }] of list) {
            renewLease(state, id, report({ ...each, known: knownCostsSchema.parse(known) }), ALIVE);
          }
          return state;
        };
        const [one, other] = [totals(apply(given)), totals(apply(shuffled))];
        expect(other).toMatchObject({ unknown_calls: one.unknown_calls, trials: one.trials, calls: one.calls });
        expect(other.spent).toBeCloseTo(one.spent);
        expect(other.held).toBeCloseTo(one.held);
      },
    ),
  );
});
