import { contentHash } from '../../text/json/canonical-json.ts';
import {
  type AdmittedCall,
  type Budget,
  BudgetError,
  type EarlierSpending,
  NO_LIMIT,
  type PaidCall,
  type Reservation,
  UNPAID,
} from './budget.ts';
import {
  type Answer,
  accountWords,
  type BudgetBank,
  type Decision,
  type Statement,
  type Totals,
} from './budget-bank.ts';
import type { Branch, Exchanged, Spender } from './budget-branch.ts';
import { CallBook } from './call-book.ts';
import { TOLERANCE } from './known-costs.ts';
import { TrialBook } from './trial-book.ts';
import { createReservation } from './trial-reservation.ts';

export function createBudget(limitUsd: number | null, earlier?: EarlierSpending): Budget {
  const budget = limitUsd === null ? NO_LIMIT : new LimitedBudget(limitUsd);
  if (earlier) budget.addEarlier(earlier);
  return budget;
}

/** A trial or a call that waits for money. */
type Waiting = { start(decision: Decision): void; fail(error: unknown): void } & (
  | { type: 'trial'; kind: number }
  | { type: 'call'; call: PaidCall }
);

/** A budget of this process, or the part of one that it has leased from a bank. */
export class LimitedBudget implements Budget {
  refusal: string | null = null;
  readonly #limit: number | null;
  readonly #branch: Branch | null;
  /** What trials and calls may use: without a bank all of it, otherwise what was leased. */
  #forTrials: number;
  #forCalls: number;
  /** Whether the one call without an upper limit may be ours. */
  #mayOpen: boolean;
  /** What is known of all processes together. */
  #totals: Totals = { spent: 0, held: 0, unknownCalls: 0, lost: 0 };
  readonly #calls = new CallBook();
  readonly #trials = new TrialBook();
  /** In order of arrival. */
  readonly #waiting = new Set<Waiting>();
  #hasNews = false;
  #isProceeding = false;

  /** With a branch, the bank knows the limit. */
  constructor(limit: number | null, branch: Branch | null = null) {
    this.#limit = limit;
    this.#branch = branch;
    this.#forTrials = limit ?? 0;
    this.#forCalls = limit ?? 0;
    this.#mayOpen = branch === null;
  }

  addEarlier({ spentUsd, highest = new Map() }: EarlierSpending): void {
    this.#calls.own.spent += spentUsd;
    for (const [kind, usd] of highest) this.#trials.learn(kind, usd);
  }

