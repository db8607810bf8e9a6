import { contentHash } from '../../text/json/canonical-json.ts';
import {
  type AdmittedCall,
  type Budget,
  BudgetError,
  type EarlierSpending,
  type PaidCall,
  type Reservation,
  UNPAID,
} from './budget.ts';
import type { BudgetLease, BudgetReport, RenewedLease } from './budget-state.ts';
import { type BudgetRequest, type Decision, decide, missingIn, type Remaining, type Spender } from './decide.ts';
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

export interface BudgetActivity {
  /** What waits for money that is not leased. */
  waits: ReadonlySet<Spender>;
  /** Nothing is under way, and nothing waits. */
  isIdle: boolean;
  /** A cost is known that trials of other processes may wait for. */
  hasNews: boolean;
}

type Allowed = Extract<Decision, { type: 'allowed' }>;

/** A trial or a call that waits for money. */
interface Waiting {
  request: BudgetRequest;
  start(allowed: Allowed): void;
  fail(error: unknown): void;
}

const UNKNOWN_COST =
  'a reply had no token counts, or its model has no price under `prices` in salvo.yaml, so its cost is unknown';

/**
 * The part of a budget that a process has leased. It spends this without asking, and reports what it has spent. When the
 * lease is renewed, and where the state of the budget is, is up to the class that extends this one.
 */
export abstract class LeasedBudget implements Budget {
  refusal: string | null = null;
  /** From the beginning. */
  readonly #own = { spent: 0, held: 0, unknownCalls: 0 };
  readonly #known = knownCostsSchema.parse({});
  /** Trials under way, and what each reserves beyond what it has spent. */
  readonly #trials = new Set<{ reserved: number }>();
  /** Calls under way, and what each reserves. */
  readonly #calls = new Set<PaidCall & { usd: number; isOpen: boolean }>();
  #lease: BudgetLease = { forTrials: 0, forCalls: 0, mayOpen: false, trust: {}, missing: { trial: 0, call: 0 } };
  /** The last report. The lease is for all that has come since. */
  #reported: BudgetReport = this.#usage();
  /** Whether the last report may not have arrived. */
  #isUncertain = false;
  /** In order of arrival. */
  readonly #waiting = new Set<Waiting>();
  /** Those of the last report. */
  #asking: Waiting[] = [];
  #hasNews = false;
  #isDeciding = false;

  abstract addEarlier(earlier: EarlierSpending): void;
  /** Called after every change. */
  protected abstract onChange(activity: BudgetActivity): void;
  /** False when the state of the budget was out of reach for so long that it may count this process as lost. */
  protected abstract isReachable(): boolean;

  async admit(describe: () => Promise<PaidCall>, signal?: AbortSignal): Promise<AdmittedCall> {
    const described = await describe();
    // A model that costs nothing needs no money.
    if (described.mostUsd === 0) return UNPAID;
    // The kind may contain an address, and others see it.
    const call = { ...described, kind: contentHash(described.kind).slice(0, 16) };
    return await this.#wait({ type: 'call', ...call }, (allowed) => this.#startCall(call, allowed), signal);
  }

  async reserve(kind: number, signal?: AbortSignal): Promise<Reservation | null> {
    try {
      return await this.#wait({ type: 'trial', kind }, ({ usd }) => this.#startTrial(kind, usd), signal);
    } catch (error) {
      if (error instanceof BudgetError || signal?.aborted) return null;
      throw error;
    }
  }

