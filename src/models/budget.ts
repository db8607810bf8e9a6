import type { Spending } from '../trial/run-trial.ts';

/**
 * Keeps what is spent below a limit. A trial's cost is known only afterwards, so each one reserves the most that a
 * trial of its scenario has cost so far; the first of a scenario is a probe that runs while no other can start.
 */
export interface Budget {
  /** Waits until a trial of the scenario may start; null when it can't without going over. */
  reserve(scenario: number): Promise<Reservation | null>;
  /** Why trials were refused; null as long as none was. */
  readonly refusal: string | null;
}

/** What is held back for one trial. */
interface Reservation extends Spending {
  /** The trial is over. */
  release(): void;
}

/** `spentUsd` is what earlier trials of a resumed run have cost. */
export function createBudget(limitUsd: number | null, spentUsd = 0): Budget {
  return limitUsd === null ? UNLIMITED : new LimitedBudget(limitUsd, spentUsd);
}

const UNLIMITED: Budget = {
  reserve: async () => ({ mayRequest: () => true, spend: () => {}, release: () => {} }),
  refusal: null,
};

// Sums of floating-point costs may miss the limit by an ulp or two; nobody is billed for that.
const TOLERANCE = 1e-12;

class LimitedBudget implements Budget {
  refusal: string | null = null;
  readonly #limit: number;
  /** The most that a trial has cost, by scenario. */
  readonly #highestTrial = new Map<number, number>();
  /** The most that the first, second, third... request of a trial has cost, by scenario. */
  readonly #highestRequests = new Map<number, number[]>();
  #highestRequest = 0;
  #spent: number;
  /** What running trials hold back beyond what they have spent. */
  #reserved = 0;
  #running = 0;
  #waiting: (() => void)[] = [];

  constructor(limit: number, spent: number) {
    this.#limit = limit;
    this.#spent = spent;
  }

  async reserve(scenario: number): Promise<Reservation | null> {
    for (;;) {
      if (this.refusal) return null;
      const free = this.#limit - this.#spent - this.#reserved;
      const known = this.#highestTrial.get(scenario);
      // A probe takes all that is left, so that nothing starts beside it.
      const mayProbe = this.#running === 0 && free > TOLERANCE && this.#highestRequest <= free + TOLERANCE;
      const share = known ?? (mayProbe ? free : Number.POSITIVE_INFINITY);
      if (share <= free + TOLERANCE) return this.#start(scenario, share);
      if (this.#running === 0) {
        this.refusal = `another trial could exceed the budget of $${this.#limit}; $${this.#spent.toFixed(6)} is spent`;
        return null;
      }
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  #start(scenario: number, share: number): Reservation {
    let heldBack = share;
    let cost: number | null = 0;
    let requests = 0;
    const highest = this.#highestRequests.get(scenario) ?? [];
    this.#highestRequests.set(scenario, highest);
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
        // Held back while the request is under way, or several at once would count on the same money.
        holdBack(Math.max(heldBack, next));
        return true;
      },
      spend: (usd) => {
        if (usd === null) {
          cost = null;
          this.refusal ??=
            'the cost of a request is unknown, so the budget cannot be kept: add the model to `prices` in salvo.yaml';
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
        // A trial that never got an answer says nothing of what the next one costs.
        if (cost !== null && requests > 0)
          this.#highestTrial.set(scenario, Math.max(cost, this.#highestTrial.get(scenario) ?? 0));
        const waiting = this.#waiting;
        this.#waiting = [];
        for (const resume of waiting) resume();
      },
    };
  }
}
