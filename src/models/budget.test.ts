import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBudget } from './budget.ts';

async function spendTrials(limit: number, costs: number[], concurrency: number) {
  const budget = createBudget(limit);
  const queue = costs.entries();
  let spent = 0;
  let ran = 0;
  const work = async () => {
    for (const [, cost] of queue) {
      const reservation = await budget.reserve(0);
      if (!reservation) return;
      ran += 1;
      await Promise.resolve();
      if (reservation.mayRequest()) {
        reservation.spend(cost);
        spent += cost;
      }
      reservation.release();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return { spent, ran, refusal: budget.refusal };
}

describe('a budget', () => {
  it('lets everything run when there is no limit', async () => {
    const budget = createBudget(null);
    const reservation = await budget.reserve(0);
    reservation?.spend(null);
    expect(reservation?.mayRequest()).toBe(true);
    expect(budget.refusal).toBeNull();
  });

  it('starts no trial that could exceed it', async () => {
    const { spent, ran, refusal } = await spendTrials(0.01, Array(10).fill(0.004), 4);
    expect(ran).toBe(2);
    expect(spent).toBeCloseTo(0.008);
    expect(refusal).toContain('exceed the budget of $0.01');
  });

  it('can be spent to the last cent', async () => {
    expect((await spendTrials(0.3, Array(10).fill(0.1), 3)).ran).toBe(3);
  });

  it('is never exceeded by trials that cost no more than the most expensive before them', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.double({ min: 0.001, max: 0.1, noNaN: true }),
        fc.double({ min: 0.1, max: 2, noNaN: true }),
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 40 }),
        fc.integer({ min: 1, max: 8 }),
        async (highest, limit, shares, concurrency) => {
          const costs = [highest, ...shares.map((share) => share * highest)];
          expect((await spendTrials(limit, costs, concurrency)).spent).toBeLessThanOrEqual(limit + 1e-9);
        },
      ),
    );
  });

  it('counts what a resumed run has spent before', async () => {
    const budget = createBudget(1, { spentUsd: 1 });
    expect(await budget.reserve(0)).toBeNull();
  });

  it('knows of a resumed run what a trial of each kind may cost, so that several start at once', async () => {
    const budget = createBudget(1, { spentUsd: 0.4, highest: new Map([[0, 0.3]]) });
    const trials = await Promise.all([budget.reserve(0), budget.reserve(0)]);
    for (const trial of trials) {
      expect(trial).not.toBeNull();
      trial?.spend(0.3);
      trial?.release();
    }
    expect(await budget.reserve(0)).toBeNull();
  });

  it('starts no trial of a new kind when what is left is less than an earlier trial cost', async () => {
    const budget = createBudget(1, { spentUsd: 0.8, highest: new Map([[0, 0.3]]) });
    expect(await budget.reserve(1)).toBeNull();
  });

  it('stops a trial that goes beyond every trial before it when the next request could exceed the limit', async () => {
    const budget = createBudget(1);
    const first = await budget.reserve(0);
    first?.spend(0.3);
    first?.release();
    const second = await budget.reserve(0);
    second?.spend(0.3);
    expect(second?.mayRequest()).toBe(true);
    second?.spend(0.3);
    expect(second?.mayRequest()).toBe(false);
  });

  it('stops even the first trial before a request that may exceed it', async () => {
    const budget = createBudget(1);
    const first = await budget.reserve(0);
    first?.spend(0.6);
    expect(first?.mayRequest()).toBe(false);
  });

  it('expects of each request the highest cost at its place in the conversation', async () => {
    const budget = createBudget(1);
    const first = await budget.reserve(0);
    first?.spend(0.4);
    first?.spend(0.1);
    first?.release();
    const second = await budget.reserve(0);
    second?.spend(0.4);
    expect(second?.mayRequest()).toBe(true);
  });

  it('learns nothing from a trial that got no answer: the next one is a probe again', async () => {
    const budget = createBudget(1);
    (await budget.reserve(0))?.release();
    const probe = await budget.reserve(0);
    let started = false;
    const waiting = budget.reserve(0).then((reservation) => {
      started = true;
      return reservation;
    });
    await Promise.resolve();
    expect(started).toBe(false);
    probe?.spend(0.5);
    probe?.release();
    expect(await waiting).not.toBeNull();
  });

  it('holds back what each request under way may cost', async () => {
    const budget = createBudget(0.75);
    const probe = await budget.reserve(0);
    probe?.spend(0.2);
    probe?.release();
    const trials = await Promise.all([budget.reserve(0), budget.reserve(0)]);
    for (const trial of trials) trial?.spend(0.15);
    // Half a dollar is spent: another request of 0.2 can be paid for, and not two at once.
    expect(trials.map((trial) => trial?.mayRequest())).toEqual([true, false]);
  });

  it('fails closed when a cost is unknown', async () => {
    const budget = createBudget(1);
    const first = await budget.reserve(0);
    first?.spend(null);
    expect(first?.mayRequest()).toBe(false);
    first?.release();
    expect(await budget.reserve(0)).toBeNull();
    expect(budget.refusal).toContain('unknown');
  });

  it('says why a cost is unknown, and otherwise how much is spent', async () => {
    const unknown = createBudget(1);
    const first = await unknown.reserve(0);
    expect(first?.unknownCost).toBeNull();
    first?.spend(null, 'a reply had no token counts');
    expect(first?.unknownCost).toBe('a reply had no token counts');
    expect(unknown.refusal).toBe('the budget cannot be kept: a reply had no token counts');
    const { refusal } = await spendTrials(0.01, Array(10).fill(0.004), 1);
    expect(refusal).toBe('another trial could exceed the budget of $0.01; $0.008 is spent');
  });
});
