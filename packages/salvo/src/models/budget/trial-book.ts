/** Which trials are under way in a process, what they hold back, and what is known about trials by kind. */
export class TrialBook {
  /** The most that a trial has cost, by kind. */
  readonly highest = new Map<number, number>();
  /** Why no other trial of a kind can be paid for. */
  readonly refused = new Map<number, string>();
  running = 0;
  /** What running trials hold back beyond what they have spent. */
  reserved = 0;
  /** How many trials a bank believes to be under way here. */
  reported = 0;

  begin(share: number): void {
    this.running += 1;
    this.reserved += share;
  }

  /** So much of what a trial holds back was spent. */
  spend(usd: number): void {
    this.reserved -= usd;
  }

  /** `heldBack` is left of the share of the trial. */
  end(heldBack: number): void {
    this.running -= 1;
    // No rounding errors are left when no trial is.
    this.reserved = this.running === 0 ? 0 : this.reserved - heldBack;
  }

  learn(kind: number, usd: number): void {
    this.highest.set(kind, Math.max(usd, this.highest.get(kind) ?? 0));
  }

  /** What the next trial of a kind may cost; null as long as nothing is known. */
  expected(kind: number): number | null {
    return this.highest.get(kind) ?? highestOfAnyTrial(this.highest.values());
  }
}

/** Null when no trial that cost something has ended: free trials do not tell what others cost. */
export function highestOfAnyTrial(costs: Iterable<number>): number | null {
  return Math.max(0, ...costs) || null;
}
