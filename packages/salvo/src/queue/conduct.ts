import { isRecord } from '../text/json/is-record.ts';
import { joinedSignals, type Lease, type Work } from './lease.ts';
import type { CoordinatedOrder } from './work-queue.ts';

/** What the reader hears of work of every kind. */
export type WorkEvent =
  /** Somebody asked through the store to stop: in the viewer, say. */
  | { type: 'stop_asked' }
  /** How many jobs workers have under way. */
  | { type: 'under_way'; jobs: number }
  /** Jobs wait because no worker can take them: why, and what to do. */
  | { type: 'no_worker'; reason: string };

const WORK_EVENTS: ReadonlySet<unknown> = new Set<WorkEvent['type']>(['stop_asked', 'under_way', 'no_worker']);

export function isWorkEvent(event: unknown): event is WorkEvent {
  return isRecord(event) && WORK_EVENTS.has(event.type);
}

/** A piece of work that consists of units, such as the trials of a run or the games of an experiment. */
export interface ConductedWork<Opened, Done extends Performed, Outcome> {
  work: Work;
  /** Throws when another process has the lease. */
  claim: (work: Work) => Promise<Lease>;
  /** Aborted: no further unit is begun, and those under way are finished. */
  stop?: AbortSignal | undefined;
  /** Aborted: the units under way are given up, too. */
  abort?: AbortSignal | undefined;
  onEvent?: ((event: WorkEvent) => void) | undefined;
  /** Reads what is stored, stores that the work is under way, and tells the reader. */
  open(): Promise<Opened>;
  /** Performs and counts the units that are missing: in this process, or by workers with `coordinate`. */
  perform(opened: Opened, signals: WorkSignals): Promise<Done>;
  /** Stores how the work has ended. `wasStopped`: somebody asked for it. */
  end(opened: Opened, done: Done, how: { wasStopped: boolean }): Promise<Outcome>;
}

/** The caller's signals, joined with those of the lease. */
export interface WorkSignals {
  /** Aborted: another process has the lease. */
  lost: AbortSignal;
  stop: AbortSignal;
  abort: AbortSignal;
}

/** What is known when all units were performed, or given up. */
export interface Performed {
  /** Why the budget refused units; null if it did not. */
  budgetRefusal: string | null;
  /** Its order, if workers performed them. It stays open until the end is stored, or another process would take it over. */
  order?: CoordinatedOrder | undefined;
}

/**
 * Claims a piece of work, lets its missing units be performed, here or by workers, and stores and returns how it ended.
 * Refuses work that another process has the lease of.
 */
export async function conduct<Opened, Done extends Performed, Outcome>(
  conducted: ConductedWork<Opened, Done, Outcome>,
): Promise<Outcome> {
  // Before its results are read: until it is claimed, another process may add some.
  await using lease = await conducted.claim(conducted.work);
  const opened = await conducted.open();
  lease.stop.addEventListener('abort', () => conducted.onEvent?.({ type: 'stop_asked' }));
  const signals = { ...joinedSignals(conducted, lease), lost: lease.lost };
  const done = await conducted.perform(opened, signals);
  await using order = done.order;
  lease.lost.throwIfAborted();
  const outcome = await conducted.end(opened, done, { wasStopped: signals.stop.aborted });
  await order?.close();
  return outcome;
}
