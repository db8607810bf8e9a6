import {
  type Answer,
  type Ask,
  accountWords,
  type Decision,
  highestOfAnyTrial,
  type Statement,
  TOLERANCE,
} from 'salvo/kit/models';
import { type BudgetAccount, type AccountMember as Member, newMember } from './budget-account-schema.ts';

/** Leased beyond what is needed at once: so many trials for each that is under way. */
const SPARE_TRIALS = 4;
/** A member that waits asks again well within this time. */
const WAITS_MS = 3000;

/** What a bank does with a statement. Changes the account. The proof that it keeps the limit is in docs/decisions/0054. */
export function exchange(
  account: BudgetAccount,
  memberId: string,
  statement: Statement,
  { nowMs, isAlive }: { nowMs: number; isAlive: (member: string) => boolean },
): Answer {
  account.members[memberId] ??= newMember();
  const member = account.members[memberId];
  for (const [id, other] of Object.entries(account.members)) {
    if (id !== memberId && !isAlive(id)) loseMember(account, id, other);
  }
  settle(account, memberId, member, statement);
  const others = Object.entries(account.members).filter(([id, { is_lost }]) => id !== memberId && !is_lost);
  const isWanted = others.some(([, { waits_until }]) => waits_until > nowMs);
  const teller = new Teller(account, { id: memberId, member, others: others.map(([, other]) => other) });
  const decisions = statement.asks.map((ask) => teller.decide(ask));
  member.waits_until = decisions.some(({ type }) => type === 'wait') ? nowMs + WAITS_MS : 0;
  const isIdle = member.running === 0 && member.for_calls === 0;
  if (!isWanted && !isIdle) teller.addSpare(statement.asks);
  return answerTo({ account, id: memberId, member, decisions, isWanted });
}

/** Whether a member waits for what another one may have. */
export function isWantedBy(account: BudgetAccount, nowMs: number): boolean {
  return Object.values(account.members).some(({ waits_until }) => waits_until > nowMs);
}

/** Its trials are repeated by others. What its calls have cost is not known. */
function loseMember(account: BudgetAccount, id: string, member: Member): void {
  if (member.is_lost) return;
  member.is_lost = true;
  account.lost += member.for_calls;
  if (account.open === id) account.open = null;
  if (member.open) {
    const known = costsOf(account, member.open.kind);
    const held = known.highest ?? member.open.most_usd;
    if (held === null) known.unheld += 1;
    account.held += held ?? 0;
    account.unknown_calls += 1;
  }
  Object.assign(member, { for_trials: 0, running: 0, trust: {}, open: null, waits_until: 0 });
}

function settle(account: BudgetAccount, id: string, member: Member, statement: Statement): void {
  if (member.is_lost) account.lost = Math.max(0, account.lost - member.for_calls);
  member.is_lost = false;
  account.spent += statement.spent - member.spent;
  account.held += statement.held - member.held;
  account.unknown_calls += statement.unknownCalls - member.unknown_calls;
  member.spent = statement.spent;
  member.held = statement.held;
  member.unknown_calls = statement.unknownCalls;
  account.cannot_be_kept ??= statement.cannotBeKept;
  for (const [kind, usd] of Object.entries(statement.trials)) {
    account.trials[kind] = Math.max(usd, account.trials[kind] ?? 0);
  }
  for (const [kind, reported] of Object.entries(statement.calls)) {
    const known = costsOf(account, kind);
    // Held back now, for calls that ended before anything was known about their kind.
    if (known.highest === null && reported.highest !== null) account.held += known.unheld * reported.highest;
    if (reported.highest !== null) known.highest = Math.max(reported.highest, known.highest ?? 0);
    for (const [place, usd] of Object.entries(reported.places)) {
      known.places[place] = Math.max(usd, known.places[place] ?? 0);
    }
    known.exceeded ||= reported.exceeded;
    known.kept += reported.kept - (member.kept[kind] ?? 0);
    member.kept[kind] = reported.kept;
    const unheld = reported.unheld - (member.unheld[kind] ?? 0);
    known.unheld += unheld;
    account.held += unheld * (known.highest ?? 0);
    member.unheld[kind] = reported.unheld;
  }
  member.for_trials = statement.reserved;
  member.for_calls = statement.bounded;
  member.running = statement.running;
  member.trust = Object.fromEntries(Object.entries(statement.calls).map(([kind, { underWay }]) => [kind, underWay]));
  member.open = statement.open && { kind: statement.open.kind, most_usd: statement.open.mostUsd };
  if (account.open === id && !statement.open) account.open = null;
}

/** Decides about the asks of one statement, one after the other. */
class Teller {
  readonly #account: BudgetAccount;
  readonly #id: string;
  readonly #member: Member;
  readonly #others: readonly Member[];
  /** What no process has spent or leased, for trials and for calls. */
  #freeForTrials: number;
  #freeForCalls: number;

  constructor(
    account: BudgetAccount,
    { id, member, others }: { id: string; member: Member; others: readonly Member[] },
  ) {
    this.#account = account;
    this.#id = id;
    this.#member = member;
    this.#others = others;
    const left = account.limit - account.spent - account.held - account.lost;
    this.#freeForTrials = left - member.for_trials - sum(others.map(({ for_trials }) => for_trials));
    this.#freeForCalls = left - member.for_calls - sum(others.map(({ for_calls }) => for_calls));
  }

