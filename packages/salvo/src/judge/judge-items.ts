import type { CallBudget } from '../models/budget/budget.ts';
import { createBudget } from '../models/budget/create-budget.ts';
import { runPool } from '../queue/run-pool.ts';
import { type Cost, createCostSum, sumCosts } from '../stats/cost.ts';
import { judgeCost } from '../trace/cost-fields.ts';
import type { VoteRecord } from './votes/judge-metadata.ts';
import type { Judgement } from './votes/judge-request.ts';

/** What happens while a judge is tested, item by item. */
export type JudgingEvent =
  | { type: 'item_started'; name: string }
  /** `passed` is null when the judge could not score it. */
  | { type: 'item_finished'; passed: boolean | null; cost: Cost }
  /** Stopped while it was judged, by the user or by the budget: it counts as never started. */
  | { type: 'item_left' };

/** How many items are judged at once, and until when. */
export interface JudgingOptions {
  concurrency?: number | undefined;
  budgetUsd?: number | null | undefined;
  /** When aborted, no further item is begun. */
  stop?: AbortSignal | undefined;
  /** When aborted, the items under way are given up. */
  abort?: AbortSignal | undefined;
  onEvent?: ((event: JudgingEvent) => void) | undefined;
}

const DEFAULT_CONCURRENCY = 4;

/** Judges each item, several at once. The first judgement of an item counts, further ones repeat it. */
export async function judgeItems<Item>(
  items: readonly Item[],
  {
    judge,
    nameOf,
    passedOf,
    ...options
  }: JudgingOptions & {
    /** Its calls are paid for from `budget`. */
    judge: (item: Item, budget: CallBudget) => Promise<Judgement[]>;
    nameOf: (item: Item) => string;
    /** Whether a judgement with a score is reported as passed. */
    passedOf: (item: Item, judgement: Judgement) => boolean;
  },
): Promise<{
  /** The judgements of each item. Items that were never judged are not in it. */
  judged: Map<Item, Judgement[]>;
  cost: Cost;
  /** Why the budget refused further items; null when it did not. */
  refusal: string | null;
}> {
  const never = new AbortController().signal;
  const { concurrency = DEFAULT_CONCURRENCY, stop = never, abort = never, onEvent = () => {} } = options;
  const budget = createBudget(options.budgetUsd ?? null);
  const judged = new Map<Item, Judgement[]>();
  const total = createCostSum();
  await runPool({
    jobs: items,
    concurrency,
    stop,
    perform: async (item) => {
      const reservation = await budget.reserve(0);
      if (!reservation || stop.aborted) return reservation?.release(null);
      try {
        onEvent({ type: 'item_started', name: nameOf(item) });
        const judgements = await judge(item, reservation);
        const cost = sumCosts(judgements.map(({ metadata }) => judgeCost(metadata)));
        total.add(cost);
        const [first] = judgements;
        const passed = first && first.score !== null ? passedOf(item, first) : null;
        if ((abort.aborted || reservation.wasRefused) && passed === null) return onEvent({ type: 'item_left' });
        judged.set(item, judgements);
        onEvent({ type: 'item_finished', passed, cost });
      } finally {
        reservation.release();
      }
    },
  });
  return { judged, cost: total.total(), refusal: budget.refusal };
}

/** Why a judgement has no score. */
export function judgementError({
  metadata,
}: {
  metadata: { votes: readonly Pick<VoteRecord, 'error'>[]; not_asked?: string };
}): string | null {
  return metadata.votes.find(({ error }) => error !== null)?.error ?? metadata.not_asked ?? null;
}
