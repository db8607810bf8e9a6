import { openProject, openProjectIfStored, removeWork, type Workplace } from 'salvo/kit/project';
import { openResources } from 'salvo/kit/resources';
import type { Project } from 'salvo/kit/scenario';
import type { Store } from 'salvo/kit/store';
import { isUnreadable, SalvoError, type UnreadableError } from 'salvo/kit/text';
import type { ExperimentRecord } from '../../experiment/experiment-record.ts';
import type { ExperimentResults, GameCounts, Scorecard } from '../../experiment/results/experiment-results.ts';
import { buildScorecard } from '../../experiment/results/scorecard.ts';
import { summarizeExperiment } from '../../experiment/results/summarize-experiment.ts';
import type { Game } from '../../game/game-document.ts';
import {
  type ExperimentTables,
  experimentModule,
  experimentsOf,
  type UnreadableExperiment,
} from '../../store/experiment-tables.ts';
import { noExperiments, resolveExperimentId } from '../../store/resolve-experiment.ts';

/** An experiment with its games, read from the open store. Dispose of it when done. */
export interface OpenExperiment extends AsyncDisposable {
  experiment: ExperimentRecord;
  store: Store;
  project: Project;
  /** In the order they were planned, read as they are consumed. */
  games(): AsyncIterable<Game>;
  results(options?: ResultOptions): Promise<ExperimentResults>;
  /** Null unless `salvo bench-scanner` played the experiment. */
  scorecard(options?: ResultOptions): Promise<Scorecard | null>;
}

export interface ResultOptions {
  /** How much more recall counts than precision in F-beta (default: 1). */
  beta?: number | undefined;
}

/** A stored experiment: by its id, the beginning of one, or `latest`. */
export async function openExperiment(options: Workplace & { experiment: string }): Promise<OpenExperiment> {
  await using resources = openResources();
  const { experiment, ...opened } = resources.use(await openExperimentStore(options));
  return resources.keepFor(experimentView(experiment, opened));
}

const MOST_LISTED = 100;

export interface ListExperimentsOptions extends Workplace {
  /** The newest so many; 100 if not given. */
  limit?: number | undefined;
  /** Called with what is left out because it can't be read. */
  onUnreadable?: ((experiment: UnreadableExperiment) => void) | undefined;
}

/** The newest experiments. None before the first one: listing must not create a store. */
export async function listExperiments(options: ListExperimentsOptions = {}): Promise<ExperimentRecord[]> {
  const { onUnreadable = () => {}, limit = MOST_LISTED, ...place } = options;
  await using opened = await openProjectIfStored(place);
  return opened.store ? await experimentsOf(opened.store).listExperiments({ limit, onUnreadable }) : [];
}

/** Removes a stored experiment with its games for good: by its id, the beginning of it, or `latest`. */
export async function deleteExperiment({ experiment, ...place }: Workplace & { experiment: string }): Promise<void> {
  await using opened = await openProject(place);
  await removeWork(opened.store, await resolveExperimentId(experimentsOf(opened.store), experiment), experimentModule);
}

/** The record of a stored experiment, with the store that it is in. */
export async function openExperimentStore({
  experiment: idOrPrefix,
  toResume,
  ...place
}: Workplace & { experiment: string; toResume?: boolean }) {
  await using resources = openResources();
  const opened = await openProject(place, { readOnly: !toResume }).catch((error: unknown) => {
    throw error instanceof SalvoError && error.code === 'RUNS_MISSING' ? noExperiments() : error;
  });
  const { store, project } = resources.use(opened);
  const experiments = experimentsOf(store);
  const id = await resolveExperimentId(experiments, idOrPrefix, { toResume: toResume ?? false });
  const experiment = await experiments.getExperiment(id);
  if (!experiment) throw new SalvoError('EXPERIMENT_UNKNOWN', `There is no experiment ${id}.`);
  return resources.keepFor({ store, project, experiment });
}

/** An experiment with its games, for as long as the store is open. */
export function experimentView(
  experiment: ExperimentRecord,
  { store, project }: { store: Store; project: Project },
): Omit<OpenExperiment, typeof Symbol.asyncDispose> {
  return { project, ...experimentResults(experiment, store) };
}

/** What the games of an experiment say that can be read. */
export function experimentResults(
  experiment: ExperimentRecord,
  store: Store,
): Omit<OpenExperiment, typeof Symbol.asyncDispose | 'project'> {
  const { experiment_id: id } = experiment;
  return {
    ...{ experiment, store },
    games: () => readableGames(experimentsOf(store), id),
    results: async ({ beta } = {}) => {
      const lostUsd = await experimentsOf(store).lostCost(id);
      const results = await withUnreadable(store, id, (games) =>
        summarizeExperiment(experiment, games, { lostUsd, beta }),
      );
      const { games, cost_usd: cost } = results;
      // What an unreadable game cost is not known, unless no game cost anything.
      const calls_unknown = cost.calls_unknown + (cost.known > 0 ? (games.unreadable?.length ?? 0) : 0);
      return { ...results, cost_usd: { ...cost, calls_unknown } };
    },
    scorecard: async ({ beta } = {}) =>
      experiment.kind === 'scanner'
        ? await withUnreadable(store, id, (games) => buildScorecard(experiment, games, { beta }))
        : null,
  };
}

/** A document made of the games that can be read, which says why the others can't be. They do not count as missing. */
async function withUnreadable<T extends { games: GameCounts }>(
  store: Store,
  experimentId: string,
  summarize: (games: AsyncIterable<Game>) => Promise<T>,
): Promise<T> {
  const unreadable: string[] = [];
  const document = await summarize(
    readableGames(experimentsOf(store), experimentId, ({ message }) => unreadable.push(message)),
  );
  if (unreadable.length === 0) return document;
  const { games } = document;
  const missing = Math.max(0, games.missing - unreadable.length);
  return { ...document, games: { ...games, missing, unreadable } };
}

/** The games of an experiment in their order, without those that can't be read. */
async function* readableGames(
  store: Pick<ExperimentTables, 'games' | 'gamePage'>,
  experimentId: string,
  onUnreadable: (error: UnreadableError) => void = () => {},
): AsyncGenerator<Game> {
  let offset = 0;
  try {
    for await (const game of store.games(experimentId)) {
      offset += 1;
      yield game;
    }
    return;
  } catch (error) {
    if (!isUnreadable(error)) throw error;
  }
  // Games are read in pages, and one of them spoils its page. From there on they are read one at a time.
  for (;;) {
    const page = await store.gamePage(experimentId, { offset, limit: 1 }).catch((error: unknown) => {
      if (!isUnreadable(error)) throw error;
      onUnreadable(error);
      return null;
    });
    if (page?.length === 0) return;
    if (page) yield* page;
    offset += 1;
  }
}
