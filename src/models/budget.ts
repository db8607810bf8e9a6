import { SalvoError } from '../text/salvo-error.ts';
import { KnownCosts, TOLERANCE } from './known-costs.ts';

/** A request that may cost something, before it is sent. */
export interface PaidCall {
  /** Calls of one kind cost about the same: the model, and what it is asked for. */
  kind: string;
  /** Which request of its conversation it is, from 0: later ones have longer prompts. */
  place: number;
  /** What such a call usually costs; null when that is unknown. */
  estimateUsd: number | null;
  /** The most that it can cost; null when nothing limits it. */
  mostUsd: number | null;
}

/** Pays for calls. */
export interface CallBudget {
  /**
   * Waits until a call may be sent. Rejects with a `BudgetError` when it could exceed the limit, and when `signal` is
   * aborted. `describe` is only asked if there is a limit.
   */
  admit(describe: () => Promise<PaidCall>, signal?: AbortSignal | undefined): Promise<AdmittedCall>;
}

/**
 * A call that may be sent. Exactly one of these has to be called when it ends. They return what is counted for it.
 * @internal Exported for its tests.
 */
export interface AdmittedCall {
  /** It was answered; null when the cost is unknown, with the reason. */
  paid(usd: number | null, whyUnknown?: string): number;
  /** There was no answer, but it may have been charged. */
  maybePaid(): number;
  /** It was never sent, or the provider refused it. */
  notPaid(): void;
}

/**
 * Keeps what is spent below a limit, on two levels. A call holds back the most that it can cost while it is under way;
 * see docs/decisions/0023. A trial or a game reserves what the most expensive one before it cost, so that none is
 * started that could not be finished.
 */
export interface Budget extends CallBudget {
  /** Waits until a trial of this kind may start; null when it could exceed the limit. A kind is a scenario, say. */
  reserve(kind: number): Promise<Reservation | null>;
  /** Adds what was spent before, when a run or an experiment is resumed. */
  addEarlier(earlier: EarlierSpending): void;
  /** Why trials or calls were refused; null as long as none was. */
  readonly refusal: string | null;
}

/** One trial's share of the budget. Its calls are paid for from it first. */
interface Reservation extends CallBudget {
  /** Whether one of its calls was refused, so that the trial is not complete. */
  readonly wasRefused: boolean;
  /** The trial is over. `usd` is what it cost, when that is known from elsewhere than its calls. */
  release(usd?: number | null): void;
}

/** What a run or an experiment that is resumed has spent before. */
interface EarlierSpending {
  spentUsd: number;
  /** The most that a trial has cost, by kind. */
  highest?: ReadonlyMap<number, number> | undefined;
}

/** A call that was not sent, because of the budget. */
export class BudgetError extends SalvoError {
  constructor(message: string) {
    super('BUDGET', message);
  }
}

export function createBudget(limitUsd: number | null, earlier?: EarlierSpending): Budget {
  const budget = limitUsd === null ? UNLIMITED : new LimitedBudget(limitUsd);
  if (earlier) budget.addEarlier(earlier);
  return budget;
}

const UNPAID: AdmittedCall = { paid: () => 0, maybePaid: () => 0, notPaid: () => {} };

const UNLIMITED: Budget = {
  admit: async () => UNPAID,
  reserve: async () => ({ admit: async () => UNPAID, release: () => {}, wasRefused: false }),
  addEarlier: () => {},
  refusal: null,
};

/** For callers that have no limit to keep. */
export const NO_LIMIT: CallBudget = UNLIMITED;

const UNKNOWN_COST =
  'a reply had no token counts, or its model has no price under `prices` in salvo.yaml, so its cost is unknown';

