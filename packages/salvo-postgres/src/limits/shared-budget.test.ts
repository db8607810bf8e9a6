import { describe, expect, it } from 'vitest';
import { Bill, expectLimitKept, performTrials, type SimulatedTrial } from '../../../../test/limits/simulated-work.ts';
import { createVirtualTime } from '../../../../test/limits/virtual-time.ts';
import type { PaidCall } from '../../../salvo/src/models/budget/budget.ts';
import {
  type BudgetReport,
  type BudgetState,
  isMoneyWanted,
  newBudgetState,
  renewLease,
} from '../../../salvo/src/models/budget/budget-state.ts';
import { heldForUnpriced } from '../../../salvo/src/models/budget/known-costs.ts';
import { SharedBudget } from './shared-budget.ts';

/** Processes that keep one budget, with a database that takes its time and forgets the dead after ten seconds. */
function createProcesses(limitUsd: number, { delayMs = 2, time = createVirtualTime() } = {}) {
  const state = newBudgetState(limitUsd);
  const lastBeat = new Map<string, number>();
  const renewals = { count: 0 };
  function join(id: string): SharedBudget & { kill(): void } {
    let isDead = false;
    const budget = new SharedBudget({
      isReachable: () => true,
      after: time.after,
      async renewLease(report: BudgetReport) {
        await time.sleep(delayMs);
        if (isDead) return new Promise<never>(() => {});
        lastBeat.set(id, time.nowMs());
        renewals.count += 1;
        const isAlive = (other: string) => time.nowMs() - (lastBeat.get(other) ?? 0) < 10_000;
        // Through JSON, as in a database. Twice, as when an answer is lost.
        const given = JSON.parse(JSON.stringify({ state, report }));
        renewLease(given.state, id, given.report, { nowMs: time.nowMs(), isAlive });
        const renewed = renewLease(given.state, id, given.report, { nowMs: time.nowMs(), isAlive });
        Object.assign(state, given.state);
        await time.sleep(delayMs);
        return isDead ? new Promise<never>(() => {}) : renewed;
      },
    });
    const beat = (): void => {
      if (isDead) return;
      lastBeat.set(id, time.nowMs());
      const others = Object.entries(state.members).filter(([other]) => other !== id);
      if (isMoneyWanted({ ...state, members: Object.fromEntries(others) }, time.nowMs())) budget.giveBack();
      time.after(1000, beat);
    };
    time.after(1000, beat);
    return Object.assign(budget, {
      kill() {
        isDead = true;
      },
    });
  }
  return { state, join, time, renewals };
}

const call = (changes: Partial<PaidCall> = {}): PaidCall => {
  return { kind: 'agent', place: 0, estimateUsd: null, mostUsd: null, ...changes };
};

const plain = (usd: number, ms = 100, slack: number | null = 2): SimulatedTrial => ({
  kind: 0,
  isBeside: false,
  calls: [{ usd, slack, outcome: 'paid', ms, kind: 'agent' }],
});

async function performAll(limitUsd: number, trials: SimulatedTrial[], workers: number, concurrency: number) {
  const processes = createProcesses(limitUsd);
  const bill = new Bill();
  const queue = trials.values();
  const budgets = Array.from({ length: workers }, (_, at) => processes.join(`w${at}`));
  const all = budgets.map((budget) => performTrials(budget, queue, { concurrency, time: processes.time, bill }));
  await processes.time.passUntil(Promise.all(all));
  return { ...processes, bill, refusals: budgets.map(({ refusal }) => refusal) };
}

function leased(members: BudgetState['members'][string][]): number {
  return members.reduce((sum, { for_calls, for_trials }) => sum + for_calls + for_trials, 0);
}

