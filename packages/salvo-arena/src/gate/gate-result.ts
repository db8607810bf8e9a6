import { z } from 'zod';
import { vulnerabilitySchema } from '../match/claims/vulnerability.ts';

/** The result for one entry of a manifest. */
export const gateEntrySchema = z.object({
  vulnerability: vulnerabilitySchema,
  /** `unchecked`: nothing about the entry could be checked. It is not counted as wrong. */
  status: z.enum(['confirmed', 'phantom', 'unchecked']),
  /** Every check with its outcome, in words. */
  checks: z.array(
    z.object({
      check: z.enum(['parses', 'resource', 'attribute', 'evidence', 'rule']),
      outcome: z.enum(['passed', 'failed', 'unchecked']),
      reason: z.string(),
    }),
  ),
});

export type GateEntry = z.infer<typeof gateEntrySchema>;
export type EntryStatus = GateEntry['status'];

export interface GateResult {
  entries: GateEntry[];
  /** The share of confirmed entries among those that could be checked; null when none could. */
  manifest_accuracy: number | null;
}

/** One check of one entry, with its outcome in words. */
export type Check = GateEntry['checks'][number];

export function passed(check: Check['check'], reason: string): Check {
  return { check, outcome: 'passed', reason };
}

export function failed(check: Check['check'], reason: string): Check {
  return { check, outcome: 'failed', reason };
}

export function unchecked(check: Check['check'], reason: string): Check {
  return { check, outcome: 'unchecked', reason };
}
