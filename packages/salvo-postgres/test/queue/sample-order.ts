import type { Work } from '../../../salvo/src/queue/lease.ts';
import type {
  Job,
  Opening,
  TakenJob,
  WorkerDescription,
  WorkerSession,
  WorkOrder,
} from '../../../salvo/src/queue/work-queue.ts';

export function sampleOrder(id = 'run-1', part: Partial<WorkOrder> = {}): WorkOrder {
  return {
    work: { kind: 'run', id },
    salvo_version: '1.0.0',
    bundle: 'f00d',
    code: [],
    settings: { seed: 7 },
    ...part,
  };
}

/** Jobs `0`, `1`... of one group. */
export function sampleJobs(count: number, part: Partial<Job> = {}): Job[] {
  return Array.from({ length: count }, (_, trial) => ({
    key: `${part.group ?? 'a'}/${trial}`,
    group: 'a',
    labels: [],
    data: { trial },
    ...part,
  }));
}

export function sampleWorker(id = 'w1', part: Partial<WorkerDescription> = {}): WorkerDescription {
  return {
    worker_id: id,
    host: 'host-a',
    pid: 12,
    salvo_version: '1.0.0',
    labels: [],
    concurrency: 4,
    allowed_code: 'all',
    ...part,
  };
}

/** For what happens within a second on a machine that has nothing else to do. */
export const SOON = { timeout: 60_000, interval: 20 };

/** Jobs of the orders as the worker sees them now. */
export async function takeOf(session: WorkerSession, works: readonly Work[], limit: number): Promise<TakenJob[]> {
  const openings = await openingsOf(session);
  return await session.take(
    openings.filter((opening) => works.some(({ kind, id }) => opening.work.kind === kind && opening.work.id === id)),
    limit,
  );
}

/** The next job of a piece of work. */
export async function takeOneOf(session: WorkerSession, work: Work): Promise<TakenJob> {
  const [job] = await takeOf(session, [work], 1);
  if (!job) throw new Error('nothing was taken');
  return job;
}

export const keysOf = (jobs: readonly TakenJob[]): string[] => jobs.map(({ key }) => key);

/** The orders that the worker sees now. */
export async function openingsOf(session: WorkerSession): Promise<Opening[]> {
  return (await session.orders()).map(({ order: { work }, generation }) => ({ work, generation }));
}
