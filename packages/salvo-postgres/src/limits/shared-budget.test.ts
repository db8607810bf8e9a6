import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PaidCall } from '../../../salvo/src/models/budget/budget.ts';
import { createVirtualTime, type VirtualTime } from '../../test/limits/virtual-time.ts';
import { exchange } from './budget-account.ts';
import { type BudgetAccount, newAccount } from './budget-account-schema.ts';
import { createSharedBudget, type SharedBudget } from './shared-budget.ts';

/** Processes that keep one budget, with a bank that takes its time and forgets the dead after ten seconds. */
function createBureau(limitUsd: number, { delayMs = 2, time = createVirtualTime() } = {}) {
  const account = newAccount(limitUsd);
  const lastHeard = new Map<string, number>();
  const exchanges = { count: 0 };
  function join(id: string): SharedBudget & { kill(): void } {
    let isDead = false;
    const bank = {
      async exchange(statement: Parameters<typeof exchange>[2]) {
        await time.sleep(delayMs);
        if (isDead) return new Promise<never>(() => {});
        lastHeard.set(id, time.nowMs());
        exchanges.count += 1;
        const isAlive = (other: string) => time.nowMs() - (lastHeard.get(other) ?? 0) < 10_000;
        // Through JSON, as in a database. Twice, as when an answer is lost.
        const given = JSON.stringify({ account, statement });
        const first = { ...JSON.parse(given) };
        exchange(first.account, id, first.statement, { nowMs: time.nowMs(), isAlive });
        const answer = exchange(first.account, id, first.statement, { nowMs: time.nowMs(), isAlive });
        Object.assign(account, first.account);
        await time.sleep(delayMs);
        return isDead ? new Promise<never>(() => {}) : answer;
      },
    };
    const budget = createSharedBudget({ bank, isHeard: () => true, after: time.after });
    const renew = (): void => {
      if (isDead) return;
      lastHeard.set(id, time.nowMs());
      if (
        Object.entries(account.members).some(([other, { waits_until }]) => other !== id && waits_until > time.nowMs())
      )
        budget.giveBack();
      time.after(1000, renew);
    };
    time.after(1000, renew);
    return Object.assign(budget, {
      kill() {
        isDead = true;
      },
    });
  }
  return { account, join, time, exchanges };
}

const call = (changes: Partial<PaidCall> = {}): PaidCall => {
  return { kind: 'agent', place: 0, estimateUsd: null, mostUsd: null, ...changes };
};

interface Work {
  kind: number;
  calls: { usd: number; slack: number | null; outcome: 'paid' | 'refused' | 'lost'; ms: number; kind: string }[];
}

/** Takes jobs until there are none. Returns when this process has given everything back. */
async function perform(
  budget: SharedBudget,
  queue: Iterator<Work>,
  options: { concurrency: number; time: VirtualTime; bill: Bill; isDead?: () => boolean },
): Promise<void> {
  const { concurrency, time, bill, isDead = () => false } = options;
  const never = new Promise<never>(() => {});
  const take = async (): Promise<void> => {
    for (let next = queue.next(); !next.done; next = queue.next()) {
      const { kind, calls } = next.value;
      const trial = await budget.reserve(kind);
      if (isDead()) return never;
      if (!trial) {
        bill.refusedTrials += 1;
        continue;
      }
      bill.trials += 1;
      bill.atOnce += 1;
      bill.mostAtOnce = Math.max(bill.mostAtOnce, bill.atOnce);
      for (const { usd, slack, outcome, ms, kind: ofCall } of calls) {
        const mostUsd = slack === null ? null : usd * slack;
        const admitted = await trial.admit(async () => call({ kind: ofCall, mostUsd })).catch(() => null);
        if (isDead()) return never;
        if (!admitted) break;
        await time.sleep(ms);
        // A process dies while a call is under way: here, the call is never charged.
        if (isDead()) return never;
        if (outcome === 'refused') admitted.notPaid();
        else if (outcome === 'lost') {
          const charged = Math.min(usd, bill.known.get(ofCall) ?? mostUsd ?? 0);
          bill.add(charged);
          admitted.maybePaid();
        } else {
          bill.add(usd);
          bill.known.set(ofCall, Math.max(usd, bill.known.get(ofCall) ?? 0));
          admitted.paid(usd);
        }
      }
      bill.atOnce -= 1;
      trial.release();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, take));
  await budget[Symbol.asyncDispose]();
}

