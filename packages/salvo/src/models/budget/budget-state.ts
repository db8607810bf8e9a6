import { z } from 'zod';
import { type BudgetRequest, type Decision, decide, missingIn, type Remaining, type Spender } from './decide.ts';
import {
  callCosts,
  expectedOfTrial,
  heldForUnpriced,
  holdBack,
  type KnownCosts,
  knownCostsSchema,
  learn,
  TOLERANCE,
} from './known-costs.ts';

const memberSchema = z.object({
  /** What it has reported, from its beginning. */
  spent: z.number().default(0),
  held: z.number().default(0),
  unknown_calls: z.number().default(0),
  kept: z.record(z.string(), z.number()).default(() => ({})),
  unpriced: z.record(z.string(), z.number()).default(() => ({})),
  /** What it has leased and not reported as spent. */
  for_trials: z.number().default(0),
  for_calls: z.number().default(0),
  running: z.number().default(0),
  /** How many calls of a kind it may have under way that reserve their upper limits. */
  trust: z.record(z.string(), z.number()).default(() => ({})),
  /** Its call under way that may cost more than it reserves. */
  open: z.object({ kind: z.string(), most_usd: z.number().nullable() }).nullable().default(null),
  /** It stopped responding. What it had leased for calls may be spent, so no other process gets it. */
  is_lost: z.boolean().default(false),
  /** It waits for money until then, or it is asked again. */
  waits_until: z.number().default(0),
});

/** A budget, the costs that are known, and which process has leased how much of it. Stored by PostgreSQL as JSON. */
export const budgetStateSchema = knownCostsSchema.extend({
  limit: z.number(),
  spent: z.number().default(0),
  held: z.number().default(0),
  unknown_calls: z.number().default(0),
  lost: z.number().default(0),
  /** The process that may have a call under way that costs more than it reserves. */
  open: z.string().nullable().default(null),
  members: z.record(z.string(), memberSchema).default(() => ({})),
});

export type BudgetState = z.infer<typeof budgetStateSchema>;
type Member = z.infer<typeof memberSchema>;

export function newBudgetState(limit: number): BudgetState {
  return budgetStateSchema.parse({ limit });
}

/**
 * What a process has spent, and what it needs. Counts and costs are totals from its beginning, so that the same report
 * twice has the effect of one.
 */
export interface BudgetReport {
  spent: number;
  held: number;
  unknownCalls: number;
  known: KnownCosts;
  /** Trials under way, and what they reserve beyond what they have spent. */
  running: number;
  forTrials: number;
  /** What calls under way reserve, and by kind how many reserve their upper limit. */
  forCalls: number;
  callsUnderWay: Record<string, number>;
  open: Member['open'];
  requests: BudgetRequest[];
}

/** What a process may use until it reports again. */
export interface BudgetLease {
  forTrials: number;
  forCalls: number;
  /** Whether one of its calls may cost more than it reserves. */
  mayOpen: boolean;
  /** How many calls of a kind may be under way that reserve their upper limits. */
  trust: Record<string, number>;
  /** What cannot be used of it, because more is spent than was reserved. */
  missing: Record<Spender, number>;
}

export interface RenewedLease {
  lease: BudgetLease;
  /** For each request, in the same order. */
  decisions: Decision[];
  /** What all processes together know. */
  known: KnownCosts;
  /** Whether another process waits for money. */
  isWanted: boolean;
}

/** Leased beyond what is needed at once: so many trials for each that is under way. */
const SPARE_TRIALS = 4;
/** A process that waits asks again well within this time. */
const WAITS_MS = 3000;

/**
 * Settles what a process has spent, takes back all that no trial and no call under way needs, and leases what it asks
 * for, if there is enough. Changes the state.
 */
export function renewLease(
  state: BudgetState,
  memberId: string,
  report: BudgetReport,
  { nowMs, isAlive }: { nowMs: number; isAlive: (member: string) => boolean },
): RenewedLease {
  state.members[memberId] ??= memberSchema.parse({});
  const member = state.members[memberId];
  for (const [id, other] of Object.entries(state.members)) {
    if (id !== memberId && !isAlive(id) && !other.is_lost) loseMember(state, id, other);
  }
  settle(state, memberId, member, report);
  const others = Object.values(state.members).filter((other) => other !== member && !other.is_lost);
  const isWanted = others.some(({ waits_until }) => waits_until > nowMs);
  const left = (): Remaining => remaining(state, [member, ...others]);
  const decisions = report.requests.map((request) => {
    const decision = decide(request, state, left());
    if (decision.type === 'allowed') start(state, { memberId, member }, request, decision);
    if (decision.type === 'refused' && request.type === 'trial') state.refused[request.kind] = decision.why;
    return decision;
  });
  member.waits_until = decisions.some(({ type }) => type === 'wait') ? nowMs + WAITS_MS : 0;
  const isIdle = member.running === 0 && member.for_calls === 0;
  if (!isWanted && !isIdle) leaseSpare(state, { member, others, left: left() }, report.requests);
  const { for_trials: forTrials, for_calls: forCalls, trust } = member;
  const lease = { forTrials, forCalls, mayOpen: state.open === memberId, trust, missing: missingIn(left()) };
  return { lease, decisions, known: state, isWanted };
}

