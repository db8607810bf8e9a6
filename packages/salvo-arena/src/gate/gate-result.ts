import type { Vulnerability } from '../match/claims/vulnerability.ts';

/** `unchecked`: nothing about the entry could be checked. It is not counted as wrong. */
export type EntryStatus = 'confirmed' | 'phantom' | 'unchecked';

/** The result for one entry of a manifest. */
export interface GateEntry {
  vulnerability: Vulnerability;
  status: EntryStatus;
  /** Every check with its outcome, in words. */
  checks: {
    check: 'parses' | 'resource' | 'attribute' | 'evidence' | 'rule';
    outcome: 'passed' | 'failed' | 'unchecked';
    reason: string;
  }[];
}

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
