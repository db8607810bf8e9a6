import type { Work } from '../../../salvo/src/queue/lease.ts';
import {
  type CoordinatedOrder,
  type Directions,
  type FailedJob,
  type Job,
  type JobLease,
  MOST_ATTEMPTS,
  MOST_REPORTED,
  type Notice,
  type Opening,
  type TakenJob,
  type WorkerDescription,
  type WorkerSession,
  type WorkOrder,
  type WorkQueue,
} from '../../../salvo/src/queue/work-queue.ts';

/** Jobs of this process alone, for tests of what leads and works: nothing survives the process. */
export interface MemoryQueue extends WorkQueue {
  /** As if the worker had not been heard of for too long: its jobs are tried again, or given up. */
  lose(workerId: string): void;
  /** Whether the job is still leased with this token, or was ended with it. */
  holds(lease: JobLease): boolean;
  /** Ends the job, if it is held. */
  end(lease: JobLease): boolean;
}

/** Who has taken a job. */
interface Holding {
  workerId: string;
  lost: AbortController;
  hasEnded: boolean;
}

interface HeldJob {
  job: Job;
  state: 'waiting' | 'ended' | 'failed' | Holding;
  attempts: number;
  wasTaken: boolean;
}

interface HeldOrder {
  order: WorkOrder;
  generation: number;
  directions: Directions;
  jobs: Map<string, HeldJob>;
  failed: FailedJob[];
  notices: Map<string, Notice>;
  leads: number;
}

