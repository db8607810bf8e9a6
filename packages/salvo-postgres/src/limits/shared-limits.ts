import { type AdapterContext, adapterIdentity, adapterLimits, adapterOptionsOf, adapterType } from 'salvo/kit/adapters';
import { createLimiter, type EarlierSpending, type Limiter, type SharedLimits } from 'salvo/kit/models';
import type { Ledger, Work } from 'salvo/kit/queue';
import { contentHash, memoByKey } from 'salvo/kit/text';
import { exchange, isWantedBy } from './budget-account.ts';
import { type BudgetAccount, budgetAccountSchema, newAccount } from './budget-account-schema.ts';
import { joinLedger, type Membership } from './membership.ts';
import { isAnyoneWaiting, newShares, providerSharesSchema, takeShare } from './provider-shares.ts';
import { createSharedBudget } from './shared-budget.ts';
import { createSharedLimiter } from './shared-limiter.ts';

/** Pages of another form have other names, so that versions of Salvo do not read each other's. */
const FORM = 1;

export function openSharedLimits(ledger: Ledger): SharedLimits {
  const membership = joinLedger(ledger);
  const parts: AsyncDisposable[] = [];
  return {
    budgetOf(work, limitUsd) {
      const part = leaseBudget(membership, `${membership.id}.${parts.length}`, { page: budgetPage(work), limitUsd });
      parts.push(part);
      return part;
    },
    limitersOf(context) {
      return memoByKey((adapter) => {
        const { max_concurrency = null, requests_per_minute = null } = adapterLimits(adapter, context);
        const limits = { max_concurrency, requests_per_minute };
        const hasNone = max_concurrency === null && requests_per_minute === null;
        // A model in this process has nothing in common with those of other machines.
        if (hasNone || adapterType(adapter, context) === 'llama') return createLimiter(adapterLimits(adapter, context));
        const page = providerPage(adapter, context);
        const part = shareLimits(membership, `${membership.id}.${parts.length}`, { page, limits });
        parts.push(part);
        return part;
      });
    },
    async [Symbol.asyncDispose]() {
      // What cannot be given back is lost with this process.
      await Promise.allSettled(parts.map((part) => part[Symbol.asyncDispose]()));
      await membership[Symbol.asyncDispose]();
    },
  };
}

/** Sets the limit of a run or an experiment, and what it has spent so far. Only its lead may. */
export async function openBudgetAccount(
  ledger: Ledger,
  work: Work,
  { limitUsd, spentUsd, highest = new Map() }: { limitUsd: number } & EarlierSpending,
): Promise<void> {
  await ledger.change(budgetPage(work), ({ state, nowMs, isAlive }) => {
    const account = state === null ? newAccount(limitUsd) : budgetAccountSchema.parse(state);
    account.limit = limitUsd;
    account.refused = {};
    // What is stored is known better than what lost workers said, unless some still work.
    account.spent = Math.max(account.spent, spentUsd);
    if (!Object.keys(account.members).some((member) => isAlive(processOf(member)))) {
      account.lost = 0;
      account.open = null;
      account.members = {};
    }
    for (const [kind, usd] of highest) account.trials[kind] = Math.max(usd, account.trials[kind] ?? 0);
    return { state: account, isWanted: isWantedBy(account, nowMs), result: undefined };
  });
}

export async function closeBudgetAccount(ledger: Ledger, work: Work): Promise<void> {
  await ledger.remove(budgetPage(work));
}

function leaseBudget(membership: Membership, id: string, { page, limitUsd }: { page: string; limitUsd: number }) {
  const budget = createSharedBudget({
    isHeard: membership.isHeard,
    bank: {
      exchange: (statement) =>
        membership.change(page, ({ state, nowMs, isAlive }) => {
          const account: BudgetAccount = state === null ? newAccount(limitUsd) : budgetAccountSchema.parse(state);
          const result = exchange(account, id, statement, {
            nowMs,
            isAlive: (member) => isAlive(processOf(member)),
          });
          // Its lead has closed the account, and a process that is late opens no other.
          const isOver = state === null && statement.asks.length === 0;
          return isOver ? { result } : { state: account, isWanted: isWantedBy(account, nowMs), result };
        }),
    },
  });
  return watched(membership, page, budget);
}

function shareLimits(
  membership: Membership,
  id: string,
  { page, limits }: { page: string; limits: { max_concurrency: number | null; requests_per_minute: number | null } },
): Limiter & AsyncDisposable {
  const limiter = createSharedLimiter({
    limits,
    isHeard: membership.isHeard,
    takeShare: (statement) =>
      membership.change(page, ({ state, nowMs, isAlive }) => {
        const shares = state === null ? newShares() : providerSharesSchema.parse(state);
        const result = takeShare(shares, id, statement, { nowMs, isAlive: (member) => isAlive(processOf(member)) });
        return { state: shares, isWanted: isAnyoneWaiting(shares, nowMs), result };
      }),
  });
  return watched(membership, page, limiter);
}

/** Gives back what others want, for as long as it is open. */
function watched<Part extends AsyncDisposable & { giveBack(): void }>(
  membership: Membership,
  page: string,
  part: Part,
): Part {
  const unwatch = membership.watch(page, part.giveBack);
  const close = part[Symbol.asyncDispose];
  part[Symbol.asyncDispose] = async () => {
    await close();
    unwatch();
  };
  return part;
}

/** A process may have several parts of one page. */
function processOf(member: string): string {
  return member.split('.', 1)[0] ?? member;
}

function budgetPage({ kind, id }: Work): string {
  return `budget/${FORM}/${kind}/${id}`;
}

/** Adapters are the same if they have the same name, the same settings, and their key from the same variable. */
function providerPage(adapter: string, context: AdapterContext): string {
  const options = adapterOptionsOf(adapter, context);
  const key = options && 'api_key_env' in options ? options.api_key_env : undefined;
  const parts = [adapter, adapterIdentity(adapter, context), key ?? null];
  return `provider/${FORM}/${contentHash(parts).slice(0, 32)}`;
}
