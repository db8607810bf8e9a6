import fc from 'fast-check';
import { expect } from 'vitest';
import type { Budget } from '../../packages/salvo/src/models/budget/budget.ts';
import type { VirtualTime } from './virtual-time.ts';

/** Processes that keep one budget. */
export interface BudgetProcesses {
  time: VirtualTime;
  join(id: string): ProcessBudget;
}

interface ProcessBudget extends Budget, AsyncDisposable {
  /** The process does nothing any more, and tells nobody. */
  kill(): void;
}

export interface SimulatedTrial {
  kind: number;
  /** Its calls are not paid for by its reservation. */
  isBeside: boolean;
  calls: { usd: number; slack: number | null; outcome: 'paid' | 'refused' | 'lost'; ms: number; kind: string }[];
}

/** What a provider charges, and what it saw of trials. */
export class Bill {
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

/** Takes trials until there are none. Returns when this process has given everything back. */
export async function performTrials(
  budget: Budget & AsyncDisposable,
  queue: Iterator<SimulatedTrial>,
  options: { concurrency: number; time: VirtualTime; bill: Bill; isDead?: () => boolean },
): Promise<void> {
  const { concurrency, time, bill, isDead = () => false } = options;
  const never = new Promise<never>(() => {});
  const take = async (): Promise<void> => {
    for (let next = queue.next(); !next.done; next = queue.next()) {
      const { kind, isBeside, calls } = next.value;
      const trial = await budget.reserve(kind);
      if (isDead()) return never;
      if (!trial) {
        bill.refusedTrials += 1;
        continue;
      }
      bill.trials += 1;
      bill.atOnce += 1;
      bill.mostAtOnce = Math.max(bill.mostAtOnce, bill.atOnce);
      let cost = 0;
      for (const { usd, slack, outcome, ms, kind: ofCall } of calls) {
        // How far its upper limit is above its cost; null for none.
        const mostUsd = slack === null ? null : usd * slack;
        const call = { kind: ofCall, place: 0, estimateUsd: null, mostUsd };
        const admitted = await (isBeside ? budget : trial).admit(async () => call).catch(() => null);
        if (isDead()) return never;
        if (!admitted) break;
        await time.sleep(ms);
        // A process dies while a call is under way: here, the call is never charged.
        if (isDead()) return never;
        if (outcome === 'refused') admitted.notPaid();
        else if (outcome === 'lost') {
          // Nobody knows what it cost: here, no more than the most expensive such call that is known.
          bill.add(Math.min(usd, bill.known.get(ofCall) ?? mostUsd ?? 0));
          cost += admitted.maybePaid();
        } else {
          bill.add(usd);
          bill.known.set(ofCall, Math.max(usd, bill.known.get(ofCall) ?? 0));
          cost += admitted.paid(usd);
        }
      }
      bill.atOnce -= 1;
      trial.release(isBeside ? cost : undefined);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, take));
  await budget[Symbol.asyncDispose]();
}

const cents = (most: number) => fc.integer({ min: 0, max: most * 100 }).map((number) => number / 10_000);

const someCall = fc.record({
  kind: fc.constantFrom('agent', 'judge'),
  usd: fc.oneof(cents(1), cents(200)),
  slack: fc.option(fc.double({ min: 1, max: 50, noNaN: true })),
  outcome: fc.constantFrom('paid' as const, 'paid' as const, 'paid' as const, 'refused' as const, 'lost' as const),
  ms: fc.integer({ min: 0, max: 3000 }),
});

const someTrial: fc.Arbitrary<SimulatedTrial> = fc.record({
  kind: fc.integer({ min: 0, max: 2 }),
  isBeside: fc.boolean(),
  calls: fc.array(someCall, { maxLength: 4 }),
});

/**
 * The limit is exceeded by no more than one call: any prices, kinds, failures, deaths and delays. `check` is called at
 * the end of each simulation.
 */
export async function expectLimitKept<T extends BudgetProcesses>(
  create: (limitUsd: number, options: { delayMs: number }) => T,
  options: { processes: number; numRuns: number; check?: (given: Checked<T>) => Promise<void> },
): Promise<void> {
  const someProcess = fc.record({
    concurrency: fc.integer({ min: 1, max: 50 }),
    diesAt: options.processes === 1 ? fc.constant(null) : fc.option(fc.integer({ min: 0, max: 20_000 }), { freq: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 3000 }).map((number) => number / 1000),
      fc.array(someTrial, { maxLength: 40 }),
      fc.array(someProcess, { minLength: 1, maxLength: options.processes }),
      fc.integer({ min: 0, max: 300 }),
      async (limitUsd, trials, members, delayMs) => {
        const processes = create(limitUsd, { delayMs });
        const { time } = processes;
        const bill = new Bill();
        const queue = trials.values();
        const survivors = members.map(({ concurrency, diesAt }, at) => {
          const budget = processes.join(`w${at}`);
          let isDead = false;
          const done = performTrials(budget, queue, { concurrency, time, bill, isDead: () => isDead });
          if (diesAt === null) return done;
          const death = time.sleep(diesAt).then(() => {
            isDead = true;
            budget.kill();
          });
          return Promise.race([death, done]);
        });
        await time.passUntil(Promise.all(survivors));
        expect(bill.spent).toBeLessThanOrEqual(limitUsd + bill.highest + 1e-9);
        const isAnyDead = members.some(({ diesAt }) => diesAt !== null);
        await options.check?.({ processes, bill, limitUsd, isAnyDead });
      },
    ),
    { numRuns: options.numRuns },
  );
}

interface Checked<T> {
  processes: T;
  bill: Bill;
  limitUsd: number;
  isAnyDead: boolean;
}
