import { setTimeout } from 'node:timers/promises';
import type { Stoppable } from 'salvo/kit/project';
import type { Opening, WorkOrder } from 'salvo/kit/queue';
import { salvoVersion } from 'salvo/kit/text';
import type { JobPerformer } from './job-performer.ts';
import type { OpenPerformer, WorkerPlace } from './open-performer.ts';
import { mayExecute } from './why-no-worker.ts';
import type { WorkerEvent } from './worker-event.ts';
import { startWorkerProcess, type WorkerProcess } from './worker-process.ts';

const RESTART_MS = 3000;
const NEVER = new AbortController().signal;

/** What all orders of a worker share. */
export interface WorkerContext extends WorkerPlace {
  options: Stoppable & { run?: string | undefined; idleExitSeconds?: number | undefined; command: readonly string[] };
  openPerformer: OpenPerformer;
  onEvent: (event: WorkerEvent) => void;
}

/** An order that this worker knows. */
export interface KnownOrder {
  order: WorkOrder;
  opening: Opening;
  /** Null while it is opened, and if it was refused or has a process of its own. */
  performer: JobPerformer | null;
  child: WorkerProcess | null;
  /** Jobs under way. */
  underWay: number;
  /** Jobs that have got their result here. */
  jobs: number;
  /** The coordinator opened another order for the same work meanwhile. */
  isOld: boolean;
  isOpening: boolean;
  isClosing: boolean;
}

export function newKnownOrder(order: WorkOrder, generation: number): KnownOrder {
  return {
    ...{ order, opening: { work: order.work, generation }, performer: null, child: null, underWay: 0, jobs: 0 },
    ...{ isOld: false, isOpening: true, isClosing: false },
  };
}

export function isSameVersion({ salvo_version }: WorkOrder): boolean {
  return salvo_version === salvoVersion();
}

/** Throws if this worker cannot take jobs of the order: why, and what to do. */
export async function openEntry(entry: KnownOrder, context: WorkerContext, onEnded: () => void): Promise<void> {
  const { options, worker, onEvent } = context;
  const { order, opening } = entry;
  const { work, code } = order;
  refuseOtherVersion(order);
  // Plugins register for a whole process, and code of one run must not be in the way of another's.
  const hasOwnProcess = code.length > 0 && options.run === undefined && mayExecute(worker.allowed_code, code);
  if (hasOwnProcess) {
    const child = startWorkerProcess({ ...context, command: options.command, worker, run: work.id, quiet: true });
    entry.child = child;
    options.stop?.addEventListener('abort', child.stop);
    options.abort?.addEventListener('abort', child.stop);
    void child.ended.then(async ({ refusal }) => {
      options.stop?.removeEventListener('abort', child.stop);
      options.abort?.removeEventListener('abort', child.stop);
      if (refusal !== null) {
        // It would refuse it again, until the order is another one.
        entry.child = null;
        onEvent({ type: 'order_refused', work, reason: refusal });
        return;
      }
      // Code that ends its process at once would otherwise be started again without a pause.
      if (!options.stop?.aborted) await setTimeout(RESTART_MS);
      onEnded();
    });
  } else {
    const onWarning = (message: string): void => onEvent({ type: 'warning', work, message });
    const onPaused = (reason: string): void => onEvent({ type: 'order_paused', work, reason });
    entry.performer = await context.openPerformer(
      { ...context, order, opening, onWarning, onPaused },
      { stop: options.stop ?? NEVER, abort: options.abort ?? NEVER },
    );
  }
  onEvent({ type: 'order_begun', work, hasOwnProcess });
}

/** Two versions may judge the same trial differently, and write documents in other forms. */
function refuseOtherVersion(order: WorkOrder): void {
  if (isSameVersion(order)) return;
  const { work, salvo_version } = order;
  throw new Error(
    `The ${work.kind} was started with Salvo ${salvo_version}, and this worker has ${salvoVersion()}. Install ${salvo_version} here: npm install salvo@${salvo_version}`,
  );
}