export function createMemoryQueue(): MemoryQueue {
  const orders = new Map<string, HeldOrder>();
  const sessions = new Map<string, WorkerDescription>();
  const leases = new WeakMap<JobLease, { holds: () => boolean; end: () => boolean }>();
  const files = new Map<string, Uint8Array>();
  const sleepers = new Set<() => void>();
  let turn = 0;
  let generations = 1;

  function find({ work, generation }: Opening): HeldOrder | null {
    const held = orders.get(nameOf(work));
    return held?.generation === generation ? held : null;
  }

  const wake = (): void => {
    for (const wakeUp of sleepers) wakeUp();
  };

  function giveUp(held: HeldOrder, record: HeldJob, reason: string): void {
    if (held.directions.pointless.includes(record.job.group)) record.state = 'ended';
    else if (record.attempts < MOST_ATTEMPTS) record.state = 'waiting';
    else {
      record.state = 'failed';
      held.failed.push({ job: record.job, attempts: record.attempts, reason });
    }
    wake();
  }

  function discard(held: HeldOrder): void {
    for (const { state } of held.jobs.values()) if (typeof state === 'object') state.lost.abort();
    held.jobs.clear();
  }

  function taken(held: HeldOrder, record: HeldJob, workerId: string): TakenJob {
    const isUntouched = !record.wasTaken;
    record.wasTaken = true;
    const holding: Holding = { workerId, lost: new AbortController(), hasEnded: false };
    record.state = holding;
    record.attempts += 1;
    const isUnderWay = (): boolean => record.state === holding && held.jobs.get(record.job.key) === record;
    const holds = (): boolean => isUnderWay() || (holding.hasEnded && held.jobs.get(record.job.key) === record);
    const lease: JobLease = { jobId: record.job.key, token: record.attempts, hasEnded: false };
    const end = (): boolean => {
      if (!holds()) return false;
      record.state = 'ended';
      holding.hasEnded = true;
      return true;
    };
    leases.set(lease, { holds, end });
    return {
      ...record.job,
      work: held.order.work,
      attempt: record.attempts,
      isUntouched,
      lost: holding.lost.signal,
      confirm: async () => {},
      lease: lease,
      done: async () => {
        end();
      },
      failed: async (reason) => {
        if (isUnderWay()) giveUp(held, record, reason);
      },
      giveBack: async () => {
        if (!isUnderWay()) return;
        record.attempts -= 1;
        record.state = 'waiting';
        wake();
      },
    };
  }

  function takeOne(held: HeldOrder, worker: WorkerDescription): TakenJob | null {
    if (held.directions.stops > 0) return null;
    for (const record of held.jobs.values()) {
      if (record.state === 'waiting' && record.job.labels.every((label) => worker.labels.includes(label)))
        return taken(held, record, worker.worker_id);
    }
    return null;
  }

  function holdingsOf(workerId: string): { held: HeldOrder; record: HeldJob; holding: Holding }[] {
    return [...orders.values()].flatMap((held) =>
      [...held.jobs.values()].flatMap((record) =>
        typeof record.state === 'object' && record.state.workerId === workerId
          ? [{ held, record, holding: record.state }]
          : [],
      ),
    );
  }

  function lead(held: HeldOrder): CoordinatedOrder {
    let reportedFailures = 0;
    const reportedNotices = new Set<string>();
    let isLeading = true;
    held.leads += 1;
    const leave = (): void => {
      if (isLeading) held.leads -= 1;
      isLeading = false;
    };
    return {
      order: held.order,
      add: async (jobs) => {
        for (const job of jobs) {
          if (held.jobs.has(job.key) || held.directions.pointless.includes(job.group)) continue;
          held.jobs.set(job.key, { job, state: 'waiting', attempts: 0, wasTaken: false });
        }
        wake();
      },
      direct: async ({ stops = held.directions.stops, pointless = [], isOver = held.directions.isOver }) => {
        held.directions = { stops, pointless: [...new Set([...held.directions.pointless, ...pointless])], isOver };
        for (const record of held.jobs.values()) {
          if (record.state === 'waiting' && held.directions.pointless.includes(record.job.group))
            record.state = 'ended';
        }
        wake();
      },
      progress: async () => {
        const failed = held.failed.slice(reportedFailures, reportedFailures + MOST_REPORTED);
        reportedFailures += failed.length;
        const notices = [...held.notices].filter(([key]) => !reportedNotices.has(key));
        for (const [key] of notices) reportedNotices.add(key);
        const { waiting, active } = counts(held);
        const unreported = held.failed.length - reportedFailures;
        const isAgain = ({ state, attempts }: HeldJob) => state === 'waiting' && attempts > 0;
        const again = [...held.jobs.values()].filter(isAgain).length;
        return { waiting, again, active: active + unreported, failed, notices: notices.map(([, notice]) => notice) };
      },
      close: async () => {
        leave();
        discard(held);
        if (orders.get(nameOf(held.order.work)) === held) orders.delete(nameOf(held.order.work));
        wake();
      },
      [Symbol.asyncDispose]: async () => leave(),
    };
  }

  function session(worker: WorkerDescription): WorkerSession {
    let isDue = false;
    const markDue = (): void => {
      isDue = true;
    };
    sleepers.add(markDue);
    return {
      orders: async () =>
        [...orders.values()].map(({ order, generation, directions, leads }) => ({
          order,
          generation,
          directions,
          hasCoordinator: leads > 0,
        })),
      take: async (openings, limit) => {
        const open = openings.flatMap((opening) => find(opening) ?? []);
        const jobs: TakenJob[] = [];
        let idle = 0;
        while (jobs.length < limit && idle < open.length) {
          const held = open[turn++ % open.length];
          const job = held && takeOne(held, worker);
          if (job) jobs.push(job);
          idle = job ? 0 : idle + 1;
        }
        return jobs;
      },
      idleMs: 1000,
      wait: (ms, signal) =>
        new Promise((resolve) => {
          const finish = (): void => {
            clearTimeout(timer);
            sleepers.delete(finish);
            signal?.removeEventListener('abort', finish);
            isDue = false;
            resolve();
          };
          const timer = setTimeout(finish, ms);
          if (isDue || signal?.aborted) return finish();
          sleepers.add(finish);
          signal?.addEventListener('abort', finish);
        }),
      notify: async (opening, notice) => {
        find(opening)?.notices.set(JSON.stringify(notice), notice);
      },
      [Symbol.asyncDispose]: async () => {
        sleepers.delete(markDue);
        sessions.delete(worker.worker_id);
        for (const { record, holding } of holdingsOf(worker.worker_id)) {
          record.attempts -= 1;
          record.state = 'waiting';
          holding.lost.abort();
        }
        wake();
      },
    };
  }

  return {
    coordinate: async (order, { fresh = false } = {}) => {
      const name = nameOf(order.work);
      const found = orders.get(name);
      if (found && !fresh) {
        found.directions = { ...found.directions, isOver: false };
        return lead(found);
      }
      if (found) discard(found);
      const held: HeldOrder = {
        order,
        generation: generations++,
        directions: { stops: 0, pointless: [], isOver: false },
        jobs: new Map(),
        failed: [],
        notices: new Map(),
        leads: 0,
      };
      orders.set(name, held);
      wake();
      return lead(held);
    },
    orderOf: async (work) => orders.get(nameOf(work))?.order ?? null,
    join: async (worker) => {
      sessions.set(worker.worker_id, worker);
      return session(worker);
    },
    workers: async () => [...sessions.values()],
    status: async () => ({
      orders: [...orders.values()].map((held) => ({
        work: held.order.work,
        salvo_version: held.order.salvo_version,
        is_led: held.leads > 0,
        ...counts(held),
        failed: held.failed.length,
      })),
      workers: [...sessions.values()].map((worker) => ({ ...worker, idle_s: 0 })),
    }),
    missingFiles: async (hashes) => hashes.filter((hash) => !files.has(hash)),
    saveFiles: async (saved) => {
      for (const { hash, content } of saved) files.set(hash, content);
    },
    readFiles: async (hashes) =>
      new Map(
        hashes.flatMap((hash) => {
          const content = files.get(hash);
          return content ? [[hash, content] as const] : [];
        }),
      ),
    prune: async () => {},
    holds: (lease) => leases.get(lease)?.holds() ?? false,
    end: (lease) => leases.get(lease)?.end() ?? false,
    lose: (workerId) => {
      const worker = sessions.get(workerId);
      for (const { held, record, holding } of holdingsOf(workerId)) {
        holding.lost.abort();
        giveUp(held, record, `the worker on ${worker?.host} (pid ${worker?.pid}) was not heard of for 10 s`);
      }
    },
    [Symbol.asyncDispose]: async () => {
      for (const held of orders.values()) held.leads = 0;
      wake();
    },
  };
}

function counts(held: HeldOrder): { waiting: number; active: number } {
  let waiting = 0;
  let active = 0;
  for (const { state } of held.jobs.values()) {
    if (state === 'waiting') waiting += 1;
    else if (typeof state === 'object') active += 1;
  }
  return { waiting, active };
}

function nameOf({ kind, id }: Work): string {
  return `${kind}:${id}`;
}
