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
  readonly #book = new CallBook();
  /** The most that a trial has cost, by kind. */
  readonly #highestTrial = new Map<number, number>();
  readonly #refusedTrials = new Map<number, string>();
  /** What running trials hold back beyond what they have spent. */
  #reserved = 0;
  #trials = 0;
  /** How many trials the bank believes to be under way here. */
  #reportedTrials = 0;
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
    this.#book.own.spent += spentUsd;
    for (const [kind, usd] of highest) this.#learnTrial(kind, usd);
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
        if (decision.type === 'bounded') resolve(this.#book.begin(call, decision.most, () => this.#proceed()));
        if (decision.type === 'open') resolve(this.#book.beginOpen(call, decision.expected, () => this.#proceed()));
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
    const used = this.#book.unsettled();
    return (
      this.#forTrials - used - this.#reserved > TOLERANCE ||
      this.#forCalls - used - this.#book.underWay() > TOLERANCE ||
      (this.#mayOpen && this.#book.open === null)
    );
  }

  /** Whether the bank does not know all that was spent, or that all trials have ended. */
  get isUnsettled(): boolean {
    if (this.#trials === 0 && this.#reportedTrials > 0) return true;
    return this.#book.unsettled() > 0 || this.#book.own.unknownCalls > this.#book.settled.unknownCalls;
  }

  #statement(asking: readonly Waiting[]): Statement {
    this.#forTrials = this.#book.unsettled() + this.#reserved;
    this.#forCalls = this.#book.unsettled() + this.#book.underWay();
    this.#mayOpen &&= this.#book.open !== null;
    this.#hasNews = false;
    return {
      ...this.#book.own,
      cannotBeKept: this.#book.cannotBeKept,
      trials: Object.fromEntries(this.#highestTrial),
      calls: Object.fromEntries(
        [...this.#book.costs].map(([kind, known]) => [kind, { ...known.report(), underWay: known.underWay }]),
      ),
      running: this.#trials,
      reserved: this.#reserved,
      bounded: this.#book.underWay(),
      open: this.#book.open && { kind: this.#book.open.kind, mostUsd: this.#book.open.mostUsd },
      asks: asking.map((waiting) =>
        waiting.type === 'trial' ? { type: 'trial', kind: waiting.kind } : { type: 'call', ...waiting.call },
      ),
    };
  }

  #learn(statement: Statement, answer: Answer): void {
    const { spent, held, unknownCalls } = statement;
    this.#book.settled = { spent, held, unknownCalls };
    this.#forTrials = answer.forTrials;
    this.#forCalls = answer.forCalls;
    this.#mayOpen = answer.mayOpen;
    this.#totals = answer.totals;
    this.#reportedTrials = statement.running + answer.decisions.filter(({ type }) => type === 'trial').length;
    this.#book.cannotBeKept ??= answer.cannotBeKept;
    for (const [kind, why] of Object.entries(answer.refused)) this.#refusedTrials.set(Number(kind), why);
    for (const [kind, usd] of Object.entries(answer.trials)) this.#learnTrial(Number(kind), usd);
    for (const [kind, known] of Object.entries(answer.calls)) {
      this.#book.costsOf(kind).learn(known, known.trust - (statement.calls[kind]?.underWay ?? 0));
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
    const isIdle = this.#trials === 0 && this.#book.boundedCalls === 0 && this.#book.open === null && waits.size === 0;
    this.#branch?.onChange({ waits, isIdle, hasNews: this.#hasNews });
  }

  #end(waiting: Waiting, decision: Decision): void {
    if (decision.type === 'wait') return;
    this.#waiting.delete(waiting);
    if (decision.type === 'refused') this.refusal ??= decision.why;
    waiting.start(decision);
  }

  #decideCall(call: PaidCall): Decision {
    if (this.#book.cannotBeKept !== null) return { type: 'refused', why: this.#book.cannotBeKept };
    const known = this.#book.costsOf(call.kind);
    const used = this.#book.unsettled() + this.#book.bounded;
    const expected = known.highestAt(call.place) ?? call.estimateUsd ?? 0;
    const most = known.isLimitBelieved && call.mostUsd !== null ? Math.max(call.mostUsd, known.highest ?? 0) : null;
    if (most !== null && used + (this.#book.open?.expected ?? 0) + most <= this.#forCalls + TOLERANCE) {
      return { type: 'bounded', most };
    }
    const isLeft = used < this.#forCalls - TOLERANCE && used + expected <= this.#forCalls + TOLERANCE;
    const mayOpen = this.#mayOpen && (this.#branch?.isHeard() ?? true);
    if (mayOpen && this.#book.open === null && isLeft) return { type: 'open', expected };
    if (this.#branch || this.#book.boundedCalls > 0 || this.#book.open !== null) return { type: 'wait' };
    return { type: 'refused', why: `another call could exceed the budget of $${this.#limit}; ${this.#account()}` };
  }

  #decideTrial(kind: number): Decision {
    const refused = this.#book.cannotBeKept ?? this.#refusedTrials.get(kind);
    if (refused !== undefined) return { type: 'refused', why: refused };
    const free = this.#forTrials - this.#book.unsettled() - this.#reserved;
    const expected = this.#highestTrial.get(kind) ?? highestOfAnyTrial(this.#highestTrial.values());
    if (expected !== null && expected <= free + TOLERANCE) return { type: 'trial', share: expected };
    if (this.#branch || this.#trials > 0) return { type: 'wait' };
    // As long as nothing is known, a trial reserves all that is left, so that nothing starts beside it.
    if (expected === null && free > TOLERANCE) return { type: 'trial', share: free };
    const why = `another trial could exceed the budget of $${this.#limit}; ${this.#account()}`;
    this.#refusedTrials.set(kind, why);
    return { type: 'refused', why };
  }

  #startTrial(kind: number, share: number): Reservation {
    this.#reserved += share;
    this.#trials += 1;
    return createReservation(share, {
      admit: (describe, signal) => this.admit(describe, signal),
      onSpent: (taken) => {
        this.#reserved -= taken;
      },
      onRelease: (heldBack, usd) => {
        this.#trials -= 1;
        this.#reserved = this.#trials === 0 ? 0 : this.#reserved - heldBack;
        this.#hasNews ||= usd !== null && !this.#highestTrial.has(kind);
        if (usd !== null) this.#learnTrial(kind, usd);
        this.#proceed();
      },
    });
  }

  #learnTrial(kind: number, usd: number): void {
    this.#highestTrial.set(kind, Math.max(usd, this.#highestTrial.get(kind) ?? 0));
  }

  #account(): string {
    const { spent, held, unknownCalls, lost } = this.#totals;
    return accountWords({
      spent: spent + this.#book.own.spent - this.#book.settled.spent,
      held: held + this.#book.own.held - this.#book.settled.held,
      unknownCalls: unknownCalls + this.#book.own.unknownCalls - this.#book.settled.unknownCalls,
      lost,
    });
  }
}

/** Null when no trial that cost something has ended: free trials do not tell what others cost. */
export function highestOfAnyTrial(costs: Iterable<number>): number | null {
  return Math.max(0, ...costs) || null;
}
