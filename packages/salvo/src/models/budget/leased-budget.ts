import { contentHash } from '../../text/json/canonical-json.ts';
import { type AdmittedCall, type Budget, BudgetError, type PaidCall, type Reservation, UNPAID } from './budget.ts';
import type { BudgetLease, BudgetReport, RenewedLease } from './budget-state.ts';
import { type BudgetRequest, type Decision, decide, type Remaining, type Spender } from './decide.ts';
import {
  heldForUnpriced,
  holdBack,
  type KnownCosts,
  knownCostsSchema,
  learn,
  learnCall,
  learnTrial,
  TOLERANCE,
} from './known-costs.ts';
import { createReservation } from './trial-reservation.ts';

/** Renews the lease of a budget when that is necessary. */
export interface LeaseRenewer {
  /** Called after every change. */
  onChange(activity: BudgetActivity): void;
  /** False when the state of the budget was out of reach for so long that it may count this process as lost. */
  isReachable(): boolean;
}

export interface BudgetActivity {
  /** What waits for money that is not leased. */
  waits: ReadonlySet<Spender>;
  /** Nothing is under way, and nothing waits. */
  isIdle: boolean;
  /** A cost is known that trials of other processes may wait for. */
  hasNews: boolean;
}

/** A trial or a call that waits for money. */
interface Waiting {
  request: BudgetRequest;
  end(decision: Exclude<Decision, { type: 'wait' }>): void;
  fail(error: unknown): void;
}

type Allowed = Extract<Decision, { type: 'allowed' }>;

const UNKNOWN_COST =
  'a reply had no token counts, or its model has no price under `prices` in salvo.yaml, so its cost is unknown';

/** The part of a budget that a process has leased. It spends this without asking, and reports what it has spent. */
export class LeasedBudget implements Omit<Budget, 'addEarlier'> {
  refusal: string | null = null;
  readonly #renewer: LeaseRenewer;
  /** From the beginning. */
  readonly #own = { spent: 0, held: 0, unknownCalls: 0 };
  readonly #known = knownCostsSchema.parse({});
  readonly #trials = new Reserved();
  readonly #calls = new Reserved();
  readonly #callsUnderWay: Record<string, number> = {};
  /** The one call under way that may cost more than it reserves. */
  #open: BudgetReport['open'] = null;
  #lease: BudgetLease = { forTrials: 0, forCalls: 0, mayOpen: false, trust: {} };
  /** What was reported last. The lease is for all that has come since. */
  #reported: Omit<BudgetReport, 'requests'>;
  /** The last report may not have arrived. */
  #isUncertain = false;
  /** In order of arrival. */
  readonly #waiting = new Set<Waiting>();
  #asking: Waiting[] = [];
  #hasNews = false;
  #isDeciding = false;

