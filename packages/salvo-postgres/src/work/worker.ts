import { hostname } from 'node:os';
import { loadSettings, openProjectStore, type Stoppable, type Workplace } from 'salvo/kit/project';
import { newId, type WorkerDescription } from 'salvo/kit/queue';
import { openResources } from 'salvo/kit/resources';
import type { Project } from 'salvo/kit/scenario';
import { salvoVersion } from 'salvo/kit/text';
import { workerAccessOf } from './coordinate-order.ts';
import type { GrantedVariables } from './granted-variables.ts';
import { JobTaker } from './job-taker.ts';
import { loadPackages } from './kinds.ts';
import { openPerformer } from './open-performer.ts';
import type { WorkerEvent } from './worker-event.ts';

export interface WorkerOptions extends Workplace, Stoppable {
  /** Jobs at the same time; `concurrency` of salvo.yaml if not given. */
  concurrency?: number | undefined;
  labels?: string[] | undefined;
  /** Code that it may execute: all of it, or pieces by their hash. None if not given. */
  allowCode?: WorkerDescription['allowed_code'] | undefined;
  /** Variables that runs may send to servers and programs. Only the usual keys of providers if not given. */
  granted?: GrantedVariables | undefined;
  /** Only this run or experiment; it ends with it. */
  run?: string | undefined;
  /** Ends when there was nothing to do for so long. */
  idleExitSeconds?: number | undefined;
  /** How `salvo` is started: work with code gets a process of its own. */
  command: readonly string[];
  onEvent?: ((event: WorkerEvent) => void) | undefined;
}

/** Takes jobs of all runs and experiments until it is stopped. The first stop finishes what is under way. */
export async function runWorker(options: WorkerOptions): Promise<void> {
  const { cwd = process.cwd(), env = process.env, granted = [], onEvent = () => {} } = options;
  await using resources = openResources();
  const project = await loadSettings(cwd);
  await loadPackages(project);
  const store = resources.adopt(await openProjectStore(project, { env, patience: options.patience }), (each) =>
    each.close(),
  );
  const { queue } = workerAccessOf(store);
  const worker = describeWorker(options, project);
  const session = resources.use(await queue.join(worker));
  onEvent({ type: 'joined', worker });
  const context = { options, project, store, session, worker, granted, cwd, env, onEvent, openPerformer };
  const jobs = await new JobTaker(context).takeAll();
  onEvent({ type: 'left', jobs });
}

function describeWorker(options: WorkerOptions, { config }: Project): WorkerDescription {
  return {
    worker_id: newId(),
    host: hostname(),
    pid: process.pid,
    salvo_version: salvoVersion(),
    labels: options.labels ?? [],
    concurrency: options.concurrency ?? config.concurrency,
    allowed_code: options.allowCode ?? [],
  };
}
