import { resolve } from 'node:path';
import { adapterSecrets } from '../adapters/adapter-secrets.ts';
import { openProjectIfStored } from '../app/open-project.ts';
import { openResources } from '../app/open-resources.ts';
import { salvoVersion } from '../app/version.ts';
import type { ExperimentRecord } from '../arena/experiment/experiment-record.ts';
import { newExperiment } from '../arena/experiment/new-experiment.ts';
import { estimateExperiment } from '../arena/experiment/plan/estimate-experiment.ts';
import type { ExperimentPlan } from '../arena/experiment/plan/experiment-plan.ts';
import { loadExperiment } from '../arena/experiment/plan/load-experiment.ts';
import { refuseOtherVersion } from '../arena/experiment/refuse-other-version.ts';
import type { Game } from '../arena/game/game-document.ts';
import { thisProcess } from '../queue/owner.ts';
import { renderExperimentEstimate } from '../report/experiment/experiment-estimate.ts';
import { renderExperimentList } from '../report/experiment/experiment-list.ts';
import { loadProject } from '../scenario/load-project.ts';
import type { Project } from '../scenario/schema/project-schema.ts';
import { openStore } from '../store/open-store.ts';
import { noExperiments, resolveExperimentId } from '../store/resolve-id.ts';
import type { Store } from '../store/store.ts';
import { harmlessJson } from '../text/harmless-json.ts';
import { SalvoError } from '../text/salvo-error.ts';
import { playExperiment } from './play-experiment.ts';
import type { ExperimentCommandOptions } from './program/commands.ts';
import type { Terminal } from './terminal/terminal.ts';
import { checkExperimentTargets, writeExperiment } from './terminal/write-experiment.ts';

/** `salvo experiment` */
export async function experimentCommand(options: ExperimentCommandOptions, terminal: Terminal): Promise<number> {
  const { file, resume, show } = options;
  if (options.list) return listExperiments(options, terminal);
  if ([file, resume, show].filter((given) => given !== undefined).length !== 1) {
    throw new SalvoError(
      'EXPERIMENT_OPTIONS',
      'Give a file to play, --resume to go on with an experiment, or --show to see one again: one of the three.',
    );
  }
  await checkExperimentTargets(options, terminal);
  if (show !== undefined) return showExperiment(show, options, terminal);
  const project = await loadProject(terminal.cwd);
  if (file !== undefined) {
    const plan = loadExperiment({ file: resolve(terminal.cwd, file), project });
    if (options.estimate) return printEstimate(plan, options, terminal);
    return play(newExperiment(plan), project, options, terminal, null);
  }
  await using opened = await openForExperiment(terminal);
  const earlier = await findExperiment(opened.store, resume ?? '');
  refuseOtherVersion(earlier, salvoVersion());
  return await play({ ...earlier, owner: thisProcess() }, project, options, terminal, opened.store);
}

async function play(
  experiment: ExperimentRecord,
  project: Project,
  options: ExperimentCommandOptions,
  terminal: Terminal,
  opened: Store | null,
): Promise<number> {
  await using resources = openResources();
  const secrets = adapterSecrets({ adapters: project.config.adapters, env: terminal.env });
  const open = async () => opened ?? resources.adopt(await openStore(project, { secrets }), (store) => store.close());
  const { concurrency, budgetUsd } = options;
  const played = await playExperiment({ experiment, project, openStore: open, concurrency, budgetUsd, terminal });
  return await writeExperiment({ ...played, targets: options, terminal });
}

async function showExperiment(id: string, options: ExperimentCommandOptions, terminal: Terminal): Promise<number> {
  await using opened = await openForExperiment(terminal);
  const experiment = await findExperiment(opened.store, id);
  return await writeExperiment({ experiment, store: opened.store, targets: options, terminal });
}

async function listExperiments(options: ExperimentCommandOptions, terminal: Terminal): Promise<number> {
  const { stdout, env } = terminal;
  const experiments = await storedExperiments(terminal);
  const look = { width: stdout.columns, color: stdout.color, now: Date.now(), ascii: env.TERM === 'dumb' };
  stdout.write(options.json ? `${harmlessJson(experiments, 2)}\n` : renderExperimentList(experiments, look));
  return 0;
}

/** None before the first one, for which asking must not make a store. */
async function storedExperiments(terminal: Terminal): Promise<ExperimentRecord[]> {
  await using opened = await openProjectIfStored(terminal);
  return opened.store ? await opened.store.listExperiments({ limit: MOST_LISTED }) : [];
}

/** The project, for somebody who wants an experiment of it. */
async function openForExperiment(terminal: Terminal): Promise<{ store: Store } & AsyncDisposable> {
  const opened = await openProjectIfStored(terminal);
  const { store } = opened;
  if (!store) throw noExperiments();
  return { store, [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose]() };
}

async function findExperiment(store: Store, idOrPrefix: string): Promise<ExperimentRecord> {
  const id = await resolveExperimentId(store, idOrPrefix);
  const experiment = await store.getExperiment(id);
  if (!experiment) throw new SalvoError('UNKNOWN_EXPERIMENT', `There is no experiment ${id}.`);
  return experiment;
}

async function printEstimate(
  plan: ExperimentPlan,
  { json }: ExperimentCommandOptions,
  terminal: Terminal,
): Promise<number> {
  const { stdout, env } = terminal;
  const estimate = await estimateExperiment(plan, earlierGames(terminal));
  const look = { width: stdout.columns, color: stdout.color, ascii: env.TERM === 'dumb' };
  stdout.write(json ? `${harmlessJson(estimate, 2)}\n` : renderExperimentEstimate(estimate, look));
  return 0;
}

const MOST_LISTED = 100;
const MOST_EXPERIMENTS = 10;
const MOST_GAMES = 300;

/** Some games of the newest experiments. */
async function* earlierGames(terminal: Terminal): AsyncGenerator<Game> {
  await using opened = await openProjectIfStored(terminal);
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
