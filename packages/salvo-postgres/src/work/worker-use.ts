import { SalvoError } from 'salvo/kit/text';

/** How a run or an experiment uses workers. */
export interface WorkerUse {
  /** What a worker must have, in addition to what scenarios ask for. */
  labels?: string[] | undefined;
  /** So many workers are started here, and end with the run. They may execute its code. */
  local?: number | undefined;
  /** How `salvo` is started, for workers here. */
  command?: readonly string[] | undefined;
  /** The run is left to the workers as soon as they can take it. Rejects with a `LeftToWorkers`. */
  detach?: boolean | undefined;
  /** Called if the run can be left to workers. Aborted: it is. */
  leave?: (() => AbortSignal) | undefined;
}

/** Aborted when the work is left to the workers. Undefined if it never is. */
export function leaveOf({ detach, leave }: WorkerUse): AbortSignal | undefined {
  return detach ? AbortSignal.abort() : leave?.();
}

/** Options for workers would otherwise have no effect, without a word. */
export function refuseWithoutWorkers(use: WorkerUse | undefined, hasWorkers: boolean): void {
  if (hasWorkers || !use) return;
  const given = use.detach ? 'detach' : use.local !== undefined ? 'local' : use.labels?.length ? 'labels' : null;
  if (given === null) return;
  throw new SalvoError(
    'DATABASE_MISSING',
    `{option:workers.${given}} needs a database that all workers can reach: set SALVO_DATABASE_URL=postgres://..., or database_url in salvo.yaml.`,
  );
}