  decide(ask: Ask): Decision {
    if (this.#account.cannot_be_kept !== null) return { type: 'refused', why: this.#account.cannot_be_kept };
    return ask.type === 'trial' ? this.#decideTrial(ask.kind) : this.#decideCall(ask);
  }

  #decideTrial(kind: number): Decision {
    const { refused } = this.#account;
    const earlier = refused[kind];
    if (earlier !== undefined) return { type: 'refused', why: earlier };
    const isAlone = this.#member.running === 0 && this.#others.every(({ running }) => running === 0);
    const expected = this.#expectedOf(kind);
    // As long as nothing is known, a trial reserves all that is left, so that nothing starts beside it.
    const share =
      expected ?? (isAlone && this.#freeForTrials > TOLERANCE ? this.#freeForTrials : Number.POSITIVE_INFINITY);
    if (share <= this.#freeForTrials + TOLERANCE) {
      this.#member.running += 1;
      this.#leaseForTrials(share);
      return { type: 'trial', share };
    }
    const isHeld = this.#member.for_trials > TOLERANCE || this.#others.some(({ for_trials }) => for_trials > TOLERANCE);
    if (!isAlone || isHeld) return { type: 'wait' };
    const why = this.#refusal('trial');
    refused[kind] = why;
    return { type: 'refused', why };
  }

  #decideCall(ask: Extract<Ask, { type: 'call' }>): Decision {
    const { kind, place, estimateUsd, mostUsd } = ask;
    const known = costsOf(this.#account, kind);
    const expected = known.places[place] ?? known.highest ?? estimateUsd ?? 0;
    if (mostUsd !== null && !known.exceeded && this.#mayTrust(kind)) {
      const most = Math.max(mostUsd, known.highest ?? 0);
      if (most <= this.#freeForCalls + TOLERANCE) {
        this.#member.trust[kind] = (this.#member.trust[kind] ?? 0) + 1;
        this.#leaseForCalls(most);
        return { type: 'bounded', most };
      }
    }
    // Not after a call that cost more than was left: there is never more than one of these.
    const isLeft = this.#freeForCalls > TOLERANCE && expected <= this.#freeForCalls + TOLERANCE;
    if (this.#account.open === null && isLeft) {
      this.#account.open = this.#id;
      this.#member.open = { kind, most_usd: mostUsd };
      this.#leaseForCalls(expected);
      return { type: 'open', expected };
    }
    const isHeld =
      this.#account.open !== null ||
      this.#member.for_calls > TOLERANCE ||
      this.#others.some(({ for_calls }) => for_calls > TOLERANCE);
    return isHeld ? { type: 'wait' } : { type: 'refused', why: this.#refusal('call') };
  }

  /** Something in reserve, so that not every trial and every call has to ask. */
  addSpare(asks: readonly Ask[]): void {
    const members = 1 + this.#others.filter(({ running }) => running > 0).length;
    const kinds = asks.flatMap((ask) => (ask.type === 'trial' ? [ask.kind] : []));
    const unit =
      Math.max(0, ...kinds.map((kind) => this.#expectedOf(kind) ?? 0)) ||
      highestOfAnyTrial(Object.values(this.#account.trials));
    const forTrials = Math.min(
      SPARE_TRIALS * this.#member.running * (unit ?? 0),
      Math.max(0, this.#freeForTrials) / (2 * members),
    );
    if (unit !== null && forTrials >= unit) this.#leaseForTrials(forTrials);
    const wanted = Math.max(2 * this.#member.for_calls, this.#member.for_trials);
    this.#leaseForCalls(Math.min(wanted, Math.max(0, this.#freeForCalls) / (2 * members)));
    for (const [kind, trust] of Object.entries(this.#member.trust)) {
      const most = 2 * trust;
      while ((this.#member.trust[kind] ?? 0) < most && this.#mayTrust(kind)) {
        this.#member.trust[kind] = (this.#member.trust[kind] ?? 0) + 1;
      }
    }
  }

  /** No more calls are under way that hold back their limits than have kept to them before. */
  #mayTrust(kind: string): boolean {
    const used = sum([this.#member, ...this.#others].map(({ trust }) => trust[kind] ?? 0));
    return used < costsOf(this.#account, kind).kept;
  }

  #expectedOf(kind: number): number | null {
    const { trials } = this.#account;
    return trials[kind] ?? highestOfAnyTrial(Object.values(trials));
  }

  #leaseForTrials(usd: number): void {
    this.#member.for_trials += usd;
    this.#freeForTrials -= usd;
  }

  #leaseForCalls(usd: number): void {
    this.#member.for_calls += usd;
    this.#freeForCalls -= usd;
  }

  #refusal(what: 'trial' | 'call'): string {
    return `another ${what} could exceed the budget of $${this.#account.limit}; ${accountWords(totalsOf(this.#account))}`;
  }
}

function answerTo(given: {
  account: BudgetAccount;
  id: string;
  member: Member;
  decisions: Decision[];
  isWanted: boolean;
}): Answer {
  const { account, id, member, decisions, isWanted } = given;
  return {
    decisions,
    forTrials: member.for_trials,
    forCalls: member.for_calls,
    mayOpen: account.open === id,
    trials: account.trials,
    calls: Object.fromEntries(
      Object.entries(account.calls).map(([kind, { highest, places, exceeded }]) => [
        kind,
        { highest, places, exceeded, trust: member.trust[kind] ?? 0 },
      ]),
    ),
    cannotBeKept: account.cannot_be_kept,
    refused: account.refused,
    totals: totalsOf(account),
    isWanted,
  };
}

function totalsOf({ spent, held, unknown_calls, lost }: BudgetAccount): Answer['totals'] {
  return { spent, held, unknownCalls: unknown_calls, lost };
}

function costsOf(account: BudgetAccount, kind: string): BudgetAccount['calls'][string] {
  account.calls[kind] ??= { highest: null, places: {}, kept: 0, exceeded: false, unheld: 0 };
  return account.calls[kind];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
