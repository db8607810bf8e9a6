/** Pages of numbers that several processes keep together: what is left of a budget, who has which share of a limit. */
export interface Ledger {
  /**
   * Reads and changes a page while no other process can. `change` may be called again if the connection was lost, so it
   * must have the same effect twice as once.
   */
  change<T>(page: string, change: (page: LedgerPage) => LedgerChange<T>): Promise<T>;
  /** Notes that a member is alive. Returns those of the pages on which something is wanted that a member may have. */
  renew(member: string, pages: readonly string[]): Promise<string[]>;
  /** Removes a page, and forgets members that were not heard of for long. */
  remove(page: string): Promise<void>;
}

export interface LedgerPage {
  /** As it was written; null if there is no such page. */
  state: unknown;
  /** The time of the database, which is the same for all. */
  nowMs: number;
  /** Whether a member was heard of lately. */
  isAlive(member: string): boolean;
}

export interface LedgerChange<T> {
  /** JSON. Undefined: the page stays as it is. */
  state?: unknown;
  /** What `renew` tells the other members. */
  isWanted?: boolean;
  result: T;
}

/** A process that is not heard of for this time counts as dead. */
export const MEMBER_LEASE_MS = 10_000;
/** How often a member has to be heard of. */
export const RENEW_MS = 1000;
