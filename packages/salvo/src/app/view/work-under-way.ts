import type { Work } from '../../queue/lease.ts';
import type { Store } from '../../store/store.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { whyWaiting } from '../work/workers-door.ts';
import { storeOf, type ViewedProject } from './viewed-project.ts';

/** Whether a process works on something, whatever its kind: part of the view of a run and of an experiment. */
export type WorkUnderWay = Awaited<ReturnType<typeof workUnderWay>>;

export async function workUnderWay(store: Store, work: Work) {
  const holder = await store.holderOf(work);
  return {
    is_running: holder !== null,
    /** Why no worker can take its jobs, and what to start; null if they are under way, or done by that process. */
    no_worker: holder && (await whyWaiting(store, work)),
    /** How often that process was asked to stop. */
    stops: holder?.stops ?? 0,
  };
}

/** The first time, what is under way is finished; the second time, it is given up. Throws if no process works on it. */
export async function stopWork(viewed: ViewedProject, work: Work): Promise<void> {
  if (await (await storeOf(viewed)).askToStop(work)) return;
  const message = `No process works on ${work.kind} ${work.id}, so nothing was stopped.`;
  throw new SalvoError('RUN_NOT_AT_WORK', message);
}
