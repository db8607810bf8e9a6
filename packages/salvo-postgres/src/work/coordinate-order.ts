import { isDeepStrictEqual } from 'node:util';
import type { Stoppable } from 'salvo/kit/project';
import {
  type Coordinator,
  type CoordinatorSignals,
  claimAndFirst,
  endJobsUnderWay,
  joinedSignals,
  type WorkEvent,
  type WorkOrder,
} from 'salvo/kit/queue';
import type { Store, WorkerAccess } from 'salvo/kit/store';
import { type ErrorCode, SalvoError } from 'salvo/kit/text';
import type { WorkKind, WorkTypes } from 'salvo/kit/work';
import { closeSharedBudget, openSharedBudget } from '../limits/shared-limits.ts';
import type { LocalWorkers } from './local-workers.ts';
import { ownSettingsOf, settingsOf } from './order-settings.ts';
import { fittingWorkers, whyNoWorker } from './why-no-worker.ts';

export interface CoordinatorOptions<T extends WorkTypes> extends Stoppable, Pick<CoordinatorSignals, 'leave'> {
  store: Store;
  order: WorkOrder;
  record: T['record'];
  /** Goes on with the jobs of a coordinator that is gone. Otherwise whatever was left of the order is thrown away. */
  isTakenOver: boolean;
  /** Workers that were started for it alone. If all of them have left and no other worker can go on, it is stopped. */
  local?: Pick<LocalWorkers, 'started' | 'alive'> | undefined;
  /** Called when this process has the right to coordinate it. */
  onClaimed?: (() => void) | undefined;
  onEvent?: ((event: T['event'] | WorkEvent) => void) | undefined;
}

/** Coordinates work by its record and its order alone: no file of the project is needed, and no code of it is executed. */
export async function coordinateOrder<T extends WorkTypes>(
  kind: WorkKind<T>,
  options: CoordinatorOptions<T>,
): Promise<T['outcome']> {
  const { store, order, record, abort = NEVER, onEvent = () => {} } = options;
  const workerAccess = workerAccessOf(store);
  const { stop, ...coordinator } = coordinatorOf(options, workerAccess);
  const { claim, ...claimed } = claimOf(options, workerAccess);
  return await kind.coordinate({
    ...coordinator,
    ...claimed,
    record,
    settings: ownSettingsOf(kind, order),
    labels: settingsOf(order).labels,
    store: { ...store, claim },
    workerAccess,
    readFile: (name) => readFileOfOrder(workerAccess, order, name),
    stop,
    abort,
    onEvent,
  });
}

/** A file that travelled with an order; null if it has none of this name. */
export async function readFileOfOrder(
  { queue }: Pick<WorkerAccess, 'queue'>,
  order: WorkOrder,
  name: string,
): Promise<Uint8Array | null> {
  const hash = settingsOf(order).files[name];
  if (hash === undefined) return null;
  const content = (await queue.readFiles([hash])).get(hash);
  if (content) return content;
  const { kind, id } = order.work;
  throw new SalvoError('ORDER_UNREADABLE', `The ${name} of ${kind} ${id} is no longer in the database.`);
}

const NEVER = new AbortController().signal;
const COORDINATED_ELSEWHERE: readonly ErrorCode[] = ['AT_WORK', 'LEASE_LOST', 'ORDER_ENDED'];

/** Whether another process coordinates the work, or has ended it, so that there is nothing to do here. */
export function isCoordinatedElsewhere(error: unknown): boolean {
  return error instanceof SalvoError && COORDINATED_ELSEWHERE.includes(error.code);
}

/** Throws if no other process works for the store. */
export function workerAccessOf({ workerAccess }: Store): WorkerAccess {
  if (workerAccess) return workerAccess;
  throw new SalvoError(
    'DATABASE_MISSING',
    'Workers need a database that all of them can reach: set SALVO_DATABASE_URL=postgres://..., or database_url in salvo.yaml.',
  );
}

/**
 * The process that ends an order has the lease until the order is closed. So one that is there now is still open, and
 * one that is not, or is another one, has ended since somebody saw it: it must not be opened again. A coordinator that begins
 * afresh first lets the workers end what they do for the coordinator that is gone.
 */
function claimOf<T extends WorkTypes>(options: CoordinatorOptions<T>, { queue, cursor: cursorNow }: WorkerAccess) {
  const { store, order, isTakenOver, abort, onEvent, onClaimed } = options;
  const onWaiting = (reason: string): void => onEvent?.({ type: 'no_worker', reason });
  let isLost = false;
  let cursor = '';
  const claim = claimAndFirst(store.claim, async (work, lease) => {
    const found = await queue.orderOf(work);
    if (isTakenOver && !isDeepStrictEqual(found, order)) {
      throw new SalvoError('ORDER_ENDED', `The workers of ${work.kind} ${work.id} have ended it.`);
    }
    if (!isTakenOver && found) {
      const signals = { lost: lease.lost, abort: joinedSignals({ abort }, lease).abort };
      isLost = await endJobsUnderWay(queue, found, { signals, onWaiting });
    }
    // Before what is stored is read: the workers of an earlier coordinator may go on storing.
    cursor = await cursorNow();
    onClaimed?.();
  });
  return { claim, wasAttemptLost: () => isLost, claimedAt: () => cursor };
}

function coordinatorOf<T extends WorkTypes>(
  { order, isTakenOver, leave, local, stop = NEVER }: CoordinatorOptions<T>,
  { queue, limits }: WorkerAccess,
): Omit<Coordinator, 'wasAttemptLost' | 'claimedAt'> & { stop: AbortSignal } {
  const { budget_usd: budgetUsd } = settingsOf(order);
  const nobodyLeft = new AbortController();
  return {
    stop: AbortSignal.any([stop, nobodyLeft.signal]),
    isTakenOver,
    async openOrder(earlier) {
      const coordinated = await queue.coordinate(order, { fresh: !isTakenOver });
      // Before the first job is added: a worker that takes one asks for money.
      if (budgetUsd !== null) await openSharedBudget(limits, order.work, { limitUsd: budgetUsd, ...earlier });
      return {
        ...coordinated,
        async close() {
          await coordinated.close();
          if (budgetUsd !== null) await closeSharedBudget(limits, order.work);
        },
      };
    },
    workers: () => queue.workers(),
    fitting: (workers) => fittingWorkers(workers, order),
    whyNoWorker: async () => {
      // They may have been started and not have joined yet.
      if (local && local.alive() > 0) return null;
      const reason = whyNoWorker(await queue.workers(), order);
      if (reason !== null && local && local.started > 0) nobodyLeft.abort();
      return reason;
    },
    leave,
  };
}
