import { z } from 'zod';
import type { PaidCall } from './budget.ts';

/** Sums of floating-point costs may miss the limit by an ulp or two. */
export const TOLERANCE = 1e-12;

/** What is known about the calls of one kind. */
const callCostsSchema = z.object({
  /** Null when no cost is known. */
  highest: z.number().nullable().default(null),
  /** The highest cost by the place of a call in its conversation. */
  places: z.record(z.string(), z.number()).default(() => ({})),
  /** How many calls have kept to their upper limit. */
  kept: z.number().default(0),
  /** A call was more expensive than its upper limit. */
  exceeded: z.boolean().default(false),
  /** Calls that may have been charged, when nothing was known to hold back for them. */
  unpriced: z.number().default(0),
});

/** What trials and calls have cost, by kind, and what follows for the next ones. */
export const knownCostsSchema = z.object({
  /** The most that a trial has cost. */
  trials: z.record(z.string(), z.number()).default(() => ({})),
  /** Kinds of trials that are refused for good, with the reason. */
  refused: z.record(z.string(), z.string()).default(() => ({})),
  calls: z.record(z.string(), callCostsSchema).default(() => ({})),
  /** Why no call is safe: a cost is unknown, and nothing is known to hold back for it. */
  cannot_be_kept: z.string().nullable().default(null),
});

export type CallCosts = z.infer<typeof callCostsSchema>;
export type KnownCosts = z.infer<typeof knownCostsSchema>;

export function callCosts(known: KnownCosts, kind: string): CallCosts {
  known.calls[kind] ??= callCostsSchema.parse({});
  return known.calls[kind];
}

/** Takes over what another process knows. Calls are counted by the process that made them, so their counts stay. */
export function learn(known: KnownCosts, other: KnownCosts): void {
  known.cannot_be_kept ??= other.cannot_be_kept;
  Object.assign(known.refused, other.refused);
  for (const [kind, usd] of Object.entries(other.trials)) learnTrial(known, kind, usd);
  for (const [kind, { highest, places, exceeded }] of Object.entries(other.calls)) {
    const costs = callCosts(known, kind);
    if (highest !== null) raise(costs, highest, places);
    costs.exceeded ||= exceeded;
  }
}

export function learnTrial(known: KnownCosts, kind: string | number, usd: number): void {
  known.trials[kind] = Math.max(usd, known.trials[kind] ?? 0);
}

/** What a call has cost that has ended. */
export function learnCall(known: KnownCosts, { kind, place, mostUsd }: PaidCall, usd: number): void {
  const costs = callCosts(known, kind);
  raise(costs, usd, { [place]: usd });
  if (mostUsd === null) return;
  if (usd > mostUsd + TOLERANCE) costs.exceeded = true;
  else costs.kept += 1;
}

function raise(costs: CallCosts, highest: number, places: Record<string, number>): void {
  costs.highest = Math.max(highest, costs.highest ?? 0);
  for (const [place, usd] of Object.entries(places)) costs.places[place] = Math.max(usd, costs.places[place] ?? 0);
}

/** What to hold back for a call whose cost nobody knows. If that is unknown as well, it is held back later. */
export function holdBack(known: KnownCosts, { kind, mostUsd }: Pick<PaidCall, 'kind' | 'mostUsd'>): number {
  const costs = callCosts(known, kind);
  const usd = costs.highest ?? mostUsd;
  if (usd === null) costs.unpriced += 1;
  return usd ?? 0;
}

/** What is held back for calls of whose kind nothing was known when they ended, since `earlier`. */
export function heldForUnpriced(known: KnownCosts, earlier?: KnownCosts): number {
  return Object.entries(known.calls).reduce(
    (sum, [kind, { highest, unpriced }]) => sum + (highest ?? 0) * (unpriced - (earlier?.calls[kind]?.unpriced ?? 0)),
    0,
  );
}

/** What the next trial of a kind may cost; null as long as no trial that cost something has ended. */
export function expectedOfTrial({ trials }: KnownCosts, kind?: number): number | null {
  // Free trials do not tell what those of other kinds cost.
  return (kind === undefined ? undefined : trials[kind]) ?? (Math.max(0, ...Object.values(trials)) || null);
}