/** Whether a process waits for what another one may have leased. */
export function isMoneyWanted({ members }: BudgetState, nowMs: number): boolean {
  return Object.values(members).some(({ waits_until }) => waits_until > nowMs);
}

/** Other processes repeat its trials. What its calls have cost is not known. */
function loseMember(state: BudgetState, id: string, member: Member): void {
  state.lost += member.for_calls;
  if (state.open === id) state.open = null;
  if (member.open) {
    state.held += holdBack(state, { kind: member.open.kind, mostUsd: member.open.most_usd });
    state.unknown_calls += 1;
  }
  Object.assign(member, { is_lost: true, for_trials: 0, running: 0, trust: {}, open: null, waits_until: 0 });
}

function settle(state: BudgetState, id: string, member: Member, report: BudgetReport): void {
  const { spent, held, unknownCalls: unknown_calls, known, running, open } = report;
  // It was only paused.
  if (member.is_lost) state.lost = Math.max(0, state.lost - member.for_calls);
  state.spent += spent - member.spent;
  state.held += held - member.held;
  state.unknown_calls += unknown_calls - member.unknown_calls;
  learn(state, { ...known, refused: {} });
  for (const [kind, { kept, unpriced }] of Object.entries(known.calls)) {
    const costs = callCosts(state, kind);
    costs.kept += kept - (member.kept[kind] ?? 0);
    costs.unpriced += unpriced - (member.unpriced[kind] ?? 0);
    member.kept[kind] = kept;
    member.unpriced[kind] = unpriced;
  }
  Object.assign(member, { is_lost: false, spent, held, unknown_calls, running, open });
  member.for_trials = report.forTrials;
  member.for_calls = report.forCalls;
  member.trust = { ...report.callsUnderWay };
  if (state.open === id && !open) state.open = null;
}

/** What no process has spent or leased. */
function remaining(state: BudgetState, members: readonly Member[]): Remaining {
  const { limit, spent, unknown_calls, lost } = state;
  const sum = (numberOf: (member: Member) => number) => members.reduce((total, each) => total + numberOf(each), 0);
  const held = state.held + heldForUnpriced(state);
  const left = limit - spent - held - lost;
  const forCalls = sum(({ for_calls }) => for_calls);
  return {
    forTrials: left - sum(({ for_trials }) => for_trials),
    forCalls: left - forCalls,
    mayOpen: state.open === null,
    trust: (kind) => callCosts(state, kind).kept - sum(({ trust }) => trust[kind] ?? 0),
    budget: {
      ...{ limit, spent, held, unknown_calls, lost },
      underWay: { trial: sum(({ running }) => running) > 0, call: state.open !== null || forCalls > TOLERANCE },
    },
  };
}

function start(
  state: BudgetState,
  { memberId, member }: { memberId: string; member: Member },
  request: BudgetRequest,
  { usd, isOpen }: { usd: number; isOpen: boolean },
): void {
  if (request.type === 'trial') {
    member.running += 1;
    member.for_trials += usd;
    return;
  }
  member.for_calls += usd;
  if (!isOpen) member.trust[request.kind] = (member.trust[request.kind] ?? 0) + 1;
  else {
    state.open = memberId;
    member.open = { kind: request.kind, most_usd: request.mostUsd };
  }
}

/** Something in reserve, so that not every trial and every call has to ask. */
function leaseSpare(
  state: BudgetState,
  { member, others, left }: { member: Member; others: readonly Member[]; left: Remaining },
  requests: readonly BudgetRequest[],
): void {
  const sharers = 1 + others.filter(({ running }) => running > 0).length;
  const kinds = requests.flatMap((request) => (request.type === 'trial' ? [request.kind] : []));
  const most = Math.max(0, ...kinds.map((kind) => expectedOfTrial(state, kind) ?? 0));
  const unit = most || expectedOfTrial(state);
  const forTrials = Math.min(SPARE_TRIALS * member.running * (unit ?? 0), Math.max(0, left.forTrials) / (2 * sharers));
  if (unit !== null && forTrials >= unit) member.for_trials += forTrials;
  const wanted = Math.max(2 * member.for_calls, member.for_trials);
  member.for_calls += Math.min(wanted, Math.max(0, left.forCalls) / (2 * sharers));
  for (const [kind, trust] of Object.entries(member.trust)) {
    member.trust[kind] = trust + Math.max(0, Math.min(trust, left.trust(kind)));
  }
}