  #wait<T>(request: BudgetRequest, start: (allowed: Allowed) => T, signal: AbortSignal | undefined): Promise<T> {
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const waiting: Waiting = { request, start: (allowed) => resolve(start(allowed)), fail: reject };
    const leave = (): void => {
      this.#waiting.delete(waiting);
      reject(signal?.reason);
      this.#decideSoon();
    };
    signal?.addEventListener('abort', leave, { once: true });
    this.#waiting.add(waiting);
    this.#decideSoon();
    return promise.finally(() => signal?.removeEventListener('abort', leave));
  }

  /** What to renew the lease with. `accept` or `fail` has to follow, and until then nothing is used that is given back. */
  protected report(): BudgetReport {
    const missing = missingIn(this.#left());
    this.#asking = [...this.#waiting];
    this.#hasNews = false;
    this.#reported = { ...this.#usage(), requests: this.#asking.map(({ request }) => request) };
    const { forTrials, forCalls, callsUnderWay: trust, open } = this.#reported;
    this.#lease = { forTrials, forCalls, mayOpen: this.#lease.mayOpen && open !== null, trust, missing };
    return this.#reported;
  }

  /** Takes what the last report got. Returns who got an answer, and who still has to wait. */
  protected accept({ lease, decisions, known }: RenewedLease): { decided: Set<Spender>; waits: Set<Spender> } {
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
  protected fail(error: unknown): void {
    this.#isUncertain = true;
    for (const waiting of this.#asking) {
      if (this.#waiting.delete(waiting)) waiting.fail(error);
    }
  }

  /** Whether something is leased that another process could use. */
  protected get hasSurplus(): boolean {
    const { mayOpen, missing } = this.#lease;
    const { forTrials, forCalls } = this.#left();
    if (forTrials + missing.trial > TOLERANCE || forCalls + missing.call > TOLERANCE) return true;
    return mayOpen && this.#underWay().open === null;
  }

  /** Whether something was spent, or all trials have ended, and that is not reported. */
  protected get isUnsettled(): boolean {
    if (this.#isUncertain || (this.#trials.size === 0 && this.#reported.running > 0)) return true;
    return this.#unsettled() > 0 || this.#own.unknownCalls > this.#reported.unknownCalls;
  }

  #usage(): BudgetReport {
    return { ...this.#own, ...this.#underWay(), known: structuredClone<KnownCosts>(this.#known), requests: [] };
  }

  #underWay(): Pick<BudgetReport, 'running' | 'forTrials' | 'forCalls' | 'callsUnderWay' | 'open'> {
    const callsUnderWay: Record<string, number> = {};
    let open: BudgetReport['open'] = null;
    let [forTrials, forCalls] = [0, 0];
    for (const { reserved } of this.#trials) forTrials += reserved;
    for (const { kind, mostUsd: most_usd, usd, isOpen } of this.#calls) {
      forCalls += usd;
      if (isOpen) open = { kind, most_usd };
      else callsUnderWay[kind] = (callsUnderWay[kind] ?? 0) + 1;
    }
    return { running: this.#trials.size, forTrials, forCalls, callsUnderWay, open };
  }

  /** What was spent or is held back, and is not reported. */
  #unsettled(): number {
    const { spent, held, known } = this.#reported;
    return this.#own.spent - spent + this.#own.held - held + heldForUnpriced(this.#known, known);
  }

  #left(): Remaining {
    const lease = this.#lease;
    const used = this.#unsettled();
    const { forTrials, forCalls, callsUnderWay, open } = this.#underWay();
    const keptSince = (kind: string): number =>
      (this.#known.calls[kind]?.kept ?? 0) - (this.#reported.known.calls[kind]?.kept ?? 0);
    return {
      forTrials: lease.forTrials - used - forTrials - lease.missing.trial,
      forCalls: lease.forCalls - used - forCalls - lease.missing.call,
      mayOpen: lease.mayOpen && open === null && this.isReachable(),
      trust: (kind) => (lease.trust[kind] ?? 0) + keptSince(kind) - (callsUnderWay[kind] ?? 0),
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
  protected decideAll(): void {
    const waits = new Set<Spender>();
    for (const waiting of this.#waiting) {
      const decision = decide(waiting.request, this.#known, this.#left());
      if (decision.type === 'wait') waits.add(waiting.request.type);
      this.#end(waiting, decision);
    }
    const isIdle = this.#trials.size === 0 && this.#calls.size === 0 && waits.size === 0;
    this.onChange({ waits, isIdle, hasNews: this.#hasNews });
  }

  #end(waiting: Waiting, decision: Decision): void {
    if (decision.type === 'wait') return;
    this.#waiting.delete(waiting);
    if (decision.type === 'allowed') {
      waiting.start(decision);
    } else {
      this.refusal ??= decision.why;
      waiting.fail(new BudgetError(decision.why));
    }
  }

  #startCall(paid: PaidCall, { usd: reserved, isOpen }: Allowed): AdmittedCall {
    const call = { ...paid, usd: reserved, isOpen };
    this.#calls.add(call);
    const end = (): void => {
      this.#calls.delete(call);
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
          const held = this.#known.calls[call.kind]?.highest ?? call.mostUsd;
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
    const trial = { reserved };
    this.#trials.add(trial);
    const admit: Reservation['admit'] = (describe, signal) => this.admit(describe, signal);
    return createReservation(trial, admit, (usd) => {
      this.#trials.delete(trial);
      this.#hasNews ||= usd !== null && this.#known.trials[kind] === undefined;
      if (usd !== null) learnTrial(this.#known, kind, usd);
      this.#decideSoon();
    });
  }
}
