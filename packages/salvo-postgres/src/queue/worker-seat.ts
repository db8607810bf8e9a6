import {
  LEASE_MS,
  MOST_ATTEMPTS,
  type Opening,
  type TakenJob,
  type Work,
  type WorkerDescription,
  type WorkerSeat,
} from 'salvo/kit/queue';
import { errorCode } from 'salvo/kit/text';
import { refuseChanged, schemaVersions } from '../postgres/migrate-schema.ts';
import type { Postgres } from '../postgres/postgres.ts';
import { type JobBoard, ownAttempt } from './job-board.ts';
import type { Attempt, FetchedJob } from './job-rows.ts';
import { type OrderRow, readOrders, shortHash, wakeWorkers } from './order-table.ts';
import type { LabelledQueue } from './work-documents.ts';

interface Held extends FetchedJob {
  work: Work;
  queue: string;
  lost: AbortController;
  /** When it was certainly this worker's: `performance.now()`. */
  heardAt: number;
  /** A write has ended it, if its transaction was committed. */
  hasEnded: boolean;
}

/** A worker is heard of more often than this, unless it was suspended or cut off. */
const SUSPENDED_MS = LEASE_MS / 2;

/** A seat that its queue keeps alive. */
export interface KeptSeat extends WorkerSeat {
  /** Renews the leases of all jobs that the worker has, and finds out which of them it has lost. */
  beat(): Promise<void>;
  /** The orders may have changed, or there are new jobs. */
  heard(): void;
}

