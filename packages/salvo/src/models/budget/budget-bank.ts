import type { PaidCall } from './budget.ts';
import type { CallCosts } from './known-costs.ts';

/**
 * Where several processes keep one budget together. Each of them leases a part of it, spends that without asking, and
 * says from time to time what it has spent. See docs/decisions/0054.
 */
export interface BudgetBank {
  /**
   * Settles what this process has spent, takes back all that no trial and no call under way needs, and leases what it
   * asks for, if there is enough. The same statement twice has the same effect as once.
   */
  exchange(statement: Statement): Promise<Answer>;
}

/** What a process has spent, and what it needs. */
export interface Statement {
  /** From the beginning, as all numbers that only grow. */
  spent: number;
  held: number;
  unknownCalls: number;
  cannotBeKept: string | null;
  /** The most that a trial has cost, by kind. */
  trials: Record<string, number>;
  /** By kind, with those under way that hold back their upper limit. */
  calls: Record<string, CallCosts & { underWay: number }>;
  /** Trials under way, and what they hold back beyond what they have spent. */
  running: number;
  reserved: number;
  /** What calls under way hold back. */
  bounded: number;
  /** The call under way that has no upper limit. */
  open: { kind: string; mostUsd: number | null } | null;
  asks: Ask[];
}

export type Ask = { type: 'trial'; kind: number } | ({ type: 'call' } & PaidCall);

export type Decision =
  | { type: 'wait' }
  | { type: 'refused'; why: string }
  /** A trial may start that holds back so much. */
  | { type: 'trial'; share: number }
  /** A call may start that holds back so much. */
  | { type: 'bounded'; most: number }
  /** A call may start that nothing limits. */
  | { type: 'open'; expected: number };

export interface Answer {
  /** For each ask, in the same order. */
  decisions: Decision[];
  /** What this process may use for trials and for calls from now on, of what it has not reported yet. */
  forTrials: number;
  forCalls: number;
  /** Whether this process is the one that may have a call under way without an upper limit. */
  mayOpen: boolean;
  /** What is known about trials and calls, by kind. `trust`: how many may be under way that hold back their limit. */
  trials: Record<string, number>;
  calls: Record<string, Omit<CallCosts, 'kept' | 'unheld'> & { trust: number }>;
  cannotBeKept: string | null;
  /** Kinds of trials that are refused for good, with the reason. */
  refused: Record<string, string>;
  totals: Totals;
  /** Whether another process waits for money. */
  isWanted: boolean;
}

/** What all processes together have spent. */
export interface Totals {
  spent: number;
  /** For calls that may have been charged, nobody knows how much. */
  held: number;
  unknownCalls: number;
  /** What processes had leased that were not heard of any more. */
  lost: number;
}

/** Why nothing is left: "$0.40 is spent, and $0.40 is held back for a call of unknown cost". */
export function accountWords({ spent, held, unknownCalls, lost }: Totals): string {
  const parts: string[] = [];
  // "$0.00 is spent" would be a lie if something else is.
  if (spent > 0 || (unknownCalls === 0 && lost === 0)) parts.push(`${dollars(spent)} is spent`);
  if (unknownCalls > 0) {
    const calls = unknownCalls === 1 ? 'a call' : `${unknownCalls} calls`;
    parts.push(`${dollars(held)} is held back for ${calls} of unknown cost`);
  }
  if (lost > 0) parts.push(`${dollars(lost)} is held back for workers that were lost`);
  return parts.join(', and ');
}

/** With as many digits as a small amount needs: `$0.04`, `$0.000123`. */
function dollars(usd: number): string {
  return `$${usd.toFixed(6).replace(/0{1,4}$/, '')}`;
}
