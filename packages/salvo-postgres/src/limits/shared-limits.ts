import { type AdapterContext, adapterIdentity, adapterLimits, adapterOptionsOf, adapterType } from 'salvo/kit/adapters';
import {
  type BudgetReport,
  budgetStateSchema,
  createLimiter,
  type EarlierSpending,
  isMoneyWanted,
  type LimitTable,
  type LockedLimit,
  learnTrial,
  newBudgetState,
  renewLease,
  type SharedLimits,
} from 'salvo/kit/models';
import type { Work } from 'salvo/kit/queue';
import { contentHash, memoByKey } from 'salvo/kit/text';
import { joinLimits } from './heartbeat.ts';
import { areRequestsWanted, leaseRequests, type RequestReport, requestLimitSchema } from './request-limit.ts';
import { SharedBudget } from './shared-budget.ts';
import { SharedLimiter } from './shared-limiter.ts';

/** The limits of this process's work, which it keeps together with all processes of the table. */
export function openSharedLimits(table: LimitTable): SharedLimits {
  const member = joinLimits(table);
  const { update, isReachable } = member;
  const parts: AsyncDisposable[] = [];
  /** Gives back what others want, for as long as the part is open. */
  function opened<Part extends AsyncDisposable & { giveBack(): void }>(name: string, part: Part): Part {
    const unwatch = member.watch(name, () => part.giveBack());
    parts.push({ [Symbol.asyncDispose]: () => part[Symbol.asyncDispose]().then(unwatch) });
    return part;
  }
  /** A process may have several parts of one limit. */
  const nextId = (): string => `${member.id}.${parts.length}`;
  return {
    budgetOf(work, limitUsd) {
      const name = budgetName(work);
      const id = nextId();
      const renew = (report: BudgetReport) =>
        update(name, (row) => {
          const state = budgetStateIn(row, limitUsd);
          const result = renewLease(state, id, report, processesOf(row));
          // Its coordinator has closed the budget, and a process that is late opens no other.
          const isOver = row.state === null && report.requests.length === 0;
          return isOver ? { result } : { state, isWanted: isMoneyWanted(state, row.nowMs), result };
        });
      return opened(name, new SharedBudget({ isReachable, renewLease: renew }));
    },
    limitersOf(context) {
      return memoByKey((adapter) => {
        const given = adapterLimits(adapter, context);
        const { max_concurrency = null, requests_per_minute = null } = given;
        const hasNone = max_concurrency === null && requests_per_minute === null;
        // A model in this process has nothing in common with those of other machines.
        if (hasNone || adapterType(adapter, context) === 'llama') return createLimiter(given);
        const name = providerName(adapter, context);
        const id = nextId();
        const lease = (report: RequestReport) =>
          update(name, (row) => {
            const state = requestLimitSchema.parse(row.state ?? {});
            const result = leaseRequests(state, id, report, processesOf(row));
            return { state, isWanted: areRequestsWanted(state, row.nowMs), result };
          });
        const limits = { max_concurrency, requests_per_minute };
        return opened(name, new SharedLimiter({ limits, isReachable, leaseRequests: lease }));
      });
    },
    async [Symbol.asyncDispose]() {
      // What cannot be given back is lost with this process.
      await Promise.allSettled(parts.map((part) => part[Symbol.asyncDispose]()));
      await member[Symbol.asyncDispose]();
    },
  };
}

/** Sets the budget of a run or an experiment, and what it has spent so far. Only its coordinator may. */
export async function openSharedBudget(
  table: LimitTable,
  work: Work,
  { limitUsd, spentUsd, highest = new Map() }: { limitUsd: number } & EarlierSpending,
): Promise<void> {
  await table.update(budgetName(work), (row) => {
    const state = budgetStateIn(row, limitUsd);
    state.limit = limitUsd;
    state.refused = {};
    // What is stored is known better than what lost workers reported, unless some still work.
    state.spent = Math.max(state.spent, spentUsd);
    if (!Object.keys(state.members).some(processesOf(row).isAlive)) {
      Object.assign(state, { lost: 0, open: null, members: {} });
    }
    for (const [kind, usd] of highest) learnTrial(state, kind, usd);
    return { state, isWanted: isMoneyWanted(state, row.nowMs), result: undefined };
  });
}

export async function closeSharedBudget(table: LimitTable, work: Work): Promise<void> {
  await table.remove(budgetName(work));
}

function budgetStateIn({ state }: LockedLimit, limitUsd: number) {
  return state === null ? newBudgetState(limitUsd) : budgetStateSchema.parse(state);
}

/** The table knows which processes are alive, and a limit knows their parts. */
function processesOf({ nowMs, isAlive }: LockedLimit) {
  return { nowMs, isAlive: (part: string) => isAlive(part.split('.', 1)[0] ?? part) };
}

/** The number is that of the form of its state, so that versions of Salvo with different forms do not read each other's. */
function budgetName({ kind, id }: Work): string {
  return `budget/1/${kind}/${id}`;
}

/** Adapters are the same if they have the same name, the same settings, and their key from the same variable. */
function providerName(adapter: string, context: AdapterContext): string {
  const options = adapterOptionsOf(adapter, context);
  const key = options && 'api_key_env' in options ? options.api_key_env : undefined;
  const parts = [adapter, adapterIdentity(adapter, context), key ?? null];
  return `provider/2/${contentHash(parts).slice(0, 32)}`;
}
