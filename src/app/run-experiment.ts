import { resolve } from 'node:path';
import type { ExperimentEvent } from '../arena/experiment/conduct-experiment.ts';
import type { ExperimentRecord } from '../arena/experiment/experiment-record.ts';
import { newExperiment, refuseOtherVersion } from '../arena/experiment/experiment-record.ts';
import { type ExperimentEstimate, estimateExperiment } from '../arena/experiment/plan/estimate-experiment.ts';
import type { ExperimentPlan } from '../arena/experiment/plan/experiment-plan.ts';
import { loadExperiment } from '../arena/experiment/plan/load-experiment.ts';
import { createCellPlayer } from '../arena/experiment/play-cell.ts';
import { runExperiment } from '../arena/experiment/run-experiment.ts';
import type { Game } from '../arena/game/game-document.ts';
import type { GameStage } from '../arena/game/played-game.ts';
import { truthGate } from '../arena/game/truth-gate.ts';
import { checkScanners } from '../arena/teams/create-team.ts';
import { asksModel, parseBlueName } from '../arena/teams/team-name.ts';
import type { Budget } from '../models/budget.ts';
import { createBudget } from '../models/limited-budget.ts';
import { withBudget } from '../models/model-caller.ts';
import { createOutages, type OutageOf } from '../models/outages.ts';
import type { SharedLimits } from '../models/shared/shared-limits.ts';
import type { Work } from '../queue/lease.ts';
import { loadProject } from '../scenario/load-project.ts';
import type { Project } from '../scenario/schema/project-schema.ts';
import type { Store } from '../store/store.ts';
import { salvoVersion } from '../text/salvo-version.ts';
import { createMatchJudge, judgeAsksModels, withoutUndecided } from './match-judge.ts';
import { hasWorkforce, openProjectIfStored, openProjectStore, type Stoppable, type Workplace } from './open-project.ts';
import { openResources } from './open-resources.ts';
import { openProjectModels } from './project-models.ts';
import { experimentView, type OpenExperiment, openExperimentStore } from './stored-experiments.ts';
import { createTeams, type Teams } from './teams.ts';
import { refuseWithoutWorkers, type WorkerUse } from './work/worker-use.ts';

export interface ExperimentOptions extends Workplace, Stoppable {
  /** Games at once. */
  concurrency?: number | undefined;
  budgetUsd?: number | undefined;
  /** How workers are used, if the project has a database for them. */
  workers?: WorkerUse | undefined;
  onEvent?: ((event: ExperimentEvent) => void) | undefined;
}

/** Plays the experiment that a YAML file describes. */
export async function runExperimentFile({
  file,
  ...options
}: ExperimentOptions & { file: string }): Promise<OpenExperiment> {
  const { project, plan } = await loadPlan(file, options);
  return await playExperiment({ experiment: newExperiment(plan), project, options });
}

/** Plays what failed or is missing of a stored experiment: by its id, the beginning of one, or `latest` unfinished. */
export async function resumeExperiment({
  experiment: idOrPrefix,
  ...options
}: ExperimentOptions & { experiment: string }): Promise<OpenExperiment> {
  await using resources = openResources();
  const { project, store, experiment } = resources.use(
    await openExperimentStore({ ...options, experiment: idOrPrefix, toResume: true }),
  );
  refuseOtherVersion(experiment, salvoVersion());
  return await playExperiment({ experiment, project, opened: resources.keepFor({ store }), options });
}

/** Plays an experiment, or what is missing of it. The store stays open until the result is disposed of. */
export async function playExperiment(request: {
  experiment: ExperimentRecord;
  project: Project;
  /** The store that the experiment is in already. */
  opened?: AsyncDisposable & { store: Store };
  options: ExperimentOptions;
}): Promise<OpenExperiment> {
  await using resources = openResources();
  const { experiment, project, opened, options } = request;
  if (opened) resources.use(opened);
  const { cwd = process.cwd(), env = process.env, stop = NEVER, abort = NEVER, onEvent = () => {} } = options;
  const { plan } = experiment;
  const byWorkers = hasWorkforce(project, env);
  refuseWithoutWorkers(options.workers, byWorkers);
  if (byWorkers) {
    const { experimentByWorkers } = await import('./work/experiment-by-workers.ts');
    const store = opened?.store ?? resources.adopt(await openProjectStore(project, { env }), (each) => each.close());
    const played = await experimentByWorkers({ options, store, experiment, project, cwd, env });
    return resources.keepFor(experimentView(played, store));
  }
  await using teams = await openExperimentTeams(plan, { project, env, cwd, budgetUsd: options.budgetUsd ?? null });
  // Not before: wrong input must leave nothing behind.
  const store = opened?.store ?? resources.adopt(await openProjectStore(project, { env }), (each) => each.close());
  const ended = await runExperiment({
    experiment,
    recorder: store,
    redOf: teams.red,
    isRepeatable: (red) => !asksModel(red),
    play: teams.playUntil(abort),
    concurrency: options.concurrency ?? plan.concurrency ?? project.config.concurrency,
    budget: teams.budget,
    stop,
    abort,
    now: () => new Date(),
    onEvent,
  });
  return resources.keepFor(experimentView(ended, store));
}

