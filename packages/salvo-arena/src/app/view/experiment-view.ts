import { type WorkUnderWay, workUnderWay } from 'salvo/kit/server';
import type { Store } from 'salvo/kit/store';
import { SalvoError } from 'salvo/kit/text';
import type { ExperimentRecord } from '../../experiment/experiment-record.ts';
import type { ExperimentResults, Scorecard } from '../../experiment/results/experiment-results.ts';
import { definedGameRates } from '../../game/defined-game-rates.ts';
import { gameCost } from '../../game/game-cost.ts';
import type { Game } from '../../game/game-document.ts';
import { experimentsOf, type UnreadableExperiment } from '../../store/experiment-tables.ts';
import { resolveExperimentId } from '../../store/resolve-experiment.ts';
import { experimentResults } from '../experiments/stored-experiments.ts';

export type ExperimentLines = Awaited<ReturnType<typeof experimentLines>>;

/** A line of the list of experiments. */
export type ExperimentLine = ExperimentLines['experiments'][number];

const MOST_LISTED = 500;

/** The newest first. None before the first one. */
export async function experimentLines(store: Store | null) {
  /** Those that are in the store and can't be read. */
  const unreadable: UnreadableExperiment[] = [];
  const onUnreadable = (each: UnreadableExperiment) => unreadable.push(each);
  const records = store ? await experimentsOf(store).listExperiments({ limit: MOST_LISTED, onUnreadable }) : [];
  const experiments = await Promise.all(
    records.map(async ({ plan, ...record }) => ({
      experiment_id: record.experiment_id,
      kind: record.kind,
      name: record.name,
      created_at: record.created_at,
      finished_at: record.finished_at,
      status: record.status,
      games_planned: record.games_planned,
      reds: plan.red,
      blues: plan.blue,
      tasks: plan.tasks.length,
      is_running: await isRunning(store, record.experiment_id),
    })),
  );
  return { experiments, unreadable };
}

/** How an experiment goes: asked for separately, because all of its games have to be read for it. */
export interface ExperimentStanding {
  scored: number;
  failed: number;
  /** The Blue with the highest mean F1, by the twin if all looked at it in all games; null if nothing was scored. */
  best: { blue: string; f1: number; recall: number } | null;
}

export async function experimentStanding(store: Store, idOrPrefix: string): Promise<ExperimentStanding> {
  const { experiment_id } = await findExperiment(store, idOrPrefix);
  const counts = { scored: 0, failed: 0 };
  const blues = new Map<string, { games: number; f1: number; f1ByTwin: number; found: number; flaws: number }>();
  let isByTwin = true;
  for await (const { status, blue, scores } of experimentsOf(store).games(experiment_id)) {
    counts[status] += 1;
    if (!scores) continue;
    const sums = blues.get(blue) ?? { games: 0, f1: 0, f1ByTwin: 0, found: 0, flaws: 0 };
    blues.set(blue, sums);
    sums.games += 1;
    sums.f1 += scores.f1_score;
    sums.f1ByTwin += scores.f1_by_twin ?? 0;
    isByTwin &&= scores.f1_by_twin !== null;
    sums.found += scores.true_positives;
    sums.flaws += scores.true_positives + scores.false_negatives;
  }
  const ranked = [...blues].map(([blue, { games, f1, f1ByTwin, found, flaws }]) => ({
    ...{ blue, f1: (isByTwin ? f1ByTwin : f1) / games, recall: flaws === 0 ? 0 : found / flaws },
  }));
  return { ...counts, best: ranked.sort((a, b) => b.f1 - a.f1)[0] ?? null };
}

/** An experiment, without its games. */
export interface ExperimentView extends WorkUnderWay {
  results: ExperimentResults;
  /** Null unless `salvo bench-scanner` played it. */
  scorecard: Scorecard | null;
}

export async function experimentPage(store: Store, idOrPrefix: string): Promise<ExperimentView> {
  const experiment = await findExperiment(store, idOrPrefix);
  const read = experimentResults(experiment, store);
  return {
    ...(await workUnderWay(store, { kind: 'experiment', id: experiment.experiment_id })),
    results: await read.results(),
    scorecard: await read.scorecard(),
  };
}

export type GameLines = Awaited<ReturnType<typeof gameLines>>;

export async function gameLines(store: Store, idOrPrefix: string, page: { offset: number; limit: number }) {
  const { experiment_id, name } = await findExperiment(store, idOrPrefix);
  const games = await experimentsOf(store).gamePage(experiment_id, page);
  return {
    experiment: { experiment_id, name },
    games: games.map(gameLine),
    /** Where the next page begins; null after the last one. */
    next_offset: games.length < page.limit ? null : page.offset + page.limit,
  };
}

const LONGEST_ERROR = 300;

/** A line of the list of games. */
export type GameLine = ReturnType<typeof gameLine>;

function gameLine(game: Game) {
  const { game_id, task, red, blue, difficulty, language, strategy, repetition, status, failed_stage } = game;
  const { scores, error, duration_seconds } = game;
  const found = scores?.true_positives ?? 0;
  const rates = scores && definedGameRates(scores);
  return {
    ...{ game_id, task, red, blue, difficulty, language, strategy, repetition, status, failed_stage, duration_seconds },
    error: error?.slice(0, LONGEST_ERROR) ?? null,
    flaws: found + (scores?.false_negatives ?? 0),
    found,
    /** By the clean twin if Blue looked at it, as is the precision. */
    false_alarms: scores?.false_alarms_by_twin ?? scores?.false_positives ?? 0,
    precision: (rates?.byTwin ?? rates?.classic)?.precision ?? null,
    f1: (rates?.byTwin ?? rates?.classic)?.f1 ?? null,
    precision_used: scores?.precision_used ?? null,
    cost: gameCost(game),
  };
}

export async function findExperiment(store: Store, idOrPrefix: string): Promise<ExperimentRecord> {
  const experiments = experimentsOf(store);
  // Almost always a whole id: to resolve another one, all experiments are read.
  const exact = await experiments.getExperiment(idOrPrefix);
  if (exact) return exact;
  const id = await resolveExperimentId(experiments, idOrPrefix);
  const experiment = await experiments.getExperiment(id);
  if (!experiment) throw new SalvoError('EXPERIMENT_UNKNOWN', `There is no experiment ${id}.`);
  return experiment;
}

async function isRunning(store: Store | null, id: string): Promise<boolean> {
  return store !== null && (await store.holderOf({ kind: 'experiment', id })) !== null;
}
