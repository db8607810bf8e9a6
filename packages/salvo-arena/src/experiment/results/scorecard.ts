import { clusterIntervals, DIFFERENCE } from 'salvo/kit/statistics';
import { seededRandom } from 'salvo/kit/stats';
import { compareNames } from 'salvo/kit/text';
import { UNCLASSIFIED } from '../../game/alarm-category.ts';
import type { Game, GameScores } from '../../game/game-document.ts';
import { weaknessById } from '../../match/weaknesses/weaknesses.ts';
import type { ExperimentRecord } from '../experiment-record.ts';
import { runsOf } from '../plan/experiment-plan.ts';
import { createBlueEfforts } from './blue-effort.ts';
import { createClusteredSums, effectiveNumber, estimateRate } from './clustered-sums.ts';
import type { RateEstimate, Scorecard, ScorecardRow, ScorecardTotal } from './experiment-results.ts';
import { createGameTallies, structureOf } from './game-tallies.ts';
import { computeMetrics } from './metrics.ts';
import { createRunStability } from './run-stability.ts';
import { trapRates } from './summarize-experiment.ts';

interface Counts {
  games: number;
  flaws: number;
  found: number;
  resources: number;
  flagged: number;
  alarms: number;
  /** Of games in which it is known which alarms are unresolved. */
  resolvedGames: number;
  resolvedAlarms: number;
  resolvedFlagged: number;
}

type Clusters = ReadonlyMap<string, Counts>;

const MOST_ERRORS = 5;

export async function buildScorecard(
  experiment: ExperimentRecord,
  games: AsyncIterable<Game> | Iterable<Game>,
  { beta = 1 }: { beta?: number | undefined } = {},
): Promise<Scorecard> {
  const { plan } = experiment;
  const { seed } = plan;
  const counts = { scored: 0, failed: 0 };
  const errors = new Set<string>();
  const efforts = createBlueEfforts();
  const stability = createRunStability(runsOf(plan));
  const tallies = createGameTallies(plan);
  const planted = new Map<string, number>();
  let runs: { key: string; scores: GameScores[] } = { key: '', scores: [] };
  /** The clusters are the structures of the code. */
  const clustered = createClusteredSums<{ kind: string; name: string }, Counts>(newCounts);
  const cleanGames: { cluster: string; twin: NonNullable<GameScores['twin']> }[] = [];
  for await (const game of games) {
    const { status, error, difficulty, language, scores } = game;
    const cluster = structureOf(game);
    counts[status] += 1;
    if (error !== null && errors.size < MOST_ERRORS) errors.add(error);
    efforts.add(game, scores);
    // Without a look at the clean twin there is nothing to compare with.
    if (!scores?.twin) continue;
    const { twin, vulnerabilities } = scores;
    cleanGames.push({ cluster, twin });
    tallies.add(game, scores, cluster);
    if (runs.key !== game.code_key) {
      stability.add(game.blue, runs.scores);
      runs = { key: game.code_key, scores: [] };
    }
    runs.scores.push(scores);
    const groups = [
      { kind: 'all', name: '' },
      { kind: 'difficulty', name: difficulty },
      { kind: 'language', name: language },
    ].map((key) => clustered.sumsOf(key, cluster));
    for (const sums of groups) addTwin(sums, twin, twin.flagged_resources);
    for (const { category, found, weakness } of vulnerabilities) {
      if (weakness !== null) planted.set(weakness, (planted.get(weakness) ?? 0) + 1);
      for (const sums of [...groups, clustered.sumsOf({ kind: 'category', name: category }, cluster)]) {
        sums.flaws += 1;
        if (found) sums.found += 1;
      }
    }
  }
  const groupsOf = (wanted: string) => clustered.groups().filter(({ key }) => key.kind === wanted);
  const categories = groupsOf('category').toSorted((a, b) => compareNames(a.key.name, b.key.name));
  // Every clean twin is a test of every category, also those of which its flawed code has no flaw.
  for (const { key } of categories) {
    for (const { cluster, twin } of cleanGames) {
      addTwin(clustered.sumsOf(key, cluster), twin, flaggedFor(key.name, twin));
    }
  }
  const [blue = ''] = plan.blue;
  stability.add(blue, runs.scores);
  const planned = experiment.games_planned;
  const all = groupsOf('all')[0]?.clusters ?? new Map<string, Counts>();
  return {
    experiment,
    games: { planned, ...counts, missing: Math.max(0, planned - counts.scored - counts.failed) },
    errors: [...errors],
    score: averageScore(
      categories.map(({ clusters }) => clusters),
      seed,
    ),
    overall: totalRow(all, seed),
    metrics: tallies.overall.metrics(seed, beta)[0] ?? computeMetrics([], seed, beta),
    structures: { count: all.size, effective: effectiveNumber([...all.values()].map((counts) => counts.games)) },
    beta,
    traps: trapRates(tallies, seed),
    runs: stability.stability(),
    efforts: efforts.efforts(),
    accepted_ids: acceptedIds(planted),
    languages: groupsOf('language').map(({ key, clusters }) => ({ language: key.name, ...totalRow(clusters, seed) })),
    difficulties: groupsOf('difficulty').map(({ key, clusters }) => ({
      difficulty: key.name,
      ...totalRow(clusters, seed),
    })),
    categories: categories.map(({ key, clusters }) => ({ category: key.name, ...scorecardRow(clusters, seed) })),
  };
}

