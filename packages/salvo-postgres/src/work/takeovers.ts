import { LeftToWorkers, type WorkOrder } from 'salvo/kit/queue';
import type { Store } from 'salvo/kit/store';
import { errorMessage } from 'salvo/kit/text';
import { coordinateOrder, isCoordinatedElsewhere } from './coordinate-order.ts';
import { kindOf } from './kinds.ts';
import type { WorkerEvent } from './worker-event.ts';

/** What a worker leads because the process that led it is gone. */
export interface Takeovers {
  /** Has no effect if it is led here already. */
  begin(order: WorkOrder): void;
  count(): number;
  /** Leaves everything to other workers. */
  leave(): Promise<void>;
}

/** Somebody else has its lease, which may be that of a process that is gone. */
const SHORT_PAUSE_MS = 2000;
const LONG_PAUSE_MS = 30_000;

export function createTakeovers({
  store,
  onEvent,
}: {
  store: Store;
  onEvent: (event: WorkerEvent) => void;
}): Takeovers {
  const leave = new AbortController();
  const led = new Map<string, Promise<void>>();
  /** Until when another attempt to lead an order would most likely fail again. */
  const pauses = new Map<string, number>();
  return {
    begin(order) {
      const { work } = order;
      const { id } = work;
      if (led.has(id) || leave.signal.aborted || performance.now() < (pauses.get(id) ?? 0)) return;
      const leading = coordinate(order)
        .catch((error: unknown) => {
          // The next worker may be able to, and so may this one a little later.
          if (isExpected(error)) pauses.set(id, performance.now() + SHORT_PAUSE_MS);
          else {
            if (!pauses.has(id)) onEvent({ type: 'cannot_lead', work, reason: errorMessage(error) });
            pauses.set(id, performance.now() + LONG_PAUSE_MS);
          }
        })
        .finally(() => led.delete(id));
      led.set(id, leading);
    },
    count: () => led.size,
    async leave() {
      leave.abort();
      await Promise.allSettled([...led.values()]);
    },
  };

  async function coordinate(order: WorkOrder): Promise<void> {
    const { work } = order;
    const kind = await kindOf(work);
    const record = await kind.getRecord(store, work.id);
    if (record === null) return;
    await coordinateOrder(kind, {
      ...{ store, order, record, isTakenOver: true, leave: leave.signal },
      onClaimed: () => onEvent({ type: 'leads', work }),
    });
  }
}

/** Somebody else was faster, or this worker leaves. */
function isExpected(error: unknown): boolean {
  return error instanceof LeftToWorkers || isCoordinatedElsewhere(error);
}
