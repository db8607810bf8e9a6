import { resolve } from 'node:path';
import { refuseWithoutWorkers, type WorkerUse } from 'salvo/kit/app';
import {
  hasWorkerAccess,
  loadProject,
  openProjectIfStored,
  openProjectStore,
  type Stoppable,
  type Workplace,
} from 'salvo/kit/project';
import { openResources } from 'salvo/kit/resources';
import type { Project } from 'salvo/kit/scenario';
import type { Store } from 'salvo/kit/store';
import { isAllCodeRefused, isUnreadable, refuseAllCode, salvoVersion } from 'salvo/kit/text';
import type { ExperimentEvent } from '../../experiment/conduct-experiment.ts';
import { type ExperimentRecord, newExperiment, refuseOtherVersion } from '../../experiment/experiment-record.ts';
import {
  type ExperimentEstimate,
  estimateExperiment as estimatePlan,
} from '../../experiment/plan/estimate-experiment.ts';
import type { ExperimentPlan } from '../../experiment/plan/experiment-plan.ts';
import { loadExperiment } from '../../experiment/plan/load-experiment.ts';
import { runExperiment as playGames } from '../../experiment/run-experiment.ts';
import type { Game } from '../../game/game-document.ts';
import { experimentsOf } from '../../store/experiment-tables.ts';
import { openExperimentTeams } from '../games/experiment-teams.ts';
import type { PlanTemplates } from './plan-templates.ts';
import { experimentView, type OpenExperiment, openExperimentStore } from './stored-experiments.ts';

export interface ExperimentOptions extends Workplace, Stoppable {
  /** Games at once. */
  concurrency?: number | undefined;
  budgetUsd?: number | undefined;
  /** How workers are used, if the project has a database for them. */
  workers?: WorkerUse | undefined;
  onEvent?: ((event: ExperimentEvent) => void) | undefined;
}

/** Plays the experiment that a YAML file describes. */
export async function runExperiment({
  file,
  ...options
}: ExperimentOptions & { file: string }): Promise<OpenExperiment> {
  const { project, plan } = await loadPlan(file, options);
  const templates = await templatesOf(plan, project, options);
  const { withTemplates } = await import('./plan-templates.ts');
  const read = templates ? await withTemplates(plan, templates) : plan;
  return await playExperiment({ experiment: newExperiment(read), project, templates, options });
}

/** Plays what failed or is missing of a stored experiment: by its id, the beginning of one, or `latest` unfinished. */
export async function resumeExperiment({
  experiment: idOrPrefix,
  ...options
}: ExperimentOptions & { experiment: string }): Promise<OpenExperiment> {
  await using resources = openResources();
  const { store, experiment } = resources.use(
    await openExperimentStore({ ...options, experiment: idOrPrefix, toResume: true }),
  );
  refuseOtherVersion(experiment, salvoVersion());
  if (experiment.no_code) refuseAllCode();
  const project = await loadProject(options.cwd);
  const templates = await templatesOf(experiment.plan, project, options);
  const resumed = { ...experiment, ...(isAllCodeRefused() && { no_code: true }) };
  return await playExperiment({
    experiment: resumed,
    project,
    opened: resources.keepFor({ store }),
    templates,
    options,
  });
}

/** Plays an experiment, or what is missing of it. The store stays open until the result is disposed of. */
export async function playExperiment(request: {
  experiment: ExperimentRecord;
  project: Project;
  /** The store that the experiment is in already. */
  opened?: AsyncDisposable & { store: Store };
  /** Code of the user, if it is played on. */
  templates?: PlanTemplates | undefined;
  options: ExperimentOptions;
}): Promise<OpenExperiment> {
  await using resources = openResources();
  const { experiment, project, opened, templates, options } = request;
  if (opened) resources.use(opened);
  const { cwd = process.cwd(), env = process.env, stop = NEVER, abort = NEVER, onEvent = () => {} } = options;
  const { patience } = options;
  const { plan } = experiment;
  const byWorkers = hasWorkerAccess(project, env);
  await refuseWithoutWorkers(options.workers, byWorkers);
  if (byWorkers) {
    const { experimentByWorkers } = await import('./experiment-by-workers.ts');
    const store =
      opened?.store ?? resources.adopt(await openProjectStore(project, { env, patience }), (each) => each.close());
    const played = await experimentByWorkers({ options, store, experiment, project, templates, cwd, env });
    return resources.keepFor(experimentView(played, { store, project }));
  }
  await using teams = await openExperimentTeams(plan, {
    ...{ project, env, cwd, budgetUsd: options.budgetUsd ?? null },
    ...(templates && { templates }),
  });
  // Not before: wrong input must leave nothing behind.
  const store =
    opened?.store ?? resources.adopt(await openProjectStore(project, { env, patience }), (each) => each.close());
  const ended = await playGames({
    experiment,
    recorder: experimentsOf(store),
    redOf: teams.red,
    playUntil: teams.playUntil,
    concurrency: options.concurrency ?? plan.concurrency ?? project.config.concurrency,
    budget: teams.budget,
    stop,
    abort,
    now: () => new Date(),
    onEvent,
  });
  return resources.keepFor(experimentView(ended, { store, project }));
}

/** The code of the user that a plan names, if it names any. */
async function templatesOf(
  plan: ExperimentPlan,
  { root }: Project,
  { env = process.env }: Workplace,
): Promise<PlanTemplates | undefined> {
  if (!plan.own_code) return undefined;
  const { readPlanTemplates } = await import('./plan-templates.ts');
  return await readPlanTemplates(plan, { root, env });
}

const NEVER = new AbortController().signal;

/** What the experiment of a YAML file would do and cost, judged by stored games. Plays and stores nothing. */
export async function estimateExperiment({
  file,
  ...place
}: Workplace & { file: string }): Promise<ExperimentEstimate> {
  const { plan } = await loadPlan(file, place);
  return estimatePlan(plan, earlierGames(place));
}

async function loadPlan(file: string, { cwd = process.cwd() }: Workplace) {
  const project = await loadProject(cwd);
  return { project, plan: loadExperiment({ file: resolve(cwd, file), project }) };
}

const MOST_EXPERIMENTS = 10;
const MOST_GAMES = 300;

/** The first games of the newest experiments. */
async function* earlierGames(place: Workplace): AsyncGenerator<Game> {
  await using opened = await openProjectIfStored(place);
  const { store } = opened;
  if (!store) return;
  const experiments = experimentsOf(store);
  for (const { experiment_id } of await experiments.listExperiments({ limit: MOST_EXPERIMENTS })) {
    let count = 0;
    try {
      for await (const game of experiments.games(experiment_id)) {
        yield game;
        count += 1;
        if (count >= MOST_GAMES) break;
      }
    } catch (error) {
      // The rest of an experiment with a game that can't be read says nothing; the others do.
      if (!isUnreadable(error)) throw error;
    }
  }
}
