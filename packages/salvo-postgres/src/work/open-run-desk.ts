import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  entriesOfRun,
  openProjectModels,
  openProjectStore,
  projectEnv,
  projectRedactor,
  scenarioDifference,
} from 'salvo/kit/app';
import { NO_LIMIT, votesOfRun } from 'salvo/kit/models';
import type { Opening, TakenJob, WorkerDescription, WorkerSeat, WorkOrder } from 'salvo/kit/queue';
import { createRunHooks, hasTeardown, prepareScenario, type RunRecord } from 'salvo/kit/run';
import { loadHooks, outsideProblem, type Project } from 'salvo/kit/scenario';
import type { Store } from 'salvo/kit/store';
import { exitWork, openResources, SalvoError } from 'salvo/kit/text';
import { openSharedLimits } from '../limits/shared-limits.ts';
import { createDesk, createNotifier, type Desk, type DeskSignals, joinedNotice } from './create-desk.ts';
import { workforceOf } from './lead-order.ts';
import { lossKeepingRecorder } from './loss-keeping-recorder.ts';
import { runSettingsOf } from './order-settings.ts';
import { performTrialJob, waitsForLead } from './run/perform-trial-job.ts';

/** What a worker opens an order with. */
export interface DeskPlace {
  order: WorkOrder;
  opening: Opening;
  seat: Pick<WorkerSeat, 'notify'>;
  worker: Pick<WorkerDescription, 'worker_id' | 'host' | 'pid'>;
  /** Of the parcel, with the storage of this worker. */
  project: Project;
  /** The folder in which it was started, in the parcel. */
  cwd: string;
  env: Record<string, string | undefined>;
  /** For the owner of the worker. */
  onWarning: (message: string) => void;
  /** It takes no more jobs, because a model cannot be reached from here. */
  onPaused: (reason: string) => void;
}

/** Makes the scenarios of a run ready on this machine. Throws if one of its trials could not be scored here. */
export async function openRunDesk(place: DeskPlace, signals: DeskSignals): Promise<Desk> {
  const { worker_id: worker } = place.worker;
  return await createDesk(signals, async ({ stop, abort, isPointless }) => {
    await using resources = openResources();
    const { order, project, env } = place;
    const settings = runSettingsOf(order);
    const store = resources.adopt(await openProjectStore(project, { env }), (each) => each.close());
    const workforce = workforceOf(store);
    const limits = resources.use(openSharedLimits(workforce.ledger));
    const run = await storedRun(store, order.work.id);
    // The files of skipped scenarios are not in the parcel.
    const performed = { ...run, scenarios: run.scenarios.slice(0, settings.labels.length) };
    refuseOutside(performed, project);
    const { chosen } = await entriesOfRun(performed, { project, cwd: project.root, options: {} });
    const services = resources.use(
      await openProjectModels({
        project,
        env,
        retries: settings.retries ?? undefined,
        cache: settings.judge_cache,
        limits,
      }),
    );
    const { record_only: recordOnly } = run.options;
    const preparation = { project, env: projectEnv(project, env), recordOnly, limiterOf: services.limiterOf };
    const prepared = await Promise.all(
      chosen.map(({ loaded, adapter, model }) => prepareScenario(loaded, { ...preparation, adapter, model })),
    );
    resources.defer(async () => {
      await Promise.all(prepared.map((scenario) => scenario.adapter.close?.()));
    });
    const difference = scenarioDifference(run, prepared);
    if (difference !== null) throw new SalvoError('ORDER_DIFFERS', difference);
    for (const scenario of prepared) await scenario.adapter.prepare?.();
    const projectHooks = await loadHooks(project);
    const tearsDown = hasTeardown(projectHooks, prepared);
    const hooks = createRunHooks({
      runId: run.run_id,
      root: project.root,
      hooks: projectHooks,
      scenarios: prepared,
      timeoutSeconds: project.config.defaults.timeout_seconds,
      abort,
    });
    exitWork.add(hooks.close);
    const redactor = projectRedactor(project, env);
    const notify = createNotifier(place, redactor);
    resources.defer(async () => {
      exitWork.delete(hooks.close);
      const warnings = await hooks.close();
      for (const message of warnings) place.onWarning(redactor.text(message));
      // The database may be gone, or the run have ended: then it is not read there.
      for (const message of warnings) await notify({ type: 'warning', message }).catch(() => {});
      if (tearsDown) await notify({ type: 'left', worker, message: '' }).catch(() => {});
    });
    const { pricing, retry, outageOf, models, voteCache } = services;
    const desk = {
      request: {
        run,
        stop,
        project,
        services: { pricing, retry, maxRetries: settings.retries ?? undefined, outageOf, abort },
        judgeServices: { models, voteCache: voteCache && votesOfRun(voteCache, run.run_id) },
      },
      prepared,
      hooks,
      budget: settings.budget_usd === null ? NO_LIMIT : limits.budgetOf(order.work, settings.budget_usd),
      recorderOf: (job: TakenJob) => lossKeepingRecorder(workforce, job),
      notify,
      worker,
    };
    await notify(joinedNotice(place.worker, tearsDown));
    return resources.keepFor({
      redactor,
      perform: (job: TakenJob) => performTrialJob(job, desk),
      waitsForLead: () => waitsForLead(desk, isPointless),
    });
  });
}

async function storedRun(store: Store, runId: string) {
  const run = await store.getRun(runId);
  if (!run) throw new SalvoError('RUN_UNKNOWN', `There is no run ${runId}.`);
  return run;
}

/** A record may come from anybody who can write to the database: its scenarios are files that were sent. */
function refuseOutside({ scenarios }: RunRecord, { root, boundary = root }: Project): void {
  for (const { file: name } of scenarios) {
    const file = resolve(root, name);
    if (existsSync(file) && outsideProblem({ file, name, root: boundary }) === null) continue;
    throw new SalvoError('ORDER_DIFFERS', `${name}, a scenario of the run, is not among the files that were sent.`);
  }
}