export async function joinWorkers(options: {
  postgres: Postgres;
  board: JobBoard;
  worker: WorkerDescription;
  redact: (text: string) => string;
  /** Without a notification, a change of the orders is seen after this time. */
  ordersMs: number;
  onLeave: () => void;
}): Promise<KeptSeat> {
  const { postgres, board, worker, redact, ordersMs, onLeave } = options;
  const held = new Map<string, Held>();
  const sleepers = new Set<() => void>();
  let seen: { orders: Promise<OrderRow[]>; at: number } | null = null;
  let isDue = false;
  let turn = 0;
  let saved: Promise<unknown> = Promise.resolve();
  let isSaving = false;
  const tables = (await schemaVersions(postgres)) ?? new Map<string, number>();
  /** Why this worker can do nothing more. */
  let problem: unknown = null;

  /** That it is there, and what it has. */
  function saveHeld(): Promise<unknown> {
    if (isSaving) return saved;
    isSaving = true;
    saved = saved
      .catch(() => {})
      .then(async () => {
        isSaving = false;
        await postgres.query(
          `INSERT INTO salvo.workers (worker_id, document, seen_at, held) VALUES ($1, $2, now(), $3)
         ON CONFLICT (worker_id) DO UPDATE SET seen_at = now(), held = excluded.held, document = excluded.document`,
          [worker.worker_id, JSON.stringify(worker), [...held.values()].map(({ id }) => id)],
        );
      });
    return saved;
  }

  async function beat(): Promise<void> {
    for (const [queue, holds] of Map.groupBy(held.values(), (hold) => hold.queue)) {
      const askedAt = performance.now();
      const kept = await board.touch(queue, holds);
      for (const hold of holds) {
        if (kept.has(hold.id)) hold.heardAt = askedAt;
        // It may have ended while the statement was under way.
        else if (held.delete(holdKey(hold)) && !hold.hasEnded) hold.lost.abort();
      }
    }
    await saveHeld();
    await refuseChanged(postgres, tables).catch((error: unknown) => {
      if (errorCode(error) === 'DATABASE_TABLES_TOO_NEW') problem = error;
    });
  }

  function currentOrders(): Promise<OrderRow[]> {
    if (!seen || performance.now() - seen.at >= ordersMs) {
      const orders = readOrders(postgres);
      seen = { orders, at: performance.now() };
      orders.catch(() => {
        seen = null;
      });
    }
    return seen.orders;
  }

  function taken({ order: { work } }: OrderRow, queue: string, fetched: FetchedJob): TakenJob {
    const hold: Held = {
      ...fetched,
      work,
      queue,
      lost: new AbortController(),
      heardAt: performance.now(),
      hasEnded: false,
    };
    held.set(holdKey(hold), hold);
    const forget = (): boolean => held.delete(holdKey(hold));
    return {
      ...fetched.job,
      work,
      attempt: fetched.attempt,
      isUntouched: fetched.retryCount === 0,
      lost: hold.lost.signal,
      confirm: async () => {
        if (performance.now() - hold.heardAt > SUSPENDED_MS) await beat();
      },
      fence: {
        holding: () => ownAttempt(queue, hold),
        end: async (runner) => {
          hold.hasEnded =
            (await board.complete(queue, hold, runner)) || (await board.hasCompleted(queue, hold, runner));
          return hold.hasEnded;
        },
      },
      done: async () => {
        if (forget() && !hold.hasEnded) await board.complete(queue, hold);
      },
      failed: async (reason) => {
        if (forget()) await postgres.transaction((sql) => board.fail(sql, queue, work, [{ ...hold, reason }]));
      },
      giveBack: async () => {
        if (forget()) await postgres.transaction((sql) => board.giveBack(sql, queue, work, [hold]));
      },
    };
  }

  /** Adds them to `jobs`, so that the caller knows of them even if the database fails in the middle. */
  async function takeFrom(row: OrderRow, limit: number, jobs: TakenJob[]): Promise<void> {
    const full = jobs.length + limit;
    for (const { name } of fittingQueues(row.queues, worker.labels)) {
      if (jobs.length >= full) break;
      const fetched = await board.fetch(name, full - jobs.length);
      // One that failed just before its group became pointless.
      const pointless = fetched.filter(({ job }) => row.directions.pointless.includes(job.group));
      for (const job of fetched) if (!pointless.includes(job)) jobs.push(taken(row, name, job));
      for (const job of pointless) await board.complete(name, job);
    }
  }

  async function takeInTurn(rows: readonly OrderRow[], limit: number, jobs: TakenJob[]): Promise<void> {
    const first = turn++ % Math.max(rows.length, 1);
    const inTurn = [...rows.slice(first), ...rows.slice(0, first)];
    const empty = new Set<OrderRow>();
    // Each order gets a share, and those with more jobs get the rest.
    for (const most of [Math.ceil(limit / Math.max(rows.length, 1)), limit]) {
      for (const row of inTurn) {
        const wanted = Math.min(most, limit - jobs.length);
        if (wanted === 0 || empty.has(row)) continue;
        const before = jobs.length;
        await takeFrom(row, wanted, jobs);
        if (jobs.length < before + wanted) empty.add(row);
      }
    }
  }

  const heard = (): void => {
    seen = null;
    isDue = true;
    for (const wakeUp of sleepers) wakeUp();
  };

  await saveHeld();
  return {
    heard,
    orders: async () => {
      if (problem !== null) throw problem;
      const rows = await currentOrders();
      return rows.map(({ order, generation, directions, isLed }) => ({ order, generation, directions, isLed }));
    },
    take: async (openings, limit) => {
      const orders = await currentOrders();
      const open = openings.flatMap((opening) => orders.find((row) => isOf(row, opening)) ?? []);
      const jobs: TakenJob[] = [];
      try {
        const going = open.filter(({ directions }) => directions.stops === 0);
        await takeInTurn(going, limit, jobs);
        // A job that kills this process, too, is given up, and the reason names the worker.
        if (jobs.some(({ attempt }) => attempt >= MOST_ATTEMPTS)) await saveHeld();
      } catch (error) {
        // No worker will do those that were taken before.
        for (const job of jobs) job.giveBack().catch(() => {});
        throw error;
      }
      return jobs;
    },
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
    notify: async ({ work: { kind, id }, generation }, notice) => {
      const document = JSON.stringify({ ...notice, message: redact(notice.message) });
      const hash = shortHash(document);
      await postgres.transaction(async (sql) => {
        // Locked, so that the numbers of notices grow in the order in which a lead can see them.
        await sql.query('SELECT FROM salvo.work_orders WHERE kind = $1 AND id = $2 FOR UPDATE', [kind, id]);
        await sql.query(
          `INSERT INTO salvo.work_notices (kind, id, hash, document)
           SELECT kind, id, $3, $4 FROM salvo.work_orders WHERE kind = $1 AND id = $2 AND generation = $5
           ON CONFLICT DO NOTHING`,
          [kind, id, hash, document, generation],
        );
      });
    },
    beat,
    [Symbol.asyncDispose]: async () => {
      onLeave();
      const left = [...held.values()].filter(({ hasEnded }) => !hasEnded);
      held.clear();
      for (const { lost } of left) lost.abort();
      await saved.catch(() => {});
      for (const [queue, holds] of Map.groupBy(left, (hold) => hold.queue)) {
        const [{ work } = { work: null }] = holds;
        if (work) await postgres.transaction((sql) => board.giveBack(sql, queue, work, holds));
      }
      await postgres.query('DELETE FROM salvo.workers WHERE worker_id = $1', [worker.worker_id]);
      if (left.length > 0) await wakeWorkers(postgres);
    },
  };
}

function isOf({ order: { work }, generation }: OrderRow, opening: Opening): boolean {
  return work.kind === opening.work.kind && work.id === opening.work.id && generation === opening.generation;
}

function holdKey({ id, retryCount }: Attempt): string {
  return `${id}:${retryCount}`;
}

/** Jobs with more labels first: fewer workers can do them. */
function fittingQueues(queues: readonly LabelledQueue[], labels: readonly string[]): LabelledQueue[] {
  return queues
    .filter((queue) => queue.labels.every((label) => labels.includes(label)))
    .toSorted((one, other) => other.labels.length - one.labels.length);
}
