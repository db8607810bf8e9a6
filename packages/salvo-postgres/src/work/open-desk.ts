import { resolve } from 'node:path';
import { projectEnv } from 'salvo/kit/app';
import type { Opening, WorkerDescription, WorkerSeat, WorkOrder } from 'salvo/kit/queue';
import { loadProject, type Project } from 'salvo/kit/scenario';
import type { Store } from 'salvo/kit/store';
import { experimentsOf } from '../../../salvo-arena/src/store/experiment-tables.ts';
import { parcelCacheFolder } from '../parcel/parcel-cache.ts';
import { unpackParcel } from '../parcel/unpack-parcel.ts';
import type { Desk, DeskSignals } from './create-desk.ts';
import { type GrantedVariables, refuseUngranted } from './granted-variables.ts';
import { workforceOf } from './lead-order.ts';
import { refuseMachineUse } from './machine-use.ts';

/** A worker, where it is, and what it stores with. */
export interface WorkerPost {
  /** Of the worker itself: where it stores, and what it may execute. */
  project: Project;
  store: Store;
  seat: WorkerSeat;
  worker: WorkerDescription;
  granted: GrantedVariables;
  cwd: string;
  env: Record<string, string | undefined>;
}

/** Opens an order on this machine: unpacks its parcel, and makes ready what its jobs need. Throws if that fails. */
export async function openDesk(
  place: WorkerPost & {
    order: WorkOrder;
    opening: Opening;
    onWarning: (message: string) => void;
    onPaused: (reason: string) => void;
  },
  signals: DeskSignals,
): Promise<Desk> {
  const { order, opening, store, worker, seat, env, onWarning, onPaused } = place;
  const { queue } = workforceOf(store);
  const { kind, id } = order.work;
  const isWithoutCode =
    kind === 'run'
      ? (await store.getRun(id))?.options.no_code
      : (await experimentsOf(store).getExperiment(id))?.no_code;
  const unpacked = await unpackParcel({
    hash: order.parcel,
    readFiles: (hashes) => queue.readFiles(hashes),
    cache: parcelCacheFolder(env),
    cwd: place.cwd,
    // What was begun with --no-code executes none anywhere, whatever the owner of a worker allows.
    allowedCode: isWithoutCode ? 'none' : worker.allowed_code,
  });
  const project = {
    ...withOwnStorage(await loadProject(unpacked.root), place.project),
    boundary: unpacked.folder,
  };
  if (!unpacked.isAllowed) refuseMachineUse(project.config.adapters, unpacked);
  const ownEnv = projectEnv(place.project, env);
  refuseUngranted(project.config.adapters, { granted: place.granted, env: ownEnv });
  const opened = {
    order,
    opening,
    seat,
    worker,
    project,
    cwd: unpacked.cwd,
    env: ownEnv,
    onWarning,
    onPaused,
  };
  return order.work.kind === 'run'
    ? await (await import('./open-run-desk.ts')).openRunDesk(opened, signals)
    : await (await import('./open-experiment-desk.ts')).openExperimentDesk(opened, signals);
}

/** The project of an order, with the storage of this worker. */
function withOwnStorage(project: Project, own: Project): Project {
  const { database_url, database_migrate } = own.config;
  const storage_dir = resolve(own.root, own.config.storage_dir);
  return { ...project, config: { ...project.config, storage_dir, database_url, database_migrate } };
}
