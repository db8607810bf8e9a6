import type { Work } from './lease.ts';

/** What workers have to know of a run or an experiment before they can take its jobs. */
export interface WorkOrder {
  work: Work;
  /** Workers of another version take no job of it. */
  salvo_version: string;
  /** The hash of the parcel with the files of the project that its jobs need. */
  parcel: string;
  /** Hashes of the code that its jobs execute. A worker takes them only if its owner allows all of it. */
  code: string[];
  /** What this kind of work needs besides. No secrets: those are the worker's own. */
  settings: Record<string, unknown>;
}

/** One trial, or the games that share a piece of code. */
export interface Job {
  /** Unique within its work. A job that is added again has no effect. */
  key: string;
  /** Jobs of one group become pointless together: those of a scenario, when its verdict is certain. */
  group: string;
  /** A worker must have all of them. */
  labels: readonly string[];
  /** What to do, in a few numbers and names: whatever is large is in the parcel. */
  data: Record<string, unknown>;
}

/** What the lead tells the workers of an order. They learn of it within a second. */
export interface Directions {
  /** 1: no further job is taken. 2: those under way are given up as well. */
  stops: 0 | 1 | 2;
  /** Groups of which no further job is worth performing. */
  pointless: string[];
}

/** What a worker tells the lead about an order, besides the results that it stores. Each is kept once. */
export type Notice =
  /** A provider refuses all requests: a wrong key, say. */
  | { type: 'outage'; adapter: string; model: string; message: string; code: string }
  /** Further trials or calls could exceed the budget. */
  | { type: 'budget'; message: string }
  /** For the reader, such as a teardown that failed. */
  | { type: 'warning'; message: string };

/** A job that workers gave up after several attempts. */
export interface FailedJob {
  job: Job;
  attempts: number;
  /** Why the last attempt failed. */
  reason: string;
}

export interface OrderProgress {
  /** Nobody has taken them yet. */
  waiting: number;
  active: number;
  failed: FailedJob[];
  notices: Notice[];
}

/** The jobs of one order, as the process sees them that leads it. Only whoever holds the lease of the work may. */
export interface LedOrder {
  /** Adds jobs in the order in which they should be taken. */
  add(jobs: readonly Job[]): Promise<void>;
  direct(directions: Partial<Directions>): Promise<void>;
  progress(): Promise<OrderProgress>;
  /** The work has ended: no job of it is left, and workers forget it. */
  close(): Promise<void>;
}

/** A job that this worker has taken. */
export interface TakenJob extends Job {
  work: Work;
  /** 1 for the first attempt. */
  attempt: number;
  /** Aborted when the job is no longer this worker's, because it was not heard of for too long. */
  lost: AbortSignal;
  /** What the store checks in the transaction that writes a result: nobody else has the job by now. */
  fence: Fence;
  /** The job is done, with or without a result. Has no effect if a write has ended it already. */
  done(): Promise<void>;
  /** It is tried again later, or given up after several attempts. */
  failed(reason: string): Promise<void>;
}

/**
 * Proof that a job is still this worker's. `transaction` is the connection that the store writes with: the queue is in
 * the same database, so a result is stored and its job ended together, or neither is.
 */
export interface Fence {
  holds(transaction: SqlRunner): Promise<boolean>;
  end(transaction: SqlRunner): Promise<boolean>;
}

export interface SqlRunner {
  executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
}

/** An order that is open, as workers see it. */
export interface OpenOrder {
  order: WorkOrder;
  directions: Directions;
  /** Whether some process leads it. Otherwise a worker should. */
  isLed: boolean;
}

export interface WorkerDescription {
  worker_id: string;
  /** Where it runs, for people. */
  host: string;
  pid: number;
  salvo_version: string;
  labels: string[];
  concurrency: number;
  /** `all`, or hashes of code that it may execute. */
  allowed_code: 'all' | string[];
}

/** What a worker does with the queue. */
export interface WorkerSeat extends AsyncDisposable {
  /** All open orders, also those that this worker cannot take jobs of. */
  orders(): Promise<OpenOrder[]>;
  /** At most `limit` jobs of these orders, in turns, that fit the labels of this worker. */
  take(works: readonly Work[], limit: number): Promise<TakenJob[]>;
  /** Resolves when there may be something to take, and at the latest after `ms`. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
  notify(work: Work, notice: Notice): Promise<void>;
}

/** Where work is done by others. Every implementation must pass `workQueueContract`. */
export interface WorkQueue extends AsyncDisposable {
  /** Opens the order, or finds it as it was left by an earlier lead. `fresh`: whatever was left is thrown away. */
  lead(order: WorkOrder, options?: { fresh?: boolean }): Promise<LedOrder>;
  /** The order of a run or an experiment whose lead is gone; null if there is none. */
  orderOf(work: Work): Promise<WorkOrder | null>;
  /** Takes a seat among the workers, and keeps it until it is disposed of. */
  join(worker: WorkerDescription): Promise<WorkerSeat>;
  /** Workers that were heard of lately. */
  workers(): Promise<WorkerDescription[]>;
  /** Files of parcels, by the hash of their content. */
  missingFiles(hashes: readonly string[]): Promise<string[]>;
  saveFiles(files: readonly { hash: string; content: Uint8Array }[]): Promise<void>;
  readFiles(hashes: readonly string[]): Promise<Map<string, Uint8Array>>;
}
