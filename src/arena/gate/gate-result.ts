import type { Vulnerability } from '../../match/claims/vulnerability.ts';

/** `unchecked` is what no checker could look at: it is never taken for a lie. */
export type EntryStatus = 'confirmed' | 'phantom' | 'unchecked';

/** What became of one entry of a manifest. */
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
  /** The share of the entries that could be checked and is true; null when none could. */
  manifest_accuracy: number | null;
}