  constructor(renewer: LeaseRenewer) {
    this.#renewer = renewer;
    this.#reported = this.#usage();
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
      request: { type: 'call', ...call },
      end(decision) {
        if (decision.type === 'allowed') resolve(start(decision));
        else reject(new BudgetError(decision.why));
      },
      fail: reject,
    };
    const start = (allowed: Allowed) => this.#startCall(call, allowed);
    return this.#wait(waiting, promise, { signal, giveUp: () => reject(signal?.reason) });
  }

  async reserve(kind: number, signal?: AbortSignal): Promise<Reservation | null> {
    if (signal?.aborted) return null;
    const { promise, resolve, reject } = Promise.withResolvers<Reservation | null>();
    const waiting: Waiting = {
      request: { type: 'trial', kind },
      end: (decision) => resolve(decision.type === 'allowed' ? this.#startTrial(kind, decision.usd) : null),
      fail: reject,
    };
    return this.#wait(waiting, promise, { signal, giveUp: () => resolve(null) });
  }

  #wait<T>(
    waiting: Waiting,
    promise: Promise<T>,
    { signal, giveUp }: { signal: AbortSignal | undefined; giveUp: () => void },
  ): Promise<T> {
    const leave = (): void => {
      this.#waiting.delete(waiting);
      giveUp();
      this.#decideSoon();
    };
    signal?.addEventListener('abort', leave, { once: true });
    this.#waiting.add(waiting);
    this.#decideSoon();
    return promise.finally(() => signal?.removeEventListener('abort', leave));
  }

  /** What to renew the lease with. `accept` or `fail` has to follow, and until then nothing is used that is given back. */
  report(): BudgetReport {
    this.#asking = [...this.#waiting];
    this.#hasNews = false;
    this.#reported = this.#usage();
    const { forTrials, forCalls, callsUnderWay: trust } = this.#reported;
    this.#lease = { forTrials, forCalls, trust, mayOpen: this.#lease.mayOpen && this.#open !== null };
    return { ...this.#reported, requests: this.#asking.map(({ request }) => request) };
  }

  /** Takes what the last report got. Returns who got something, and who still has to wait. */
  accept({ lease, decisions, known }: RenewedLease): { decided: Set<Spender>; waits: Set<Spender> } {
    this.#isUncertain = false;
    this.#lease = lease;
    learn(this.#known, known);
    const decided = new Set<Spender>();
    const waits = new Set<Spender>();
    for (const [at, waiting] of this.#asking.entries()) {
      const { type } = waiting.request;
      const decision = decisions[at] ?? { type: 'wait' };
      (decision.type === 'wait' ? waits : decided).add(type);
      if (type === 'trial' && decision.type === 'allowed') this.#reported.running += 1;
      // What was given up meanwhile does not start. Its money is left over.
      if (this.#waiting.has(waiting)) this.#end(waiting, decision);
    }
    return { decided, waits };
  }

  /** The last report got no answer. */
  fail(error: unknown): void {
    this.#isUncertain = true;
    for (const waiting of this.#asking) {
      if (this.#waiting.delete(waiting)) waiting.fail(error);
    }
  }

  /** Whether something is leased that another process could use. */
  get hasSurplus(): boolean {
    const { forTrials, forCalls } = this.#left();
    return forTrials > TOLERANCE || forCalls > TOLERANCE || (this.#lease.mayOpen && this.#open === null);
  }

  /** Whether something was spent, or all trials have ended, and that is not reported. */
  get isUnsettled(): boolean {
    if (this.#isUncertain || (this.#trials.count === 0 && this.#reported.running > 0)) return true;
    return this.#unsettled() > 0 || this.#own.unknownCalls > this.#reported.unknownCalls;
  }

  #usage(): Omit<BudgetReport, 'requests'> {
    return {
      ...this.#own,
      known: structuredClone<KnownCosts>(this.#known),
      running: this.#trials.count,
      forTrials: this.#trials.usd,
      forCalls: this.#calls.usd,
      callsUnderWay: { ...this.#callsUnderWay },
      open: this.#open,
    };
  }

  /** What was spent or is held back, and is not reported. */
  #unsettled(): number {
    const { spent, held, known } = this.#reported;
    return this.#own.spent - spent + this.#own.held - held + heldForUnpriced(this.#known, known);
  }

  #left(): Remaining {
    const used = this.#unsettled();
    const { forTrials, forCalls, mayOpen, trust } = this.#lease;
    const keptSince = (kind: string): number =>
      (this.#known.calls[kind]?.kept ?? 0) - (this.#reported.known.calls[kind]?.kept ?? 0);
    return {
      forTrials: forTrials - used - this.#trials.usd,
      forCalls: forCalls - used - this.#calls.usd,
      mayOpen: mayOpen && this.#open === null && this.#renewer.isReachable(),
      trust: (kind) => (trust[kind] ?? 0) + keptSince(kind) - (this.#callsUnderWay[kind] ?? 0),
      budget: null,
    };
  }

  /** As soon as the code that made the change has finished. */
  #decideSoon(): void {
    if (this.#isDeciding) return;
    this.#isDeciding = true;
    queueMicrotask(() => {
      this.#isDeciding = false;
      this.decideAll();
    });
  }

  /** Starts or refuses all that need not wait for another lease. */
  decideAll(): void {
    const waits = new Set<Spender>();
    for (const waiting of this.#waiting) {
      const decision = decide(waiting.request, this.#known, this.#left());
      if (decision.type === 'wait') waits.add(waiting.request.type);
      this.#end(waiting, decision);
    }
    const isIdle = this.#trials.count === 0 && this.#calls.count === 0 && waits.size === 0;
    this.#renewer.onChange({ waits, isIdle, hasNews: this.#hasNews });
  }

  #end(waiting: Waiting, decision: Decision): void {
    if (decision.type === 'wait') return;
    this.#waiting.delete(waiting);
    if (decision.type === 'refused') this.refusal ??= decision.why;
    waiting.end(decision);
  }

  #startCall(call: PaidCall, { usd: reserved, isOpen }: Allowed): AdmittedCall {
    const { kind, mostUsd } = call;
    const countOfKind = (change: number): void => {
      this.#callsUnderWay[kind] = (this.#callsUnderWay[kind] ?? 0) + change;
    };
    this.#calls.add(reserved);
    if (isOpen) this.#open = { kind, most_usd: mostUsd };
    else countOfKind(1);
    const end = (): void => {
      this.#calls.remove(reserved);
      if (isOpen) this.#open = null;
      else countOfKind(-1);
      this.#decideSoon();
    };
    const endUnknown = (held: number): number => {
      this.#own.unknownCalls += 1;
      this.#own.held += held;
      end();
      return held;
    };
    return {
      paid: (usd, whyUnknown = UNKNOWN_COST) => {
        if (usd === null) {
          const held = this.#known.calls[kind]?.highest ?? mostUsd;
          if (held === null) this.#known.cannot_be_kept ??= `the budget cannot be kept: ${whyUnknown}`;
          return endUnknown(held ?? 0);
        }
        this.#own.spent += usd;
        learnCall(this.#known, call, usd);
        end();
        return usd;
      },
      maybePaid: () => endUnknown(holdBack(this.#known, call)),
      notPaid: end,
    };
  }

  #startTrial(kind: number, reserved: number): Reservation {
    this.#trials.add(reserved);
    return createReservation(reserved, {
      admit: (describe, signal) => this.admit(describe, signal),
      onSpent: (usd) => this.#trials.spend(usd),
      onRelease: (left, usd) => {
        this.#trials.remove(left);
        this.#hasNews ||= usd !== null && this.#known.trials[kind] === undefined;
        if (usd !== null) learnTrial(this.#known, kind, usd);
        this.#decideSoon();
      },
    });
  }
}

/** What trials or calls under way reserve. */
class Reserved {
  count = 0;
  usd = 0;

  add(usd: number): void {
    this.count += 1;
    this.usd += usd;
  }

  /** So much of what is reserved was spent. */
  spend(usd: number): void {
    this.usd -= usd;
  }

  remove(usd: number): void {
    this.count -= 1;
    // No rounding errors are left when nothing is under way.
    this.usd = this.count === 0 ? 0 : this.usd - usd;
  }
}