describe('a budget that several processes keep together', () => {
  it('is used up to the last trial that fits, and everyone is told what all have spent', async () => {
    const { bill, refusals, state } = await performAll(0.1, Array(50).fill(plain(0.004)), 3, 4);
    expect(bill).toMatchObject({ trials: 25, refusedTrials: 25 });
    expect(new Set(refusals)).toEqual(new Set(['another trial could exceed the budget of $0.1; $0.10 is spent']));
    expect(leased(Object.values(state.members))).toBeCloseTo(0);
  });

  it('lets the first trial run alone, over all processes', async () => {
    const { bill, time } = await performAll(10, Array(6).fill(plain(0.01, 5000)), 3, 2);
    expect(bill).toMatchObject({ trials: 6, mostAtOnce: 5 });
    expect(time.nowMs()).toBeGreaterThan(10_000);
  });

  it('asks the database far less often than there are trials', async () => {
    const { bill, renewals } = await performAll(100, Array(3000).fill(plain(0.01, 500)), 3, 10);
    expect(bill.trials).toBe(3000);
    expect(renewals.count).toBeLessThan(300);
  });

  it('sends calls that nothing limits one at a time, over all processes', async () => {
    const { bill, time } = await performAll(100, Array(12).fill(plain(0.01, 1000, null)), 3, 2);
    expect(bill.trials).toBe(12);
    expect(time.nowMs()).toBeGreaterThan(12_000);
  });

  it('renews no lease for trials that cost nothing, once that is known', async () => {
    const { bill, renewals } = await performAll(1, Array(300).fill(plain(0)), 3, 2);
    expect(bill.trials).toBe(300);
    expect(renewals.count).toBeLessThan(20);
  });

  it('uses nothing of what it gives back before the database has answered', async () => {
    const { join, time } = createProcesses(100, { delayMs: 100 });
    const budget = join('a');
    const pass = <T>(promise: Promise<T>): Promise<T> => time.passUntil(promise).then(() => promise);
    const trial = await pass(budget.reserve(0));
    const admit = (mostUsd: number) => budget.admit(async () => call({ mostUsd }));
    for (let number = 0; number < 3; number += 1) (await pass(admit(1))).paid(0.5);
    const underWay = await pass(admit(1));
    await pass(time.sleep(10_000));
    budget.giveBack();
    // The report is on its way.
    await pass(time.sleep(60));
    underWay.paid(0.5);
    let isStarted = false;
    const next = admit(2).then((admitted) => {
      isStarted = true;
      return admitted;
    });
    await pass(time.sleep(150));
    expect(isStarted).toBe(false);
    (await pass(next)).paid(0.5);
    trial?.release();
  });

  it('holds back what a dead process had leased, and says so', async () => {
    const processes = createProcesses(0.1);
    const bill = new Bill();
    const dying = processes.join('dying');
    const jobs = Array<SimulatedTrial>(40).fill(plain(0.004)).values();
    let isDead = false;
    const lost = performTrials(dying, jobs, { concurrency: 2, time: processes.time, bill, isDead: () => isDead });
    await processes.time.passUntil(processes.time.sleep(450));
    isDead = true;
    dying.kill();
    void lost;
    const heir = processes.join('heir');
    await processes.time.passUntil(performTrials(heir, jobs, { concurrency: 2, time: processes.time, bill }));
    expect(heir.refusal).toMatch(
      /another trial could exceed the budget of \$0.1; .* is held back for workers that were lost$/,
    );
    expect(bill.spent).toBeLessThanOrEqual(0.1);
    expect(bill.spent).toBeGreaterThan(0.05);
  });

  it('is exceeded by no more than one call, and never left unused: any prices, kinds, failures, deaths, delays', async () => {
    await expectLimitKept(createProcesses, {
      processes: 5,
      numRuns: 150,
      async check({ processes: { state, time, join }, bill, limitUsd, isAnyDead }) {
        // The next process gets all that is left, as soon as the dead are forgotten.
        await time.passUntil(time.sleep(11_000));
        await time.passUntil(performTrials(join('last'), [plain(0)].values(), { concurrency: 1, time, bill }));
        const { spent, lost, members, refused, trials: highest } = state;
        const held = state.held + heldForUnpriced(state);
        for (const kind of Object.keys(refused)) {
          const needed = highest[kind] ?? Math.max(0, ...Object.values(highest));
          expect(spent + held + lost + needed).toBeGreaterThan(limitUsd - 1e-9);
        }
        expect(leased(Object.values(members).filter(({ is_lost }) => !is_lost))).toBeLessThan(1e-9);
        if (isAnyDead) return;
        expect(lost).toBe(0);
        expect(spent + held).toBeGreaterThanOrEqual(bill.spent - 1e-9);
      },
    });
  });
});