  async admit(describe: () => Promise<PaidCall>, signal?: AbortSignal): Promise<AdmittedCall> {
    const described = await describe();
    // A model that costs nothing needs no money.
    if (described.mostUsd === 0) return UNPAID;
    // The kind may contain an address, and others see it.
    const call = { ...described, kind: contentHash(described.kind).slice(0, 16) };
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<AdmittedCall>();
    const waiting: Waiting = {
      type: 'call',
      call,
      start: (decision) => {
        if (decision.type === 'bounded') resolve(this.#calls.begin(call, decision.most, () => this.#proceed()));
        if (decision.type === 'open') resolve(this.#calls.beginOpen(call, decision.expected, () => this.#proceed()));
        if (decision.type === 'refused') reject(new BudgetError(decision.why));
      },
      fail: reject,
    };
    return this.#wait(waiting, promise, { signal, giveUp: () => reject(signal?.reason) });
  }

  reserve(kind: number, signal?: AbortSignal): Promise<Reservation | null> {
    const { promise, resolve, reject } = Promise.withResolvers<Reservation | null>();
    if (signal?.aborted) return Promise.resolve(null);
    return this.#wait(
      {
        type: 'trial',
        kind,
        start: (decision) => resolve(decision.type === 'trial' ? this.#startTrial(kind, decision.share) : null),
        fail: reject,
      },
      promise,
      { signal, giveUp: () => resolve(null) },
    );
  }

  #wait<T>(
    waiting: Waiting,
    promise: Promise<T>,
    { signal, giveUp }: { signal: AbortSignal | undefined; giveUp: () => void },
  ): Promise<T> {
    const leave = (): void => {
      this.#waiting.delete(waiting);
      giveUp();
      this.#proceed();
    };
    signal?.addEventListener('abort', leave, { once: true });
    this.#waiting.add(waiting);
    this.#proceed();
    return promise.finally(() => signal?.removeEventListener('abort', leave));
  }

  /** Settles and asks with the bank. Nothing that could be given back is used until its answer is there. */
  async exchange(bank: BudgetBank): Promise<Exchanged> {
    const asking = [...this.#waiting];
    const statement = this.#statement(asking);
    let answer: Answer;
    try {
      answer = await bank.exchange(statement);
    } catch (error) {
      for (const waiting of asking) {
        if (this.#waiting.delete(waiting)) waiting.fail(error);
      }
      this.#proceed();
      throw error;
    }
    this.#learn(statement, answer);
    for (const [at, decision] of answer.decisions.entries()) {
      const waiting = asking[at];
      // What was given up meanwhile does not start. Its money is left over.
      if (waiting && this.#waiting.has(waiting)) this.#end(waiting, decision);
    }
    this.#proceed();
    const waits = asking.filter((_, at) => answer.decisions[at]?.type === 'wait').map(({ type }) => type);
    const decided = asking.filter((_, at) => answer.decisions[at]?.type !== 'wait').map(({ type }) => type);
    return { waits: new Set(waits), decided: new Set(decided), isWanted: answer.isWanted };
  }

  /** Whether the bank could lease something of ours to another process. */
  get hasSurplus(): boolean {
    const used = this.#calls.unsettled();
    return (
      this.#forTrials - used - this.#trials.reserved > TOLERANCE ||
      this.#forCalls - used - this.#calls.underWay() > TOLERANCE ||
      (this.#mayOpen && this.#calls.open === null)
    );
  }

  /** Whether the bank does not know all that was spent, or that all trials have ended. */
  get isUnsettled(): boolean {
    if (this.#trials.running === 0 && this.#trials.reported > 0) return true;
    return this.#calls.unsettled() > 0 || this.#calls.own.unknownCalls > this.#calls.settled.unknownCalls;
  }

  #statement(asking: readonly Waiting[]): Statement {
    this.#forTrials = this.#calls.unsettled() + this.#trials.reserved;
    this.#forCalls = this.#calls.unsettled() + this.#calls.underWay();
    this.#mayOpen &&= this.#calls.open !== null;
    this.#hasNews = false;
    return {
      ...this.#calls.own,
      cannotBeKept: this.#calls.cannotBeKept,
      trials: Object.fromEntries(this.#trials.highest),
      calls: Object.fromEntries(
        [...this.#calls.costs].map(([kind, known]) => [kind, { ...known.report(), underWay: known.underWay }]),
      ),
      running: this.#trials.running,
      reserved: this.#trials.reserved,
      bounded: this.#calls.underWay(),
      open: this.#calls.open && { kind: this.#calls.open.kind, mostUsd: this.#calls.open.mostUsd },
      asks: asking.map((waiting) =>
        waiting.type === 'trial' ? { type: 'trial', kind: waiting.kind } : { type: 'call', ...waiting.call },
      ),
    };
  }

  #learn(statement: Statement, answer: Answer): void {
    const { spent, held, unknownCalls } = statement;
    this.#calls.settled = { spent, held, unknownCalls };
    this.#forTrials = answer.forTrials;
    this.#forCalls = answer.forCalls;
    this.#mayOpen = answer.mayOpen;
    this.#totals = answer.totals;
    this.#trials.reported = statement.running + answer.decisions.filter(({ type }) => type === 'trial').length;
    this.#calls.cannotBeKept ??= answer.cannotBeKept;
    for (const [kind, why] of Object.entries(answer.refused)) this.#trials.refused.set(Number(kind), why);
    for (const [kind, usd] of Object.entries(answer.trials)) this.#trials.learn(Number(kind), usd);
    for (const [kind, known] of Object.entries(answer.calls)) {
      this.#calls.costsOf(kind).learn(known, known.trust - (statement.calls[kind]?.underWay ?? 0));
    }
  }

  /** Decides about all that wait, as soon as the code that made the change has finished. */
  #proceed(): void {
    if (this.#isProceeding) return;
    this.#isProceeding = true;
    queueMicrotask(() => {
      this.#isProceeding = false;
      this.#decideAll();
    });
  }

  #decideAll(): void {
    const waits = new Set<Spender>();
    for (const waiting of this.#waiting) {
      const decision = waiting.type === 'trial' ? this.#decideTrial(waiting.kind) : this.#decideCall(waiting.call);
      if (decision.type === 'wait') waits.add(waiting.type);
      this.#end(waiting, decision);
    }
    const isIdle =
      this.#trials.running === 0 && this.#calls.boundedCalls === 0 && this.#calls.open === null && waits.size === 0;
    this.#branch?.onChange({ waits, isIdle, hasNews: this.#hasNews });
  }

  #end(waiting: Waiting, decision: Decision): void {
    if (decision.type === 'wait') return;
    this.#waiting.delete(waiting);
    if (decision.type === 'refused') this.refusal ??= decision.why;
    waiting.start(decision);
  }

  #decideCall(call: PaidCall): Decision {
    if (this.#calls.cannotBeKept !== null) return { type: 'refused', why: this.#calls.cannotBeKept };
    const known = this.#calls.costsOf(call.kind);
    const used = this.#calls.unsettled() + this.#calls.bounded;
    const expected = known.highestAt(call.place) ?? call.estimateUsd ?? 0;
    const most = known.isLimitBelieved && call.mostUsd !== null ? Math.max(call.mostUsd, known.highest ?? 0) : null;
    if (most !== null && used + (this.#calls.open?.expected ?? 0) + most <= this.#forCalls + TOLERANCE) {
      return { type: 'bounded', most };
    }
    const isLeft = used < this.#forCalls - TOLERANCE && used + expected <= this.#forCalls + TOLERANCE;
    const mayOpen = this.#mayOpen && (this.#branch?.isHeard() ?? true);
    if (mayOpen && this.#calls.open === null && isLeft) return { type: 'open', expected };
    if (this.#branch || this.#calls.boundedCalls > 0 || this.#calls.open !== null) return { type: 'wait' };
    return { type: 'refused', why: `another call could exceed the budget of $${this.#limit}; ${this.#account()}` };
  }

  #decideTrial(kind: number): Decision {
    const refused = this.#calls.cannotBeKept ?? this.#trials.refused.get(kind);
    if (refused !== undefined) return { type: 'refused', why: refused };
    const free = this.#forTrials - this.#calls.unsettled() - this.#trials.reserved;
    const expected = this.#trials.expected(kind);
    if (expected !== null && expected <= free + TOLERANCE) return { type: 'trial', share: expected };
    if (this.#branch || this.#trials.running > 0) return { type: 'wait' };
    // As long as nothing is known, a trial reserves all that is left, so that nothing starts beside it.
    if (expected === null && free > TOLERANCE) return { type: 'trial', share: free };
    const why = `another trial could exceed the budget of $${this.#limit}; ${this.#account()}`;
    this.#trials.refused.set(kind, why);
    return { type: 'refused', why };
  }

  #startTrial(kind: number, share: number): Reservation {
    this.#trials.begin(share);
    return createReservation(share, {
      admit: (describe, signal) => this.admit(describe, signal),
      onSpent: (taken) => this.#trials.spend(taken),
      onRelease: (heldBack, usd) => {
        this.#trials.end(heldBack);
        this.#hasNews ||= usd !== null && !this.#trials.highest.has(kind);
        if (usd !== null) this.#trials.learn(kind, usd);
        this.#proceed();
      },
    });
  }

  #account(): string {
    const { spent, held, unknownCalls, lost } = this.#totals;
    return accountWords({
      spent: spent + this.#calls.own.spent - this.#calls.settled.spent,
      held: held + this.#calls.own.held - this.#calls.settled.held,
      unknownCalls: unknownCalls + this.#calls.own.unknownCalls - this.#calls.settled.unknownCalls,
      lost,
    });
  }
}
