import type { z } from 'zod';
import type { SentVariable } from '../../adapters/sent-variables.ts';
import type { Budget } from '../../models/budget/budget.ts';
import type { SharedLimits } from '../../models/budget/shared-limits.ts';
import type { Coordinator } from '../../queue/coordinate.ts';
import type { Work } from '../../queue/lease.ts';
import type { KnownOutages } from '../../queue/noticed-outages.ts';
import type { TakenJob } from '../../queue/work-queue.ts';
import type { Project } from '../../scenario/schema/project-schema.ts';
import type { Store, WorkerAccess } from '../../store/store.ts';

/** The documents of a kind of work. */
export interface WorkTypes {
  /** What is stored of it. It is `running` until it has ended. */
  record: { status: string };
  /** What is heard of it while it goes on. */
  event: unknown;
  /** What its coordinator knows when it has ended. */
  outcome: unknown;
  /** What is reported of it to somebody who followed it. */
  ended: unknown;
  /** What its workers and its next coordinator have to know, besides the record. No secrets: those are the worker's own. */
  settings: Record<string, unknown>;
}

/** Work that consists of jobs which workers can do: runs, and what packages add. */
export interface WorkKind<T extends WorkTypes = WorkTypes> {
  readonly kind: Work['kind'];
  readonly settings: z.ZodType<T['settings']>;
  /** Null if there is none. */
  getRecord(store: Store, id: string): Promise<T['record'] | null>;
  /** Whether it was started with `--no-code`. Missing if it has no such option. */
  isWithoutCode?(record: T['record']): boolean;
  /** Ids that begin so. */
  findIds(store: Store, prefix: string, limit: number): Promise<string[]>;
  /** Adds what is missing as jobs, follows their results until it has ended, and stores how. Needs no file of the project. */
  coordinate(request: CoordinatorRequest<T>): Promise<T['outcome']>;
  /** The variables of a worker that it passes on to servers and programs, besides those of adapters. Missing if to none. */
  variables?(request: Pick<PerformerRequest<T>, 'record' | 'labels' | 'project'>): Promise<SentVariable[]>;
  /** Makes ready what its jobs need on the machine of a worker. Throws if that fails. */
  openPerformer(request: PerformerRequest<T>): Promise<WorkPerformer>;
  /** Tells what is stored of it, and from then on what changes. */
  follow(request: FollowRequest<T>): Promise<FollowedWork<T>>;
}

interface OfOrder<T extends WorkTypes> {
  record: T['record'];
  store: Store;
  workerAccess: WorkerAccess;
  /** A file that travelled with the order; null if it has none of this name. */
  readFile(name: string): Promise<Uint8Array | null>;
}

export interface CoordinatorRequest<T extends WorkTypes> extends OfOrder<T>, Coordinator {
  settings: T['settings'];
  /** As it was ordered. */
  labels: readonly (readonly string[])[];
  stop: AbortSignal;
  abort: AbortSignal;
  onEvent(event: T['event']): void;
}

export interface PerformerRequest<T extends WorkTypes> extends OfOrder<T> {
  work: Work;
  settings: T['settings'];
  labels: readonly (readonly string[])[];
  budgetUsd: number | null;
  limits: SharedLimits;
  /** Of the files that travelled, with the storage of the worker. */
  project: Project;
  /** The folder in which the work was started, among these files. */
  cwd: string;
  env: Record<string, string | undefined>;
  /** Tells the coordinator and the owner of the worker. */
  warn(message: string): Promise<void>;
  /** Aborted: no further job begins. */
  stop: AbortSignal;
  /** Aborted: jobs under way are given up. */
  abort: AbortSignal;
  /** Whether the coordinator has said so of a group of jobs. */
  isPointless(group: string): boolean;
}

/** What a worker has made ready for the jobs of a piece of work. */
export interface WorkPerformer extends AsyncDisposable {
  /** `nothing`: there is no result, and another attempt would give none. `elsewhere`: another worker may do it. */
  perform(job: TakenJob): Promise<'done' | 'nothing' | 'elsewhere'>;
  /** Disposing of it may take a while, and may fail. */
  tearsDown?: boolean | undefined;
  /** Missing if its jobs cost nothing and ask no model. */
  models?: PerformerModels | undefined;
}

/** How a performer pays for its jobs, and the models that they ask. */
interface PerformerModels {
  /** The coordinator hears when it refuses some. */
  budget: Pick<Budget, 'refusal'>;
  asked: readonly AskedModel[];
  /** The coordinator hears which of them cannot be reached from here. */
  outageOf: KnownOutages;
  /** It takes no job until the coordinator says more: a model that it needs cannot be reached from here. */
  waitsForCoordinator(): boolean;
}

export interface AskedModel {
  adapter: string;
  model: string;
}

export interface FollowRequest<T extends WorkTypes> extends OfOrder<T>, Pick<CoordinatorRequest<T>, 'onEvent'> {
  project: Project;
}

interface FollowedWork<T extends WorkTypes> {
  /** Tells what has changed since it was last called. */
  read(): Promise<void>;
  /** `outcome`: of the coordinator, if this process coordinated it in the end. */
  end(record: T['record'], outcome: T['outcome'] | null): Promise<T['ended']>;
}

declare module '../../extension/extension.ts' {
  interface Doors {
    /** Kinds of work that a package has. */
    work: readonly WorkKind[];
  }
}
