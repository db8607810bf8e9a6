import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { SentVariable } from '../../adapters/sent-variables.ts';
import { NO_LIMIT } from '../../models/budget/budget.ts';
import { votesOfRun } from '../../models/call/vote-cache.ts';
import type { TakenJob } from '../../queue/work-queue.ts';
import { calledModels, prepareScenario } from '../../run/conduct/prepare-scenario.ts';
import { createRunHooks, hasTeardown } from '../../run/conduct/run-hooks.ts';
import type { RunRecord } from '../../run/record/run-record.ts';
import { loadHooks } from '../../scenario/code/load-hooks.ts';
import { scenarioVariables } from '../../scenario/scenario-variables.ts';
import type { Project } from '../../scenario/schema/project-schema.ts';
import { outsideProblem } from '../../scenario/yaml/read-source.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { remembered } from '../../text/memo.ts';
import { exitWork } from '../../text/modules/process-work.ts';
import { openResources } from '../../text/open-resources.ts';
import { projectEnv } from '../project/project-env.ts';
import { openProjectModels } from '../project/project-models.ts';
import { entriesOfRun } from '../selection/choose-entries.ts';
import { scenarioDifference } from '../selection/resume-run.ts';
import { lossKeepingRecorder } from './loss-keeping-recorder.ts';
import { performTrialJob, waitsForCoordinator } from './perform-trial-job.ts';
import type { RunWork } from './run-work.ts';
import type { PerformerRequest, WorkPerformer } from './work-kind.ts';

/** Makes the scenarios of a run ready on this machine. Throws if one of its trials could not be scored here. */
export async function openRunPerformer(request: PerformerRequest<RunWork>): Promise<WorkPerformer> {
  await using resources = openResources();
  const { work, record: run, settings, project, env, workerAccess, limits, stop, abort } = request;
  const { chosen } = await entriesOf(request);
  const retries = settings.retries ?? undefined;
  const services = resources.use(
    await openProjectModels({ project, env, retries, cache: settings.judge_cache, limits }),
  );
  const { record_only: recordOnly } = run.options;
  const preparation = { project, env: projectEnv(project, env), recordOnly, limiterOf: services.limiterOf };
  const prepared = await Promise.all(
    chosen.map(({ loaded, adapter, model, user }) => prepareScenario(loaded, { ...preparation, adapter, model, user })),
  );
  resources.defer(async () => {
    await Promise.all(prepared.map((scenario) => scenario.adapter.close?.()));
  });
  const difference = scenarioDifference(run, prepared);
  if (difference !== null) throw new SalvoError('ORDER_DIFFERS', difference);
  for (const scenario of prepared) await scenario.adapter.prepare?.();
  const projectHooks = await loadHooks(project);
  const hooks = createRunHooks({
    runId: run.run_id,
    root: project.root,
    hooks: projectHooks,
    scenarios: prepared,
    timeoutSeconds: project.config.defaults.timeout_seconds,
    abort,
  });
  exitWork.add(hooks.close);
  resources.defer(async () => {
    exitWork.delete(hooks.close);
    for (const message of await hooks.close()) await request.warn(message);
  });
  const { pricing, retry, outageOf, models, voteCache } = services;
  const budget = request.budgetUsd === null ? NO_LIMIT : limits.budgetOf(work, request.budgetUsd);
  const ready = {
    request: {
      ...{ run, stop, project },
      services: { pricing, retry, maxRetries: retries, outageOf, abort },
      judgeServices: {
        ...{ models, voteCache: voteCache && votesOfRun(voteCache, run.run_id) },
        answersOf: await answersOn(request),
      },
    },
    ...{ prepared, hooks, budget },
    recorderOf: (job: TakenJob) => lossKeepingRecorder(workerAccess, job),
  };
  const asked = await calledModels({ prepared, project, recordOnly });
  const judges = asked.filter(({ adapter }) => !prepared.some(({ adapterName }) => adapterName === adapter));
  // Not during the first trials: on a busy machine a worker that loads much code is silent for longer than a lease.
  for (const adapter of new Set(judges.map((judge) => judge.adapter))) await models.prepare?.(adapter);
  return resources.keepFor({
    perform: (job: TakenJob) => performTrialJob(job, ready),
    tearsDown: hasTeardown(projectHooks, prepared),
    models: {
      ...{ budget, outageOf, asked },
      waitsForCoordinator: () => waitsForCoordinator(ready, request.isPointless),
    },
  });
}

/** Loads nothing for a run whose judges compare nothing with other runs. */
async function answersOn({ record, store }: Pick<PerformerRequest<RunWork>, 'record' | 'store'>) {
  const { compared_runs: compared } = record.options;
  return compared && (await import('../runs/other-answers.ts')).answersOfRuns(store, compared);
}

/** The variables that the scenarios of a run pass on. Read from the files that are run, and not from the record. */
export async function variablesOfRun(request: RunEntries): Promise<SentVariable[]> {
  const { chosen } = await entriesOf(request);
  return chosen.flatMap(({ loaded }) => scenarioVariables(loaded.scenario));
}

type RunEntries = Pick<PerformerRequest<RunWork>, 'record' | 'labels' | 'project'>;

/** The entries of a run by its record, so that their files are read once. */
const entriesByRun = new WeakMap<RunRecord, ReturnType<typeof entriesOfRun>>();

function entriesOf({ record: run, labels, project }: RunEntries): ReturnType<typeof entriesOfRun> {
  return remembered(entriesByRun, run, async () => {
    // The files of skipped scenarios did not travel.
    const performed = { ...run, scenarios: run.scenarios.slice(0, labels.length) };
    refuseOutside(performed, project);
    return entriesOfRun(performed, { project, cwd: project.root, options: {} });
  });
}

/** A record may come from anybody who can write to the database: its scenarios are files that were sent. */
function refuseOutside({ scenarios }: RunRecord, { root, boundary = root }: Project): void {
  for (const { file: name } of scenarios) {
    const file = resolve(root, name);
    if (existsSync(file) && outsideProblem({ file, name, root: boundary }) === null) continue;
    throw new SalvoError('ORDER_DIFFERS', `${name}, a scenario of the run, is not among the files that were sent.`);
  }
}
