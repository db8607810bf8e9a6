import { LeftToWorkers } from '../../queue/follow-order.ts';
import type { WorkOrder } from '../../queue/work-queue.ts';
import type { Store } from '../../store/store.ts';
import { SalvoError } from '../../text/salvo-error.ts';
import { leadExperimentOrder, leadRunOrder } from './lead-order.ts';
import type { WorkerEvent } from './worker.ts';

/** What a worker leads because the process that led it is gone. */
export interface StandInLeads {
  /** Has no effect if it is led here already. */
  begin(order: WorkOrder): void;
  count(): number;
  /** Leaves everything to other workers. */
  leave(): Promise<void>;
}

export function createStandInLeads({
  store,
  onEvent,
}: {
  store: Store;
  onEvent: (event: WorkerEvent) => void;
}): StandInLeads {
  const leave = new AbortController();
  const led = new Map<string, Promise<void>>();
  return {
    begin(order) {
      const { id } = order.work;
      if (led.has(id) || leave.signal.aborted) return;
      const leading = lead(order)
        .catch((error: unknown) => {
          if (!isExpected(error)) throw error;
        })
        .finally(() => led.delete(id));
      led.set(id, leading);
      // Reported by whoever waits for it; a failure here leaves the order to the next worker.
      leading.catch(() => {});
    },
    count: () => led.size,
    async leave() {
      leave.abort();
      await Promise.allSettled([...led.values()]);
    },
  };

  async function lead(order: WorkOrder): Promise<void> {
    const { work } = order;
    const common = { store, order, isTakenOver: true, leave: leave.signal };
    const started = (): void => onEvent({ type: 'leads', work });
    if (work.kind === 'run') {
      const run = await store.getRun(work.id);
      if (!run) return;
      await leadRunOrder({
        ...common,
        run,
        resumed: true,
        onEvent: (event) => (event.type === 'run_started' ? started() : undefined),
      });
    } else {
      const experiment = await store.getExperiment(work.id);
      if (!experiment) return;
      await leadExperimentOrder({
        ...common,
        experiment,
        onEvent: (event) => (event.type === 'experiment_started' ? started() : undefined),
      });
    }
  }
}

/** Somebody else was faster, or this worker leaves. */
function isExpected(error: unknown): boolean {
  if (error instanceof LeftToWorkers) return true;
  return error instanceof SalvoError && ['RUN_AT_WORK', 'EXPERIMENT_AT_WORK', 'LEASE_LOST'].includes(error.code);
}
