import { resolve } from 'node:path';
import { adapterType } from '../adapters/registry.ts';
import type { ExperimentRecord } from '../arena/experiment/experiment-record.ts';
import { newExperiment, refuseOtherVersion } from '../arena/experiment/experiment-record.ts';
import type { ExperimentPlan } from '../arena/experiment/plan/experiment-plan.ts';
import { loadExperiment } from '../arena/experiment/plan/load-experiment.ts';
import { createCellPlayer } from '../arena/experiment/play-cell.ts';
import { type ExperimentEvent, runExperiment } from '../arena/experiment/run-experiment.ts';
import { truthGate } from '../arena/game/truth-gate.ts';
import { checkScanners } from '../arena/teams/create-team.ts';
import { asksModel, type ModelName } from '../arena/teams/team-name.ts';
import { JudgeAgent } from '../match/judge-agent.ts';
import { refuseUnknownPrices } from '../models/unknown-prices.ts';
import { thisProcess } from '../queue/owner.ts';
import { loadProject } from '../scenario/load-project.ts';
import type { Project } from '../scenario/schema/project-schema.ts';
import type { Store } from '../store/store.ts';
import { salvoVersion } from '../text/salvo-version.ts';
import { openProjectStore, type Workplace } from './open-project.ts';
import { type OpenResources, openResources } from './open-resources.ts';
import { openProjectModels, type ProjectModels } from './project-models.ts';
import { experimentHandle, type OpenExperiment, openExperimentStore } from './stored-experiments.ts';
import { createTeams } from './teams.ts';

export interface ExperimentOptions extends Workplace {
  /** Games at once. */
  concurrency?: number | undefined;
  budgetUsd?: number | undefined;
  /** Aborted: start no further game. */
  stop?: AbortSignal | undefined;
  /** Aborted: give up the games under way as well. */
  abort?: AbortSignal | undefined;
  onEvent?: ((event: ExperimentEvent) => void) | undefined;
}

/** Plays the experiment that a YAML file describes. */
export async function runExperimentFile({
  file,
  ...options
}: ExperimentOptions & { file: string }): Promise<OpenExperiment> {
  const { cwd = process.cwd() } = options;
  const project = await loadProject(cwd);
  const plan = loadExperiment({ file: resolve(cwd, file), project });
  await using resources = openResources();
  return await playExperiment({ experiment: newExperiment(plan), project, options, resources });
}

/** Plays what failed or is missing of a stored experiment: by its id, the beginning of one, or `latest`. */
export async function resumeExperiment({
  experiment: idOrPrefix,
  ...options
}: ExperimentOptions & { experiment: string }): Promise<OpenExperiment> {
  await using resources = openResources();
  const opened = await openExperimentStore({ ...options, experiment: idOrPrefix });
  resources.defer(async () => opened[Symbol.asyncDispose]());
  const { project, store } = opened;
  refuseOtherVersion(opened.experiment, salvoVersion());
  const experiment = { ...opened.experiment, owner: thisProcess() };
  return await playExperiment({ experiment, project, store, options, resources });
}

/** Plays an experiment, or what is missing of it. What it opens for the result is kept open by the result. */
export async function playExperiment(request: {
  experiment: ExperimentRecord;
  project: Project;
  /** The store that the experiment is in already. */
  store?: Store;
  options: ExperimentOptions;
  resources: OpenResources;
}): Promise<OpenExperiment> {
  const { experiment, project, options, resources } = request;
  const { cwd = process.cwd(), env = process.env, stop = NEVER, abort = NEVER, onEvent = () => {} } = options;
  const { plan } = experiment;
  const budgetUsd = options.budgetUsd ?? plan.budget_usd ?? project.config.budget_usd ?? null;
  await using models = [...plan.red, ...plan.blue].some(asksModel)
    ? await openProjectModels({ project, env, cache: false })
    : null;
  const teams = createTeams(
    { red: plan.red, blue: plan.blue, allowTwin: experiment.kind === 'scanner' },
    { ...plan, redArchitecture: plan.red_architecture, redSource: plan.red_source },
    { models, env, cwd },
  );
  if (models && budgetUsd !== null) await checkPrices(plan, teams.models, models);
  // Otherwise every game of a missing scanner would fail one by one.
  for (const blue of teams.blueNames) checkScanners(blue, plan.language, { env, root: cwd });
  // Not before: wrong input must leave nothing behind.
  const store = request.store ?? resources.adopt(await openProjectStore(project, { env }), (opened) => opened.close());
  const ended = await runExperiment({
    experiment,
    recorder: store,
    redOf: teams.red,
    isRepeatable: (red) => !asksModel(red),
    play: createCellPlayer({
      plan,
      blueOf: teams.blue,
      // One gate for all Blues: they must be measured against the same truth.
      gate: truthGate(teams.blueNames),
      judge: new JudgeAgent({ matcher: plan.matcher }),
      signal: abort,
    }),
    concurrency: options.concurrency ?? plan.concurrency ?? project.config.concurrency,
    budgetUsd,
    stop,
    abort,
    now: () => new Date(),
    onEvent,
  });
  return experimentHandle(ended, store, resources.move());
}

const NEVER = new AbortController().signal;

/** A budget can only be kept with known prices. */
async function checkPrices(plan: ExperimentPlan, named: readonly ModelName[], models: ProjectModels): Promise<void> {
  const { adapters } = models.project.config;
  await refuseUnknownPrices({
    called: named.map(({ adapter, model }) => ({
      adapterName: adapter,
      provider: models.caller.providerName(adapter),
      model,
      relativeFile: plan.name,
    })),
    pricing: models.pricing,
    typeOf: (name) => adapterType(name, { adapters }),
  });
}
