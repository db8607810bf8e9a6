import type { PaidCall } from './budget.ts';
import { callCosts, expectedOfTrial, type KnownCosts, TOLERANCE } from './known-costs.ts';

/** What may need money. */
export type Spender = 'trial' | 'call';

/** A trial or a call that may start if there is money for it. */
export type BudgetRequest = { type: 'trial'; kind: number } | ({ type: 'call' } & PaidCall);

export type Decision =
  | { type: 'wait' }
  | { type: 'refused'; why: string }
  /** It may start, and reserves so much. `isOpen`: a call that may cost more than it reserves. */
  | { type: 'allowed'; usd: number; isOpen: boolean };

/** What is left of a budget, or of the part of it that a process has leased. */
export interface Remaining {
  /** Trials plan with what is not spent and not reserved by trials, calls with what is not reserved by calls. */
  forTrials: number;
  forCalls: number;
  /** Whether a call may start that can cost more than it reserves. There is never more than one. */
  mayOpen: boolean;
  /** How many more calls of a kind may start that reserve their upper limit. */
  trust(kind: string): number;
  /** Null for a lease: there may be more than the process has leased, so nothing is refused for lack of money. */
  budget: (Spending & { limit: number; underWay: Record<Spender, boolean> }) | null;
}

/** What is missing for all that is spent and reserved. Whatever ends next pays for this first. */
export function missingIn({ forTrials, forCalls }: Remaining): Record<Spender, number> {
  return { trial: Math.max(0, -forTrials), call: Math.max(0, -forCalls) };
}

/** What all processes together have spent. */
interface Spending {
  spent: number;
  /** What is held back for calls that may have been charged, nobody knows how much. */
  held: number;
  unknown_calls: number;
  /** Leases of processes that stopped responding. */
  lost: number;
}

/**
 * Decides whether a trial or a call may start: the only place where this is done. That the limit is exceeded by at most
 * one call is shown in docs/decisions/0023 for one process, and in 0054 for processes with leases.
 */
export function decide(request: BudgetRequest, known: KnownCosts, left: Remaining): Decision {
  const refused = known.cannot_be_kept ?? (request.type === 'trial' ? known.refused[request.kind] : undefined);
  if (refused !== undefined) return { type: 'refused', why: refused };
  const usd = request.type === 'trial' ? reservedByTrial(request.kind, known, left) : null;
  if (usd !== null) return { type: 'allowed', usd, isOpen: false };
  const allowed = request.type === 'call' ? allowedCall(request, known, left) : null;
  if (allowed) return allowed;
  if (left.budget === null || left.budget.underWay[request.type]) return { type: 'wait' };
  const { limit } = left.budget;
  const why = `another ${request.type} could exceed the budget of $${limit}; ${spendingWords(left.budget)}`;
  return { type: 'refused', why };
}

function reservedByTrial(kind: number, known: KnownCosts, { forTrials, budget }: Remaining): number | null {
  const expected = expectedOfTrial(known, kind);
  if (expected !== null) return expected <= forTrials + TOLERANCE ? expected : null;
  // As long as nothing is known, a trial reserves all that is left, so that nothing starts beside it.
  return budget?.underWay.trial === false && forTrials > TOLERANCE ? forTrials : null;
}

function allowedCall(call: PaidCall, known: KnownCosts, { forCalls, mayOpen, trust }: Remaining): Decision | null {
  const { highest, places, exceeded } = callCosts(known, call.kind);
  // A server may ignore `max_tokens`: so there are never more calls under way that reserve only their upper limit than
  // have kept to it before, and none after one was more expensive.
  if (call.mostUsd !== null && !exceeded && trust(call.kind) > 0) {
    const usd = Math.max(call.mostUsd, highest ?? 0);
    if (usd <= forCalls + TOLERANCE) return { type: 'allowed', usd, isOpen: false };
  }
  const usd = places[call.place] ?? highest ?? call.estimateUsd ?? 0;
  // Not after a call that cost more than was left.
  const isLeft = forCalls > TOLERANCE && usd <= forCalls + TOLERANCE;
  return mayOpen && isLeft ? { type: 'allowed', usd, isOpen: true } : null;
}

/** Why nothing is left: "$0.40 is spent, and $0.40 is held back for a call of unknown cost". */
function spendingWords({ spent, held, unknown_calls, lost }: Spending): string {
  const parts: string[] = [];
  // "$0.00 is spent" would be a lie if something else is.
  if (spent > 0 || (unknown_calls === 0 && lost === 0)) parts.push(`${dollars(spent)} is spent`);
  if (unknown_calls > 0) {
    const calls = unknown_calls === 1 ? 'a call' : `${unknown_calls} calls`;
    parts.push(`${dollars(held)} is held back for ${calls} of unknown cost`);
  }
  if (lost > 0) parts.push(`${dollars(lost)} is held back for workers that were lost`);
  return parts.join(', and ');
}

/** With as many digits as a small amount needs: `$0.04`, `$0.000123`. */
function dollars(usd: number): string {
  return `$${usd.toFixed(6).replace(/0{1,4}$/, '')}`;
}
