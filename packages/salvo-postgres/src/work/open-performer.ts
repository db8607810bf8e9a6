import { resolve } from 'node:path';
import { projectEnv } from 'salvo/kit/app';
import { loadProject, openProjectStore, projectRedactor } from 'salvo/kit/project';
import type { Opening, WorkerDescription, WorkerSession, WorkOrder } from 'salvo/kit/queue';
import { openResources } from 'salvo/kit/resources';
import type { Project } from 'salvo/kit/scenario';
import type { Store } from 'salvo/kit/store';
import { bundleCacheFolder } from '../bundle/bundle-cache.ts';
import { unpackBundle } from '../bundle/unpack-bundle.ts';
import { openSharedLimits } from '../limits/shared-limits.ts';
import { readFileOfOrder, workerAccessOf } from './coordinate-order.ts';
import { type GrantedVariables, refuseUngranted } from './granted-variables.ts';
import { createJobPerformer, createNotifier, type JobPerformer, type WorkerSignals } from './job-performer.ts';
import { kindOf, recordOf } from './kinds.ts';
import { refuseMachineUse } from './machine-use.ts';
import { ownSettingsOf, settingsOf } from './order-settings.ts';

/** A worker, where it is, and what it stores with. */
export interface WorkerPlace {
  /** Of the worker itself: where it stores, and what it may execute. */
  project: Project;
  store: Store;
  session: WorkerSession;
  worker: WorkerDescription;
  granted: GrantedVariables;
  cwd: string;
  env: Record<string, string | undefined>;
}

/** Where an order is opened. */
interface OrderPlace extends WorkerPlace {
  order: WorkOrder;
  opening: Opening;
  onWarning: (message: string) => void;
  onPaused: (reason: string) => void;
}

export type OpenPerformer = (place: OrderPlace, signals: WorkerSignals) => Promise<JobPerformer>;

/** Opens an order on this machine: unpacks its bundle, and makes ready what its jobs need. Throws if that fails. */
export async function openPerformer(place: OrderPlace, signals: WorkerSignals): Promise<JobPerformer> {
  const { order, store, worker, env } = place;
  const { queue } = workerAccessOf(store);
  const kind = await kindOf(order.work);
  const record = await recordOf(kind, store, order.work.id);
  const settings = settingsOf(order);
  const unpacked = await unpackBundle({
    hash: order.bundle,
    readFiles: (hashes) => queue.readFiles(hashes),
    cache: bundleCacheFolder(env),
    cwd: place.cwd,
    // Work with --no-code executes none anywhere, whatever the owner of a worker allows.
    allowedCode: kind.isWithoutCode?.(record) ? 'none' : worker.allowed_code,
  });
  const sent = { ...withOwnStorage(await loadProject(unpacked.root), place.project), boundary: unpacked.folder };
  const { adapters } = sent.config;
  if (!unpacked.isAllowed) refuseMachineUse(adapters, unpacked);
  const ownEnv = projectEnv(place.project, env);
  const ofScenarios = (await kind.variables?.({ record, labels: settings.labels, project: sent })) ?? [];
  refuseUngranted({ adapters, ofScenarios }, { granted: place.granted, env: ownEnv });
  const project = { ...sent, passedOn: ofScenarios.flatMap(({ variable }) => variable ?? []) };
  const redactor = projectRedactor(project, ownEnv);
  const notify = createNotifier(place, redactor);
  return await createJobPerformer({ signals, notify, redactor, worker: worker.worker_id }, async (directions) => {
    await using resources = openResources();
    const own = resources.adopt(await openProjectStore(project, { env: ownEnv }), (each) => each.close());
    const workerAccess = workerAccessOf(own);
    const limits = resources.use(openSharedLimits(workerAccess.limits));
    const performer = await kind.openPerformer({
      ...directions,
      work: order.work,
      record,
      settings: ownSettingsOf(kind, order),
      labels: settings.labels,
      budgetUsd: settings.budget_usd,
      ...{ store: own, workerAccess, limits, project },
      readFile: (name) => readFileOfOrder(workerAccess, order, name),
      cwd: unpacked.cwd,
      env: ownEnv,
      async warn(message) {
        place.onWarning(redactor.text(message));
        // The database may be gone, or the work have ended: then it is not read there.
        await notify({ type: 'warning', message }).catch(() => {});
      },
    });
    resources.defer(async () => {
      await performer[Symbol.asyncDispose]();
      if (performer.tearsDown) await notify({ type: 'left', worker: worker.worker_id, message: '' }).catch(() => {});
    });
    await notify({
      ...{ type: 'joined', worker: worker.worker_id, tears_down: performer.tearsDown ?? false },
      message: `The worker on ${worker.host} (process ${worker.pid}) takes part.`,
    });
    return resources.keepFor(performer);
  });
}

/** The project of an order, with the storage of this worker. */
function withOwnStorage(project: Project, own: Project): Project {
  const { database_url, database_migrate } = own.config;
  const storage_dir = resolve(own.root, own.config.storage_dir);
  return { ...project, config: { ...project.config, storage_dir, database_url, database_migrate } };
}
