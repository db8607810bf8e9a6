import type { AdapterContext } from '../../adapters/adapter-factory.ts';
import type { Work } from '../../queue/lease.ts';
import type { LimiterOf } from '../call/call-services.ts';
import type { Budget } from './budget.ts';

/** One process's part of the limits that several processes keep together. */
export interface SharedLimits extends AsyncDisposable {
  /** Pays for the calls of a piece of work, within the limit that its coordinator has set. */
  budgetOf(work: Work, limitUsd: number): Budget;
  limitersOf(context: AdapterContext): LimiterOf;
}

/** Where several processes keep limits together: a row for each budget, and for each provider. */
export interface LimitTable {
  /**
   * Reads and changes a row while no other process can. `change` may be called again if the connection was lost, so it
   * must have the same effect twice as once.
   */
  update<T>(name: string, change: (row: LockedLimit) => LimitUpdate<T>): Promise<T>;
  /** Notes that a member is alive. Returns those of the limits of which another member wants something. */
  heartbeat(member: string, names: readonly string[]): Promise<string[]>;
  /** Removes a row, and forgets members that stopped responding long ago. */
  remove(name: string): Promise<void>;
}

/** A row that no other process can read or change. */
export interface LockedLimit {
  /** As it was written; null if there is no such row. */
  state: unknown;
  /** The time of the database, which is the same for all. */
  nowMs: number;
  /** Whether a member had a heartbeat lately. */
  isAlive(member: string): boolean;
}

interface LimitUpdate<T> {
  /** JSON. Undefined: the row stays as it is. */
  state?: unknown;
  /** What `heartbeat` tells the other members. */
  isWanted?: boolean;
  result: T;
}
