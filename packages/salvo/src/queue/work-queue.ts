import { z } from 'zod';
import { type Work, workSchema } from './lease.ts';

/** What workers have to know of a run or an experiment before they can take its jobs. */
export const workOrderSchema = z.object({
  work: workSchema,
  /** Workers of another version take no job of it. */
  salvo_version: z.string(),
  /** The hash of the bundle with the files of the project that its jobs need. */
  bundle: z.string(),
  /** Hashes of the code that its jobs execute. A worker takes them only if its owner allows all of it. */
  code: z.array(z.string()),
  /** What this kind of work needs besides. No secrets: those are the worker's own. */
  settings: z.record(z.string(), z.unknown()),
});

export type WorkOrder = z.infer<typeof workOrderSchema>;

/** One trial, or the games that share a piece of code. */
export const jobSchema = z.object({
  /** Unique within its work. A job that is added again has no effect. */
  key: z.string(),
  /** Jobs of one group become pointless together: those of a scenario, when its verdict is certain. */
  group: z.string(),
  /** A worker must have all of them. */
  labels: z.array(z.string()).readonly(),
  /** What to do, in a few numbers and names: whatever is large is in the bundle. */
  data: z.record(z.string(), z.unknown()),
});

export type Job = z.infer<typeof jobSchema>;

/** What the coordinator tells the workers of an order. Those that have jobs of it learn of it within a second. */
export interface Directions {
  /** 1: no further job is taken. 2: those under way are given up as well. */
  stops: 0 | 1 | 2;
  /** Groups of which no further job is worth performing. Their waiting jobs end at once. */
  pointless: string[];
  /** No job is left: workers close what they have open for it, and do not open it again. */
  isOver: boolean;
}

const message = z.string();
const worker = z.string();

/** What a worker tells the coordinator about an order, besides the results that it stores. Each is kept once. */
export const noticeSchema = z.discriminatedUnion('type', [
  /** A worker has opened the order, and will take jobs of it. `tears_down`: closing it may take a while, and may fail. */
  z.object({ type: z.literal('joined'), worker, tears_down: z.boolean(), message }),
  /** A worker has closed the order, and has said all that it has to say. */
  z.object({ type: z.literal('left'), worker, message }),
  /** A provider refuses all requests of a worker: a wrong key, say. It takes no more jobs that need the provider. */
  z.object({ type: z.literal('outage'), worker, adapter: z.string(), model: z.string(), message, code: z.string() }),
  /** Further trials or calls could exceed the budget. */
  z.object({ type: z.literal('budget'), message }),
  /** A worker repeats a job whose earlier attempt was lost, or failed: nobody knows what that attempt has cost. */
  z.object({ type: z.literal('repeated'), message }),
  /** A worker cannot take its jobs: why, and what to do there. */
  z.object({ type: z.literal('refusal'), worker, message }),
  /** For the reader, such as a teardown that failed. */
  z.object({ type: z.literal('warning'), message }),
]);

export type Notice = z.infer<typeof noticeSchema>;

/** A job that kills its workers, or fails each time, is given up after so many attempts. */
export const MOST_ATTEMPTS = 3;

/** A coordinator hears of so many failed jobs, and of so many notices, at a time. */
export const MOST_REPORTED = 200;

/** A job that was given up. */
export const failedJobSchema = z.object({
  job: jobSchema,
  attempts: z.number(),
  /** Why the last attempt failed. */
  reason: z.string(),
});

export type FailedJob = z.infer<typeof failedJobSchema>;

interface OrderProgress {
  /** No worker has them. Jobs that are tried again count, too. */
  waiting: number;
  /** Of those: how many had a worker that was lost, or failed in an attempt. */
  again: number;
  /** Taken and not yet ended, or given up and not yet reported in `failed`. So nothing is left when both are 0. */
  active: number;
  /** Jobs that were given up. Each is reported once to each coordinator, at most `MOST_REPORTED` at a time. */
  failed: FailedJob[];
  /** Each is reported once to each coordinator, like `failed`. */
  notices: Notice[];
}

/**
 * The jobs of one order, as the process sees them that coordinates it. Only the holder of the lease of the work may do this.
 * Disposing of it leaves the order as it is, for another coordinator.
 */
export interface CoordinatedOrder extends AsyncDisposable {
  /** As it was opened: by this coordinator or an earlier one. */
  readonly order: WorkOrder;
  /** Adds jobs in the order in which they should be taken. */
  add(jobs: readonly Job[]): Promise<void>;
  /** What is not given stays as it was. Groups that are pointless stay so. */
  direct(directions: Partial<Directions>): Promise<void>;
  progress(): Promise<OrderProgress>;
  /** The work has ended: no job of it is left, and workers forget it. */
  close(): Promise<void>;
}

