import { describe, expect, it } from 'vitest';
import {
  type AdmittedCall,
  type Budget,
  BudgetError,
  type CallBudget,
  type EarlierSpending,
  type PaidCall,
} from '../../packages/salvo/src/models/budget/budget.ts';

/** Opens a budget with a limit. */
export type OpenBudget = (limitUsd: number, earlier?: EarlierSpending) => Promise<Budget>;

const call = (changes: Partial<PaidCall> = {}): PaidCall => {
  return { kind: 'agent', place: 0, estimateUsd: null, mostUsd: null, ...changes };
};
const admit = (budget: CallBudget, changes: Partial<PaidCall> = {}): Promise<AdmittedCall> =>
  budget.admit(async () => call(changes));
const pay = async (budget: CallBudget, usd: number | null, changes: Partial<PaidCall> = {}): Promise<number> =>
  (await admit(budget, changes)).paid(usd);

/** Whether it is not settled after a time in which a database on the same machine has answered. */
async function isPending(promise: Promise<unknown>): Promise<boolean> {
  let pending = true;
  const settle = (): void => {
    pending = false;
  };
  promise.then(settle, settle);
  await new Promise((resolve) => setTimeout(resolve, 50));
  return pending;
}

async function spendTrials(budget: Budget, costs: number[], concurrency: number) {
  const queue = costs.values();
  let spent = 0;
  let ran = 0;
  const worker = async (): Promise<void> => {
    for (const cost of queue) {
      const reservation = await budget.reserve(0);
      if (!reservation) return;
      ran += 1;
      await Promise.resolve();
      await pay(reservation, cost);
      spent += cost;
      reservation.release();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return { spent, ran };
}

/** What a budget does, wherever its state is. */
export function budgetContract(where: string, open: OpenBudget): void {
  describe(`a budget for calls, ${where}`, () => {
    it('can be spent to the last cent', async () => {
      const budget = await open(0.3);
      for (let number = 0; number < 3; number += 1) await pay(budget, 0.1);
      await expect(admit(budget)).rejects.toThrow('another call could exceed the budget of $0.3; $0.30 is spent');
    });

    it('refuses a call when such a call has cost more than is left', async () => {
      const budget = await open(1);
      await pay(budget, 0.6);
      await expect(admit(budget)).rejects.toThrow(BudgetError);
      expect(budget.refusal).toBe('another call could exceed the budget of $1; $0.60 is spent');
    });

    it('refuses a call whose estimate is more than is left, when no such call was made before', async () => {
      const budget = await open(1);
      await expect(admit(budget, { estimateUsd: 1.5, mostUsd: 9 })).rejects.toThrow('$0.00 is spent');
    });

    it('expects of each request the highest cost at its place in the conversation', async () => {
      const budget = await open(1);
      await pay(budget, 0.4);
      await pay(budget, 0.1, { place: 1 });
      await pay(budget, 0.4);
      await pay(budget, 0.1, { place: 1 });
      await expect(admit(budget)).rejects.toThrow(BudgetError);
    });

    it('sends calls that nothing limits one at a time', async () => {
      const budget = await open(100);
      await pay(budget, 0.01);
      const first = await admit(budget);
      const second = admit(budget);
      expect(await isPending(second)).toBe(true);
      first.paid(40);
      (await second).paid(0.01);
    });

    it('sends calls side by side as long as the most that each can cost fits', async () => {
      const budget = await open(1);
      for (const usd of [0.1, 0, 0]) await pay(budget, usd, { mostUsd: 0.3 });
      const [first, second, third] = await Promise.all([1, 2, 3].map(() => admit(budget, { mostUsd: 0.3 })));
      // Three times 0.3 and what is spent are 1. A fourth call waits.
      const fourth = admit(budget, { mostUsd: 0.3 });
      expect(await isPending(fourth)).toBe(true);
      first?.paid(0.05);
      second?.paid(0.05);
      (await fourth).paid(0.3);
      third?.paid(0.3);
      expect(budget.refusal).toBeNull();
    });

    it('sends no more calls side by side than have kept to their limits before', async () => {
      const budget = await open(100);
      await pay(budget, 0.1, { mostUsd: 0.3 });
      // One holds back its limit. Beside it there may be one of which nothing is believed.
      const [first, second] = await Promise.all([1, 2].map(() => admit(budget, { mostUsd: 0.3 })));
      const third = admit(budget, { mostUsd: 0.3 });
      expect(await isPending(third)).toBe(true);
      first?.paid(0.1);
      second?.paid(0.1);
      (await third).paid(0.1);
    });

    it('no longer believes in the limit of a kind of calls when one of them was more expensive', async () => {
      const budget = await open(10);
      await pay(budget, 0.5, { mostUsd: 0.1 });
      const first = await admit(budget, { mostUsd: 0.1 });
      const second = admit(budget, { mostUsd: 0.1 });
      expect(await isPending(second)).toBe(true);
      first.notPaid();
      (await second).notPaid();
    });

    it('always lets calls through that cost nothing', async () => {
      const budget = await open(0.01);
      await pay(budget, 0.01);
      await pay(budget, null, { kind: 'local', mostUsd: 0 });
      expect(budget.refusal).toBeNull();
    });

    it('holds back the highest known cost of such a call for one whose cost is unknown, and says so', async () => {
      const budget = await open(1);
      await pay(budget, 0.4);
      (await admit(budget)).maybePaid();
      await expect(admit(budget)).rejects.toThrow('$0.40 is spent, and $0.40 is held back for a call of unknown cost');
    });

    it('holds back the most that it can cost, when no cost of such a call is known', async () => {
      const budget = await open(1);
      (await admit(budget, { mostUsd: 0.7 })).maybePaid();
      await expect(admit(budget, { estimateUsd: 0.4, mostUsd: 0.7 })).rejects.toThrow(
        'the budget of $1; $0.70 is held back for a call of unknown cost',
      );
    });

    it('holds it back later, when nothing at all is known about such calls', async () => {
      const budget = await open(1);
      (await admit(budget)).maybePaid();
      (await admit(budget)).maybePaid();
      await pay(budget, 0.3);
      await expect(admit(budget)).rejects.toThrow('$0.30 is spent, and $0.60 is held back for 2 calls of unknown cost');
    });

    it('fails closed when an answer has no cost and nothing is known to hold back', async () => {
      const budget = await open(1);
      (await admit(budget)).paid(null, 'a reply had no token counts');
      await expect(admit(budget)).rejects.toThrow('the budget cannot be kept: a reply had no token counts');
      expect(await budget.reserve(0)).toBeNull();
      expect(budget.refusal).toBe('the budget cannot be kept: a reply had no token counts');
    });

    it('charges nothing for a call that was refused', async () => {
      const budget = await open(0.1);
      for (let number = 0; number < 5; number += 1) (await admit(budget)).notPaid();
      await pay(budget, 0.1);
    });

    it('stops waiting when the call is given up', async () => {
      const budget = await open(1);
      const first = await admit(budget);
      const stop = new AbortController();
      const waiting = budget.admit(async () => call(), stop.signal);
      stop.abort(new Error('stopped'));
      await expect(waiting).rejects.toThrow('stopped');
      first.paid(0.1);
      await pay(budget, 0.1);
    });
  });

  describe(`a budget for trials, ${where}`, () => {
    it('starts no trial that could exceed it', async () => {
      const budget = await open(0.01);
      const { spent, ran } = await spendTrials(budget, Array(10).fill(0.004), 4);
      expect(ran).toBe(2);
      expect(spent).toBeCloseTo(0.008);
      expect(budget.refusal).toBe('another trial could exceed the budget of $0.01; $0.008 is spent');
    });

    it('counts what a resumed run has spent before', async () => {
      const budget = await open(1, { spentUsd: 1 });
      expect(await budget.reserve(0)).toBeNull();
    });

    it('knows of a resumed run what a trial of each kind may cost, so that several start at once', async () => {
      const budget = await open(1, { spentUsd: 0.4, highest: new Map([[0, 0.3]]) });
      const trials = await Promise.all([budget.reserve(0), budget.reserve(0)]);
      for (const trial of trials) {
        if (trial) await pay(trial, 0.3);
        trial?.release();
      }
      expect(await budget.reserve(0)).toBeNull();
    });

    it('expects of a new kind what the most expensive kind before it cost', async () => {
      const budget = await open(1, { spentUsd: 0.8, highest: new Map([[0, 0.3]]) });
      expect(await budget.reserve(1)).toBeNull();
    });

    it('learns nothing about other kinds from trials that cost nothing', async () => {
      const budget = await open(1, { spentUsd: 0, highest: new Map([[0, 0]]) });
      const first = await budget.reserve(1);
      const second = budget.reserve(1);
      expect(await isPending(second)).toBe(true);
      expect(await budget.reserve(0)).not.toBeNull();
      if (first) await pay(first, 0.2);
      first?.release();
      expect(await second).not.toBeNull();
    });

    it('refuses one kind and goes on with a cheaper one', async () => {
      const highest = new Map([
        [0, 0.3],
        [1, 0.1],
      ]);
      const budget = await open(1, { spentUsd: 0.8, highest });
      expect(await budget.reserve(0)).toBeNull();
      expect(await budget.reserve(1)).not.toBeNull();
    });

    it('learns nothing from a trial that got no answer: the next one runs alone again', async () => {
      const budget = await open(1);
      (await budget.reserve(0))?.release();
      const first = await budget.reserve(0);
      const second = budget.reserve(1);
      expect(await isPending(second)).toBe(true);
      if (first) await pay(first, 0.5);
      first?.release();
      expect(await second).not.toBeNull();
    });

    it('counts what is paid beside the reservation of a trial, as the calls of a game are', async () => {
      const budget = await open(1);
      const first = await budget.reserve(0);
      await pay(budget, 0.3);
      const next = [1, 2, 3].map(() => budget.reserve(0));
      expect(await isPending(Promise.any(next))).toBe(true);
      first?.release(0.3);
      const [second, third] = await Promise.all(next.slice(0, 2));
      expect([second, third]).not.toContain(null);
      expect(await isPending(Promise.resolve(next[2]))).toBe(true);
      for (const trial of [second, third]) {
        await pay(budget, 0.3);
        trial?.release(0.3);
      }
      expect(await next[2]).toBeNull();
    });

    it('knows which trial is not complete because of it', async () => {
      const budget = await open(1);
      const trial = await budget.reserve(0);
      expect(trial?.wasRefused).toBe(false);
      if (trial) {
        await pay(trial, 0.6);
        await expect(admit(trial)).rejects.toThrow(BudgetError);
      }
      expect(trial?.wasRefused).toBe(true);
    });
  });
}
