/** Sums of floating-point costs may miss the limit by an ulp or two. */
export const TOLERANCE = 1e-12;

/** What the calls of one kind have cost. */
export class KnownCosts {
  /** Null when no cost is known. */
  highest: number | null = null;
  /** Calls that may have been charged, when nothing was known to hold back for them. */
  unheld = 0;
  /** Calls under way that hold back their upper limit. */
  underWay = 0;
  readonly #highestByPlace: number[] = [];
  #keptToLimit = 0;
  #exceededLimit = false;

  /**
   * Whether the upper limit of one more call is believed. A server may ignore `max_tokens`: so there are never more such
   * calls under way than have kept to their limits before, and none after one was more expensive.
   */
  get isLimitBelieved(): boolean {
    return this.underWay < this.#keptToLimit && !this.#exceededLimit;
  }

  highestAt(place: number): number | null {
    return this.#highestByPlace[place] ?? this.highest;
  }

  add({ place, mostUsd }: { place: number; mostUsd: number | null }, usd: number): void {
    this.highest = Math.max(usd, this.highest ?? 0);
    this.#highestByPlace[place] = Math.max(usd, this.#highestByPlace[place] ?? 0);
    if (mostUsd === null) return;
    if (usd > mostUsd + TOLERANCE) this.#exceededLimit = true;
    else this.#keptToLimit += 1;
  }
}