/** A job that this worker has taken. */
export interface TakenJob extends Job {
  work: Work;
  /** 1 for the first attempt. One that was given back does not count. */
  attempt: number;
  /** No worker has had it before, not even to give it back. */
  isUntouched: boolean;
  /** Aborted when the job is no longer this worker's, because it was not heard of for too long. */
  lost: AbortSignal;
  /** Aborts `lost` if the job is another worker's by now. Asks only if this worker may have been suspended. */
  confirm(): Promise<void>;
  /** What the store checks in the transaction that writes a result: no other worker has the job by now. */
  lease: JobLease;
  /** The job is done, with or without a result. Has no effect if a write has ended it already. */
  done(): Promise<void>;
  /** It is tried again later, or given up after `MOST_ATTEMPTS`. */
  failed(reason: string): Promise<void>;
  /** Somebody else should do it, at once. */
  giveBack(): Promise<void>;
}

/**
 * Proof that a job is still this worker's, or that it was this worker who ended it. The store checks it in the
 * transaction that writes a result: the queue is in the same database, so a result is stored and its job ended together,
 * or neither is.
 */
export interface JobLease {
  jobId: string;
  /** Increases whenever the job changes hands, so that an earlier worker is refused. */
  token: number;
  /** Set by the store when a write ends the job. The transaction may still fail. */
  hasEnded: boolean;
  /** Called by the store when it gets the result that ends the job, before it is written. */
  onResult?: () => void;
}

/** One opening of an order: a process that resumes a run opens its order again, perhaps with another budget. */
export interface Opening {
  work: Work;
  /** Another number each time. */
  generation: number;
}

/** An order that is open, as workers see it. */
export interface OpenOrder {
  order: WorkOrder;
  generation: number;
  directions: Directions;
  /** Whether some process coordinates it. Otherwise a worker should. */
  hasCoordinator: boolean;
}

export const workerSchema = z.object({
  worker_id: z.string(),
  /** Where it runs, for people. */
  host: z.string(),
  pid: z.number(),
  salvo_version: z.string(),
  labels: z.array(z.string()),
  concurrency: z.number(),
  /** `all`, or hashes of code that it may execute. */
  allowed_code: z.union([z.literal('all'), z.array(z.string())]),
});

export type WorkerDescription = z.infer<typeof workerSchema>;

/** What a worker does with the queue. Disposing of it gives back the jobs that it still has. */
export interface WorkerSession extends AsyncDisposable {
  /**
   * All open orders, also those that this worker cannot take jobs of. Of one that another version of Salvo has written,
   * nothing but `work` and `salvo_version` may be known. Rejects when a later version has changed the tables.
   */
  orders(): Promise<OpenOrder[]>;
  /** At most `limit` jobs of these orders, in turns, that fit the labels of this worker. None of a later opening. */
  take(openings: readonly Opening[], limit: number): Promise<TakenJob[]>;
  /** How long a worker that has nothing to do should wait: the longer the more workers there are. */
  readonly idleMs: number;
  /** Resolves when there may be something to take, and at the latest after `ms`. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
  /** Has no effect if the order was closed or opened afresh. */
  notify(opening: Opening, notice: Notice): Promise<void>;
}

/** What is going on, for `salvo db status`. */
export interface QueueStatus {
  orders: {
    work: Work;
    salvo_version: string;
    has_coordinator: boolean;
    waiting: number;
    active: number;
    failed: number;
  }[];
  /** `idle_s`: how long ago it was last heard of. */
  workers: (WorkerDescription & { idle_s: number })[];
}

/** Where work is done by others. */
export interface WorkQueue extends AsyncDisposable {
  /**
   * Opens the order, or finds it as it was left by an earlier coordinator: its order, jobs and directions, but that it is
   * over. `fresh`: whatever was left is thrown away, and a worker that still has a job of it loses it.
   */
  coordinate(order: WorkOrder, options?: { fresh?: boolean }): Promise<CoordinatedOrder>;
  /** The order of a run or an experiment whose coordinator is gone; null if there is none. */
  orderOf(work: Work): Promise<WorkOrder | null>;
  /** Registers a worker until the session is disposed of. */
  join(worker: WorkerDescription): Promise<WorkerSession>;
  /** Workers that were heard of lately. */
  workers(): Promise<WorkerDescription[]>;
  status(): Promise<QueueStatus>;
  /** Files of bundles, by the hash of their content. */
  missingFiles(hashes: readonly string[]): Promise<string[]>;
  saveFiles(files: readonly { hash: string; content: Uint8Array }[]): Promise<void>;
  readFiles(hashes: readonly string[]): Promise<Map<string, Uint8Array>>;
  /** Removes files that were not used since, and that no order needs. */
  prune(before: Date): Promise<void>;
}
