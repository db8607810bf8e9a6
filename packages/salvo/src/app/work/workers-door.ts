import { openDoor } from '../../extension/load-extension.ts';
import type { Work } from '../../queue/lease.ts';
import type { WorkQueue } from '../../queue/work-queue.ts';
import type { LoadedScenario } from '../../scenario/load-scenario.ts';
import type { Project } from '../../scenario/schema/project-schema.ts';
import type { Store } from '../../store/store.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import type { Stoppable } from '../project/open-project.ts';
import type { WorkKind, WorkTypes } from './work-kind.ts';

/** What a run or an experiment asks of workers. */
export interface WorkerUse {
  /** What a worker must have, in addition to what scenarios ask for. */
  labels?: string[] | undefined;
  /** So many workers are started here, and end with the run. They may execute its code. */
  local?: number | undefined;
  /** How `salvo` is started, for workers here. */
  command?: readonly string[] | undefined;
  /** The run is left to the workers as soon as they can take it. Rejects with a `LeftToWorkers`. */
  detach?: boolean | undefined;
  /** Called if the run can be left to workers. Its signal is aborted when it is. */
  leave?: (() => AbortSignal) | undefined;
}

/** What jobs need of a project on a machine without its files. */
export interface WorkNeeds {
  /** Scenarios, each with the adapter that it runs with, if that is not its own. */
  entries?: readonly { loaded: LoadedScenario; adapter?: string | undefined; cases: number[] | null }[] | undefined;
  /** Names of adapters, besides those of scenarios and judges. */
  adapters?: readonly string[] | undefined;
  /** Command lines that are started in the folder of the user. */
  commands?: readonly string[] | undefined;
}

/** A piece of work for workers. */
export interface WorkRequest<T extends WorkTypes> extends Stoppable {
  id: string;
  record: T['record'];
  settings: T['settings'];
  /** All labels that its jobs ask for: a worker must have all of one of these lists. */
  labels: string[][];
  budgetUsd: number | null;
  needs: WorkNeeds;
  /** Files besides those of the project, by a name that `readFile` knows. */
  files?: Readonly<Record<string, Uint8Array>> | undefined;
  workers: WorkerUse | undefined;
  /** Jobs at once of each worker that is started here. */
  concurrency: number;
  store: Store;
  project: Project;
  cwd: string;
  env: Record<string, string | undefined>;
  onEvent?: ((event: T['event']) => void) | undefined;
}

/** Lets other processes work, if the project has a database for them. */
export interface Workers {
  /** Lets workers do the work, and coordinates it until it ends or is left to them. */
  perform<T extends WorkTypes>(kind: WorkKind<T>, request: WorkRequest<T>): Promise<T['outcome']>;
  /** Why work that another process coordinates waits for workers, and what to start; null if it does not wait. */
  whyWaiting(queue: WorkQueue, work: Work): Promise<string | null>;
}

declare module '../../extension/extension.ts' {
  interface Doors {
    workers: Workers;
  }
}

export function openWorkers(what = 'Work by several processes'): Promise<Workers> {
  return openDoor('workers', { name: 'salvo-postgres', what });
}

/** Null also if it is not done by workers. */
export async function whyWaiting({ workerAccess }: Pick<Store, 'workerAccess'>, work: Work): Promise<string | null> {
  return workerAccess && (await (await openWorkers()).whyWaiting(workerAccess.queue, work));
}

/** Options for workers would otherwise have no effect, without a word. */
export async function refuseWithoutWorkers(use: WorkerUse | undefined, hasWorkers: boolean): Promise<void> {
  if (hasWorkers || !use) return;
  const given = use.detach ? 'detach' : use.local !== undefined ? 'local' : use.labels?.length ? 'labels' : null;
  if (given === null) return;
  await openWorkers(`{option:workers.${given}}`);
  throw new SalvoError(
    'DATABASE_MISSING',
    `{option:workers.${given}} needs a database that all workers can reach: set SALVO_DATABASE_URL=postgres://..., or database_url in salvo.yaml.`,
  );
}
