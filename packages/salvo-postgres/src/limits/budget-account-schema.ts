import { z } from 'zod';

const memberSchema = z.object({
  /** What it has reported, from its beginning. */
  spent: z.number(),
  held: z.number(),
  unknown_calls: z.number(),
  kept: z.record(z.string(), z.number()),
  unheld: z.record(z.string(), z.number()),
  /** What it has leased and not reported as spent. */
  for_trials: z.number(),
  for_calls: z.number(),
  running: z.number(),
  /** How many calls of a kind it may have under way that hold back their limits. */
  trust: z.record(z.string(), z.number()),
  open: z.object({ kind: z.string(), most_usd: z.number().nullable() }).nullable(),
  /** It was not heard of. What it had leased for calls may be spent, so no other process gets it. */
  is_lost: z.boolean(),
  /** It waits for money until then, or it is asked again. */
  waits_until: z.number(),
});

const callCostsSchema = z.object({
  highest: z.number().nullable(),
  places: z.record(z.string(), z.number()),
  kept: z.number(),
  exceeded: z.boolean(),
  unheld: z.number(),
});

/** A budget that several processes keep together. */
export const budgetAccountSchema = z.object({
  limit: z.number(),
  spent: z.number(),
  held: z.number(),
  unknown_calls: z.number(),
  lost: z.number(),
  cannot_be_kept: z.string().nullable(),
  /** The most that a trial has cost, by kind. */
  trials: z.record(z.string(), z.number()),
  /** Kinds of trials that are refused for good, with the reason. */
  refused: z.record(z.string(), z.string()),
  calls: z.record(z.string(), callCostsSchema),
  /** Who may have a call under way without an upper limit. */
  open: z.string().nullable(),
  members: z.record(z.string(), memberSchema),
});

export type BudgetAccount = z.infer<typeof budgetAccountSchema>;
export type AccountMember = z.infer<typeof memberSchema>;

export function newAccount(limit: number): BudgetAccount {
  return {
    limit,
    spent: 0,
    held: 0,
    unknown_calls: 0,
    lost: 0,
    cannot_be_kept: null,
    trials: {},
    refused: {},
    calls: {},
    open: null,
    members: {},
  };
}

export function newMember(): AccountMember {
  return {
    spent: 0,
    held: 0,
    unknown_calls: 0,
    kept: {},
    unheld: {},
    for_trials: 0,
    for_calls: 0,
    running: 0,
    trust: {},
    open: null,
    is_lost: false,
    waits_until: 0,
  };
}
