import type { AdapterContext } from '../../adapters/adapter-factory.ts';
import type { Work } from '../../queue/lease.ts';
import type { LimiterOf } from '../call/call-services.ts';
import type { Budget } from './budget.ts';

/** One process's part of the limits that several processes keep together. */
export interface SharedLimits extends AsyncDisposable {
  /** Pays for the calls of a piece of work, within the limit that its lead has set. */
  budgetOf(work: Work, limitUsd: number): Budget;
  limitersOf(context: AdapterContext): LimiterOf;
}
