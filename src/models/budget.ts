/**
 * Keeps what is spent below a limit. What a trial costs is known only afterwards, so each one reserves the most that a
 * trial of its kind has cost so far. The first of a kind is a probe: no other trial can start while it runs.
 */
export interface Budget {
  /** Waits until a trial of this kind may start; null when it could exceed the limit. A kind is a scenario, say. */
  reserve(kind: number): Promise<Reservation | null>;
  /** Why trials were refused; null as long as none was. */
  readonly refusal: string | null;
}

/** One trial's share of the budget, as it is spent. */
export interface Spending {
  /** Whether one more request can be paid for; what it may cost is then held back. */
  mayRequest(): boolean;
  /** What a request cost; null when that is unknown, with the reason. */
  spend(usd: number | null, whyUnknown?: string): void;
  /** Why no request can be paid for any more, other than that the money is spent: a cost is unknown. */
  readonly unknownCost: string | null;
}

interface Reservation extends Spending {
  /** The trial is over. */
  release(): void;
}

/** What a run or an experiment that is resumed has spent before. */
interface EarlierSpending {
  spentUsd: number;
  /** The most that a trial has cost, by kind. */
  highest?: ReadonlyMap<number, number> | undefined;
}

export function createBudget(limitUsd: number | null, earlier: EarlierSpending = { spentUsd: 0 }): Budget {
  return limitUsd === null ? UNLIMITED : new LimitedBudget(limitUsd, earlier);
}

const UNLIMITED: Budget = {
  reserve: async () => ({ mayRequest: () => true, spend: () => {}, release: () => {}, unknownCost: null }),
  refusal: null,
};

const UNKNOWN_COST =
  'a reply had no token counts, or its model has no price under `prices` in salvo.yaml, so its cost is unknown';

// Sums of floating-point costs may miss the limit by an ulp or two.
const TOLERANCE = 1e-12;

class LimitedBudget implements Budget {
  refusal: string | null = null;
  readonly #limit: number;
  /** The most that a trial has cost, by kind. */
  readonly #highestTrial: Map<number, number>;
  /** The most that the first, second, third... request of a trial has cost, by kind. */
  readonly #highestRequests = new Map<number, number[]>();
  #highestRequest: number;
  #spent: number;
  /** What running trials hold back beyond what they have spent. */
  #reserved = 0;
  #running = 0;
  #waiting: (() => void)[] = [];

  constructor(limit: number, { spentUsd, highest = new Map() }: EarlierSpending) {
    this.#limit = limit;
    this.#spent = spentUsd;
    this.#highestTrial = new Map(highest);
    // The requests of earlier trials are not known one by one: none cost more than its whole trial.
    this.#highestRequest = Math.max(0, ...highest.values());
  }

  async reserve(kind: number): Promise<Reservation | null> {
    for (;;) {
      if (this.refusal) return null;
      const free = this.#limit - this.#spent - this.#reserved;
      const known = this.#highestTrial.get(kind);
      // A probe reserves all that is left, so that nothing starts beside it.
      const mayProbe = this.#running === 0 && free > TOLERANCE && this.#highestRequest <= free + TOLERANCE;
      const share = known ?? (mayProbe ? free : Number.POSITIVE_INFINITY);
      if (share <= free + TOLERANCE) return this.#start(kind, share);
      if (this.#running === 0) {
        this.refusal = `another trial could exceed the budget of $${this.#limit}; ${dollars(this.#spent)} is spent`;
        return null;
      }
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  #start(kind: number, share: number): Reservation {
    let heldBack = share;
    let cost: number | null = 0;
    let unknownCost: string | null = null;
    let requests = 0;
    const highest = this.#highestRequests.get(kind) ?? [];
    this.#highestRequests.set(kind, highest);
    this.#reserved += share;
    this.#running += 1;
    const holdBack = (usd: number): void => {
      this.#reserved += usd - heldBack;
      heldBack = usd;
    };
    return {
      mayRequest: () => {
        if (this.refusal && cost === null) return false;
        const next = highest[requests] ?? this.#highestRequest;
        const othersHold = this.#reserved - heldBack;
        if (this.#spent + othersHold + next > this.#limit + TOLERANCE) return false;
        // Held back while the request is under way, so that several at once do not count on the same money.
        holdBack(Math.max(heldBack, next));
        return true;
      },
      get unknownCost() {
        return unknownCost;
      },
      spend: (usd, whyUnknown = UNKNOWN_COST) => {
        if (usd === null) {
          cost = null;
          unknownCost = whyUnknown;
          this.refusal ??= `the budget cannot be kept: ${whyUnknown}`;
          return;
        }
        if (cost !== null) cost += usd;
        this.#spent += usd;
        this.#highestRequest = Math.max(this.#highestRequest, usd);
        highest[requests] = Math.max(usd, highest[requests] ?? 0);
        requests += 1;
        holdBack(Math.max(0, heldBack - usd));
      },
      release: () => {
        holdBack(0);
        this.#running -= 1;
        // A trial that never got an answer does not tell what the next one costs.
        if (cost !== null && requests > 0)
          this.#highestTrial.set(kind, Math.max(cost, this.#highestTrial.get(kind) ?? 0));
        const waiting = this.#waiting;
        this.#waiting = [];
        for (const resume of waiting) resume();
      },
    };
  }
}

/** With as many digits as a small amount needs: `$0.04`, `$0.000123`. */
function dollars(usd: number): string {
  return `$${usd.toFixed(6).replace(/0{1,4}$/, '')}`;
}