class LimitedBudget implements Budget {
  refusal: string | null = null;
  readonly #limit: number;
  #spent = 0;
  /** For calls that may have been charged, nobody knows how much. */
  #heldForUnknown = 0;
  #unknownCalls = 0;
  readonly #costs = new Map<string, KnownCosts>();
  /** What the calls under way can cost that have an upper limit. */
  #bounded = 0;
  #boundedCalls = 0;
  /** What the one call under way is expected to cost that has no upper limit; null when there is none. */
  #open: number | null = null;
  /** A cost is unknown and nothing is known to hold back for it, so no call is safe. */
  #cannotBeKept: string | null = null;
  /** The most that a trial has cost, by kind. */
  readonly #highestTrial = new Map<number, number>();
  readonly #refusedTrials = new Set<number>();
  /** What running trials hold back beyond what they have spent. */
  #reserved = 0;
  #trials = 0;
  #waiting: (() => void)[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  addEarlier({ spentUsd, highest = new Map() }: EarlierSpending): void {
    this.#spent += spentUsd;
    for (const [kind, usd] of highest) this.#learnTrial(kind, usd);
  }

  async admit(describe: () => Promise<PaidCall>, signal?: AbortSignal): Promise<AdmittedCall> {
    const call = await describe();
    // A model that costs nothing needs no money.
    if (call.mostUsd === 0) return UNPAID;
    const known = this.#costsOf(call.kind);
    for (;;) {
      signal?.throwIfAborted();
      if (this.#cannotBeKept !== null) throw this.#refuse(this.#cannotBeKept);
      const used = this.#spent + this.#heldForUnknown + this.#bounded;
      const expected = known.highestAt(call.place) ?? call.estimateUsd ?? 0;
      const most = known.isLimitBelieved && call.mostUsd !== null ? Math.max(call.mostUsd, known.highest ?? 0) : null;
      if (most !== null && used + (this.#open ?? 0) + most <= this.#limit + TOLERANCE) return this.#begin(call, most);
      const isLeft = used < this.#limit - TOLERANCE && used + expected <= this.#limit + TOLERANCE;
      if (this.#open === null && isLeft) return this.#beginOpen(call, expected);
      if (this.#boundedCalls === 0 && this.#open === null) {
        throw this.#refuse(`another call could exceed the budget of $${this.#limit}; ${this.#account()}`);
      }
      await this.#change(signal);
    }
  }

  async reserve(kind: number): Promise<Reservation | null> {
    for (;;) {
      if (this.#cannotBeKept !== null) this.refusal ??= this.#cannotBeKept;
      if (this.#cannotBeKept !== null || this.#refusedTrials.has(kind)) return null;
      const free = this.#limit - this.#spent - this.#heldForUnknown - this.#reserved;
      const expected = this.#highestTrial.get(kind) ?? this.#highestOfAnyTrial();
      // As long as nothing is known, a trial reserves all that is left, so that nothing starts beside it.
      const share = expected ?? (this.#trials === 0 && free > TOLERANCE ? free : Number.POSITIVE_INFINITY);
      if (share <= free + TOLERANCE) return this.#startTrial(kind, share);
      if (this.#trials === 0) {
        this.#refusedTrials.add(kind);
        this.refusal ??= `another trial could exceed the budget of $${this.#limit}; ${this.#account()}`;
        return null;
      }
      await this.#change();
    }
  }

  #begin(call: PaidCall, most: number): AdmittedCall {
    const known = this.#costsOf(call.kind);
    this.#bounded += most;
    this.#boundedCalls += 1;
    known.underWay += 1;
    return this.#ending(call, () => {
      known.underWay -= 1;
      this.#boundedCalls -= 1;
      // No rounding errors are left when no call is.
      this.#bounded = this.#boundedCalls === 0 ? 0 : this.#bounded - most;
    });
  }

  #beginOpen(call: PaidCall, expected: number): AdmittedCall {
    this.#open = expected;
    return this.#ending(call, () => {
      this.#open = null;
    });
  }

  #ending(call: PaidCall, free: () => void): AdmittedCall {
    const known = this.#costsOf(call.kind);
    const end = (): void => {
      free();
      this.#wake();
    };
    const endUnknown = (held: number): number => {
      this.#unknownCalls += 1;
      this.#heldForUnknown += held;
      end();
      return held;
    };
    return {
      paid: (usd, whyUnknown = UNKNOWN_COST) => {
        if (usd === null) {
          const held = known.highest ?? call.mostUsd;
          if (held === null) this.#cannotBeKept ??= `the budget cannot be kept: ${whyUnknown}`;
          return endUnknown(held ?? 0);
        }
        this.#spent += usd;
        // Held back now, for calls that ended before anything was known about their kind.
        if (known.highest === null) this.#heldForUnknown += known.unheld * usd;
        known.add(call, usd);
        end();
        return usd;
      },
      maybePaid: () => {
        const held = known.highest ?? call.mostUsd;
        if (held === null) known.unheld += 1;
        return endUnknown(held ?? 0);
      },
      notPaid: end,
    };
  }

  #startTrial(kind: number, share: number): Reservation {
    let heldBack = share;
    let cost = 0;
    let answers = 0;
    let wasRefused = false;
    this.#reserved += share;
    this.#trials += 1;
    const count = (usd: number): number => {
      const taken = Math.min(heldBack, usd);
      heldBack -= taken;
      this.#reserved -= taken;
      cost += usd;
      return usd;
    };
    return {
      get wasRefused() {
        return wasRefused;
      },
      admit: async (describe, signal) => {
        const admitted = await this.admit(describe, signal).catch((error: unknown) => {
          wasRefused ||= error instanceof BudgetError;
          throw error;
        });
        return {
          ...admitted,
          paid: (usd, whyUnknown) => {
            answers += 1;
            return count(admitted.paid(usd, whyUnknown));
          },
          maybePaid: () => count(admitted.maybePaid()),
        };
      },
      // A trial that never got an answer does not tell what the next one costs.
      release: (usd = answers > 0 ? cost : null) => {
        this.#trials -= 1;
        this.#reserved = this.#trials === 0 ? 0 : this.#reserved - heldBack;
        heldBack = 0;
        if (usd !== null) this.#learnTrial(kind, usd);
        this.#wake();
      },
    };
  }

  #learnTrial(kind: number, usd: number): void {
    this.#highestTrial.set(kind, Math.max(usd, this.#highestTrial.get(kind) ?? 0));
  }

  /** Null when no trial that cost something has ended: free trials do not tell what others cost. */
  #highestOfAnyTrial(): number | null {
    return Math.max(0, ...this.#highestTrial.values()) || null;
  }

  #costsOf(kind: string): KnownCosts {
    const known = this.#costs.get(kind) ?? new KnownCosts();
    this.#costs.set(kind, known);
    return known;
  }

  #refuse(why: string): BudgetError {
    this.refusal ??= why;
    return new BudgetError(why);
  }

  #account(): string {
    const spent = `${dollars(this.#spent)} is spent`;
    if (this.#unknownCalls === 0) return spent;
    const calls = this.#unknownCalls === 1 ? 'a call' : `${this.#unknownCalls} calls`;
    const held = `${dollars(this.#heldForUnknown)} is held back for ${calls} of unknown cost`;
    // "$0.00 is spent" would be a lie.
    return this.#spent === 0 ? held : `${spent}, and ${held}`;
  }

  /** Resolves when a call or a trial has ended, or when `signal` is aborted. */
  async #change(signal?: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    const onAbort = (): void => resolve();
    signal?.addEventListener('abort', onAbort, { once: true });
    await promise;
    signal?.removeEventListener('abort', onAbort);
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resume of waiting) resume();
  }
}

/** With as many digits as a small amount needs: `$0.04`, `$0.000123`. */
function dollars(usd: number): string {
  return `$${usd.toFixed(6).replace(/0{1,4}$/, '')}`;
}