/** What plays the games of an experiment on this machine. */
interface ExperimentTeams extends AsyncDisposable {
  red: Teams['red'];
  playUntil: ReturnType<typeof createCellPlayer>;
  budget: Budget;
  /** The models that a stage of a game asks. */
  modelsOf(game: { red: string; blue: string }, stage: GameStage): AskedModel[];
  outageOf: OutageOf;
}

type AskedModel = { adapter: string; model: string };

/** Throws when a team cannot play here: a missing scanner, a key, a price under a budget. */
export async function openExperimentTeams(
  plan: ExperimentPlan,
  place: {
    project: Project;
    env: Record<string, string | undefined>;
    cwd: string;
    /** Instead of what the plan and salvo.yaml say. */
    budgetUsd: number | null;
    /** Limits that other processes keep as well, instead of those of this process alone. */
    shared?: { limits: SharedLimits; work: Work };
  },
): Promise<ExperimentTeams> {
  const { project, env, cwd, shared } = place;
  await using resources = openResources();
  const needsModels = [...plan.red, ...(plan.mode === 'tools_only' ? [] : plan.blue)].some(asksModel);
  const judgeOptions = { ...plan, k: plan.votes };
  const services =
    needsModels || judgeAsksModels(judgeOptions)
      ? resources.use(await openProjectModels({ project, env, cache: false, limits: shared?.limits }))
      : null;
  const budgetUsd = place.budgetUsd ?? plan.budget_usd ?? project.config.budget_usd;
  const budget =
    shared && budgetUsd !== undefined
      ? shared.limits.budgetOf(shared.work, budgetUsd)
      : createBudget(budgetUsd ?? null);
  const paid = services && { ...services, models: withBudget(services.models, budget) };
  const teams = createTeams(
    { red: plan.red, blue: plan.blue, mode: plan.mode },
    {
      ...plan,
      redArchitecture: plan.red_architecture,
      redSource: plan.red_source,
      blueCategory: plan.blue_category,
    },
    { services: paid, env, cwd },
  );
  const judge = createMatchJudge(judgeOptions, paid);
  const called = [...teams.models, ...judge.models].map((model) => ({ ...model, file: plan.name }));
  await services?.budgetUsd(budgetUsd, called);
  // Otherwise every game of a missing scanner would fail one by one.
  const scanners = { env, root: cwd };
  const checker = plan.checker === 'none' || plan.checker === undefined ? [] : [parseBlueName(plan.checker)];
  for (const team of [...teams.blueNames, ...checker]) checkScanners(team, plan.language, scanners);
  const playUntil = createCellPlayer({
    plan,
    blueOf: teams.blue,
    // One gate for all Blues: they must be measured against the same truth.
    gate: truthGate(teams.blueNames, plan.checker, scanners),
    judge: withoutUndecided(judge.agent),
  });
  const modelsOf: ExperimentTeams['modelsOf'] = (game, stage) => {
    if (stage === 'gate') return [];
    return stage === 'judge' ? judge.models : teams.modelsOf(stage, game[stage]);
  };
  const outageOf = services?.outageOf ?? createOutages();
  return resources.keepFor({ red: teams.red, playUntil, budget, modelsOf, outageOf });
}

const NEVER = new AbortController().signal;

/** What the experiment of a YAML file would do and cost, judged by stored games. Plays and stores nothing. */
export async function estimateExperimentFile({
  file,
  ...place
}: Workplace & { file: string }): Promise<ExperimentEstimate> {
  const { plan } = await loadPlan(file, place);
  return estimateExperiment(plan, earlierGames(place));
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
  for (const { experiment_id } of await store.listExperiments({ limit: MOST_EXPERIMENTS })) {
    let count = 0;
    for await (const game of store.games(experiment_id)) {
      yield game;
      count += 1;
      if (count >= MOST_GAMES) break;
    }
  }
}