class Bill {
  spent = 0;
  highest = 0;
  trials = 0;
  refusedTrials = 0;
  atOnce = 0;
  mostAtOnce = 0;
  readonly known = new Map<string, number>();
  add(usd: number): void {
    this.spent += usd;
    this.highest = Math.max(this.highest, usd);
  }
}

const plain = (usd: number, ms = 100, slack: number | null = 2): Work => ({
  kind: 0,
  calls: [{ usd, slack, outcome: 'paid', ms, kind: 'agent' }],
});

async function performAll(limitUsd: number, jobs: Work[], workers: number, concurrency: number) {
  const bureau = createBureau(limitUsd);
  const bill = new Bill();
  const queue = jobs.values();
  const budgets = Array.from({ length: workers }, (_, at) => bureau.join(`w${at}`));
  const all = budgets.map((budget) => perform(budget, queue, { concurrency, time: bureau.time, bill }));
  await bureau.time.passUntil(Promise.all(all));
  return { ...bureau, bill, refusals: budgets.map(({ refusal }) => refusal) };
}

function leased(account: BudgetAccount): number {
  return Object.values(account.members).reduce((sum, { for_calls, for_trials }) => sum + for_calls + for_trials, 0);
}

describe('a budget that several processes keep together', () => {
  it('is used up to the last trial that fits, and everyone is told what all have spent', async () => {
    const { bill, refusals, account } = await performAll(0.1, Array(50).fill(plain(0.004)), 3, 4);
    expect(bill).toMatchObject({ trials: 25, refusedTrials: 25 });
    expect(new Set(refusals)).toEqual(new Set(['another trial could exceed the budget of $0.1; $0.10 is spent']));
    expect(leased(account)).toBeCloseTo(0);
  });

  it('lets the first trial run alone, over all processes', async () => {
    const { bill, time } = await performAll(10, Array(6).fill(plain(0.01, 5000)), 3, 2);
    expect(bill).toMatchObject({ trials: 6, mostAtOnce: 5 });
    expect(time.nowMs()).toBeGreaterThan(10_000);
  });

  it('asks the bank far less often than there are trials', async () => {
    const { bill, exchanges } = await performAll(100, Array(3000).fill(plain(0.01, 500)), 3, 10);
    expect(bill.trials).toBe(3000);
    expect(exchanges.count).toBeLessThan(300);
  });

  it('sends calls that nothing limits one at a time, over all processes', async () => {
    const { bill, time } = await performAll(100, Array(12).fill(plain(0.01, 1000, null)), 3, 2);
    expect(bill.trials).toBe(12);
    expect(time.nowMs()).toBeGreaterThan(12_000);
  });

  it('makes no exchange for trials that cost nothing, once that is known', async () => {
    const { bill, exchanges } = await performAll(1, Array(300).fill(plain(0)), 3, 2);
    expect(bill.trials).toBe(300);
    expect(exchanges.count).toBeLessThan(20);
  });

  it('uses nothing of what it gives back before the bank has answered', async () => {
    const { join, time } = createBureau(100, { delayMs: 100 });
    const budget = join('a');
    const pass = <T>(promise: Promise<T>): Promise<T> => time.passUntil(promise).then(() => promise);
    const trial = await pass(budget.reserve(0));
    const admit = (mostUsd: number) => budget.admit(async () => call({ mostUsd }));
    for (let number = 0; number < 3; number += 1) (await pass(admit(1))).paid(0.5);
    const underWay = await pass(admit(1));
    await pass(time.sleep(10_000));
    budget.giveBack();
    // The statement is on its way.
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
    const bureau = createBureau(0.1);
    const bill = new Bill();
    const dying = bureau.join('dying');
    const jobs = Array<Work>(40).fill(plain(0.004)).values();
    let isDead = false;
    const lost = perform(dying, jobs, { concurrency: 2, time: bureau.time, bill, isDead: () => isDead });
    await bureau.time.passUntil(bureau.time.sleep(450));
    isDead = true;
    dying.kill();
    void lost;
    const heir = bureau.join('heir');
    await bureau.time.passUntil(perform(heir, jobs, { concurrency: 2, time: bureau.time, bill }));
    expect(heir.refusal).toMatch(
      /another trial could exceed the budget of \$0.1; .* is held back for workers that were lost$/,
    );
    expect(bill.spent).toBeLessThanOrEqual(0.1);
    expect(bill.spent).toBeGreaterThan(0.05);
  });

  it('is exceeded by no more than one call, and never left unused: any prices, kinds, failures, deaths, delays', async () => {
    const cents = (most: number) => fc.integer({ min: 0, max: most * 100 }).map((number) => number / 10_000);
    const someCall = fc.record({
      kind: fc.constantFrom('agent', 'judge'),
      usd: fc.oneof(cents(1), cents(200)),
      slack: fc.option(fc.double({ min: 1, max: 50, noNaN: true })),
      outcome: fc.constantFrom('paid' as const, 'paid' as const, 'paid' as const, 'refused' as const, 'lost' as const),
      ms: fc.integer({ min: 0, max: 3000 }),
    });
    const someTrial = fc.record({ kind: fc.integer({ min: 0, max: 2 }), calls: fc.array(someCall, { maxLength: 4 }) });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 3000 }).map((number) => number / 1000),
        fc.array(someTrial, { maxLength: 40 }),
        fc.array(
          fc.record({
            concurrency: fc.integer({ min: 1, max: 50 }),
            diesAt: fc.option(fc.integer({ min: 0, max: 20_000 }), { freq: 3 }),
          }),
          { minLength: 1, maxLength: 5 },
        ),
        fc.integer({ min: 0, max: 300 }),
        async (limit, trials, workers, delayMs) => {
          const bureau = createBureau(limit, { delayMs });
          const bill = new Bill();
          const queue = trials.values();
          const survivors = workers.map(({ concurrency, diesAt }, at) => {
            const budget = bureau.join(`w${at}`);
            let isDead = false;
            const done = perform(budget, queue, { concurrency, time: bureau.time, bill, isDead: () => isDead });
            if (diesAt === null) return done;
            const death = bureau.time.sleep(diesAt).then(() => {
              isDead = true;
              budget.kill();
            });
            return Promise.race([death, done]);
          });
          await bureau.time.passUntil(Promise.all(survivors));
          expect(bill.spent).toBeLessThanOrEqual(limit + bill.highest + 1e-9);
          // The next process gets all that is left, as soon as the dead are forgotten.
          await bureau.time.passUntil(bureau.time.sleep(11_000));
          const last = bureau.join('last');
          await bureau.time.passUntil(perform(last, [plain(0)].values(), { concurrency: 1, time: bureau.time, bill }));
          const { spent, held, lost, members, refused, trials: highest } = bureau.account;
          for (const kind of Object.keys(refused)) {
            const needed = highest[kind] ?? Math.max(0, ...Object.values(highest));
            expect(spent + held + lost + needed).toBeGreaterThan(limit - 1e-9);
          }
          const alive = Object.values(members).filter(({ is_lost }) => !is_lost);
          expect(alive.reduce((sum, { for_calls, for_trials }) => sum + for_calls + for_trials, 0)).toBeLessThan(1e-9);
          if (workers.every(({ diesAt }) => diesAt === null)) {
            expect(lost).toBe(0);
            expect(spent + held).toBeGreaterThanOrEqual(bill.spent - 1e-9);
          }
        },
      ),
      { numRuns: 150 },
    );
  });
});
