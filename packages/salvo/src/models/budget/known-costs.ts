/** Sums of floating-point costs may miss the limit by an ulp or two. */
export const TOLERANCE = 1e-12;

/** What a process has learned about the calls of one kind, for the others that share its budget. */
export interface CallCosts {
  /** Null when no cost is known. */
  highest: number | null;
  /** The highest cost by the place of a call in its conversation. */
  places: Record<string, number>;
  /** How many calls have kept to their upper limit so far. */
  kept: number;
  exceeded: boolean;
  /** How many calls may have been charged so far, when nothing was known to hold back for them. */
  unheld: number;
}

/** What the calls of one kind have cost. */
export class KnownCosts {
  /** Null when no cost is known. */
  highest: number | null = null;
  /** Calls that may have been charged, when nothing was known to hold back for them. */
  unheld = 0;
  /** Calls under way that hold back their upper limit. */
  underWay = 0;
  readonly #highestByPlace = new Map<string, number>();
  #kept = 0;
  /** How many calls may be under way that hold back their upper limit. */
  #trusted = 0;
  #exceededLimit = false;
  #reportedUnheld = 0;

  /**
   * Whether the upper limit of one more call is believed. A server may ignore `max_tokens`: so there are never more such
   * calls under way than have kept to their limits before, and none after one was more expensive.
   */
  get isLimitBelieved(): boolean {
    return this.underWay < this.#trusted && !this.#exceededLimit;
  }

  highestAt(place: number): number | null {
    return this.#highestByPlace.get(String(place)) ?? this.highest;
  }

  add({ place, mostUsd }: { place: number; mostUsd: number | null }, usd: number): void {
    this.#raise(usd, { [place]: usd });
    if (mostUsd === null) return;
    if (usd > mostUsd + TOLERANCE) {
      this.#exceededLimit = true;
    } else {
      this.#kept += 1;
      this.#trusted += 1;
    }
  }

  /** What the others may know. They may use all trust that no call under way needs, until `learn` gives some back. */
  report(): CallCosts {
    this.#trusted = this.underWay;
    this.#reportedUnheld += this.unheld;
    this.unheld = 0;
    return {
      highest: this.highest,
      places: Object.fromEntries(this.#highestByPlace),
      kept: this.#kept,
      exceeded: this.#exceededLimit,
      unheld: this.#reportedUnheld,
    };
  }

  learn({ highest, places, exceeded }: Omit<CallCosts, 'kept' | 'unheld'>, moreTrust: number): void {
    if (highest !== null) this.#raise(highest, places);
    this.#exceededLimit ||= exceeded;
    this.#trusted += moreTrust;
  }

  #raise(highest: number, places: Record<string, number>): void {
    this.highest = Math.max(highest, this.highest ?? 0);
    for (const [place, usd] of Object.entries(places)) {
      this.#highestByPlace.set(place, Math.max(usd, this.#highestByPlace.get(place) ?? 0));
    }
  }
}