/** The rules of scanners that count as naming each weakness. */
function acceptedIds(planted: ReadonlyMap<string, number>): Scorecard['accepted_ids'] {
  return [...planted]
    .toSorted(([a], [b]) => compareNames(a, b))
    .map(([weakness, flaws]) => {
      const known = weaknessById(weakness);
      return { weakness, flaws, ids: Object.values(known?.rules ?? {}).flat() };
    });
}

function newCounts(): Counts {
  const unresolved = { resolvedGames: 0, resolvedAlarms: 0, resolvedFlagged: 0 };
  return { games: 0, flaws: 0, found: 0, resources: 0, flagged: 0, alarms: 0, ...unresolved };
}

function addTwin(sums: Counts, twin: NonNullable<GameScores['twin']>, flagged: number): void {
  const { resources, alarms, resolved_alarms, resolved_flagged_resources } = twin;
  sums.games += 1;
  sums.resolvedGames += resolved_alarms === undefined ? 0 : 1;
  sums.resolvedAlarms += resolved_alarms ?? 0;
  sums.resolvedFlagged += resolved_flagged_resources ?? 0;
  sums.resources += resources;
  sums.alarms += alarms;
  sums.flagged += flagged;
}

/** Alarms of an unknown category count for every category: they could be about any. */
function flaggedFor(category: string, { resources, flagged_by_category }: NonNullable<GameScores['twin']>): number {
  const flagged = flagged_by_category
    .filter((group) => group.category === category || group.category === UNCLASSIFIED)
    .reduce((sum, group) => sum + group.flagged_resources, 0);
  return Math.min(resources, flagged);
}

function totalRow(clusters: Clusters, seed: number): ScorecardTotal {
  const { alarms, resources, games, ...sums } = sumCounts([...clusters.values()]);
  const isResolved = games > 0 && sums.resolvedGames === games;
  const perHundred = resources === 0 ? null : (100 * alarms) / resources;
  return {
    ...scorecardRow(clusters, seed),
    ...{ alarms, alarms_per_100_resources: perHundred },
    resolved_alarms: isResolved ? sums.resolvedAlarms : null,
    false_positive_rate_without_unresolved: isResolved && resources > 0 ? sums.resolvedFlagged / resources : null,
  };
}

function scorecardRow(clusters: Clusters, seed: number): ScorecardRow {
  const all = [...clusters.values()];
  const total = sumCounts(all);
  const intervals = clusterIntervals({
    clusters: all,
    metrics: (kept) => rates(sumCounts(kept)),
    ranges: [undefined, undefined, DIFFERENCE],
    random: seededRandom(seed, 'scorecard'),
  });
  const [recall = Number.NaN, falsePositives = Number.NaN, youden = Number.NaN] = rates(total);
  return {
    flaws: total.flaws,
    found: total.found,
    resources: total.resources,
    flagged_resources: total.flagged,
    recall: estimateRate(recall, intervals?.[0]),
    false_positive_rate: estimateRate(falsePositives, intervals?.[1]),
    youden_j: estimateRate(youden, intervals?.[2]),
  };
}

/** A cluster is a task with its counts in all categories. */
function averageScore(categories: readonly Clusters[], seed: number): RateEstimate {
  const tasks = [...new Set(categories.flatMap((clusters) => [...clusters.keys()]))];
  const perTask = tasks.map((task) => categories.map((clusters) => clusters.get(task)));
  const score = (kept: readonly (Counts | undefined)[][]): number => {
    let sum = 0;
    let counted = 0;
    for (const index of categories.keys()) {
      const [, , youden = Number.NaN] = rates(sumCounts(kept.map((counts) => counts[index])));
      if (Number.isNaN(youden)) continue;
      sum += youden;
      counted += 1;
    }
    return sum / counted;
  };
  const intervals = clusterIntervals({
    clusters: perTask,
    metrics: (kept) => [score(kept)],
    ranges: [DIFFERENCE],
    random: seededRandom(seed, 'score'),
  });
  return estimateRate(score(perTask), intervals?.[0]);
}

function sumCounts(all: readonly (Counts | undefined)[]): Counts {
  const total = newCounts();
  for (const counts of all) {
    total.games += counts?.games ?? 0;
    total.resolvedGames += counts?.resolvedGames ?? 0;
    total.resolvedAlarms += counts?.resolvedAlarms ?? 0;
    total.resolvedFlagged += counts?.resolvedFlagged ?? 0;
    total.flaws += counts?.flaws ?? 0;
    total.found += counts?.found ?? 0;
    total.resources += counts?.resources ?? 0;
    total.flagged += counts?.flagged ?? 0;
    total.alarms += counts?.alarms ?? 0;
  }
  return total;
}

/** NaN where there is nothing to compute a rate from. */
function rates({ flaws, found, resources, flagged }: Counts): [number, number, number] {
  const [recall, falsePositives] = [found / flaws, flagged / resources];
  return [recall, falsePositives, recall - falsePositives];
}
