import { clusterIntervals, DIFFERENCE } from 'salvo/kit/statistics';
import { seededRandom } from 'salvo/kit/stats';
import { compareNames } from 'salvo/kit/text';
import { UNCLASSIFIED } from '../../game/alarm-category.ts';
import type { Game, GameScores } from '../../game/game-document.ts';
import type { ExperimentRecord } from '../experiment-record.ts';
import { createClusteredSums, estimateRate } from './clustered-sums.ts';
import type { RateEstimate, Scorecard, ScorecardRow, ScorecardTotal } from './experiment-results.ts';

interface Counts {
  flaws: number;
  found: number;
  resources: number;
  flagged: number;
  alarms: number;
}

type Clusters = ReadonlyMap<string, Counts>;

const MOST_ERRORS = 5;

export async function buildScorecard(
  experiment: ExperimentRecord,
  games: AsyncIterable<Game> | Iterable<Game>,
): Promise<Scorecard> {
  const { seed } = experiment.plan;
  const counts = { scored: 0, failed: 0 };
  const errors = new Set<string>();
  /** The clusters are the tasks that the code is for. */
  const clustered = createClusteredSums<{ kind: string; name: string }, Counts>(newCounts);
  const cleanGames: { task: string; twin: NonNullable<GameScores['twin']> }[] = [];
  for await (const { status, error, task, difficulty, language, scores } of games) {
    counts[status] += 1;
    if (error !== null && errors.size < MOST_ERRORS) errors.add(error);
    // Without a look at the clean twin there is nothing to compare with.
    if (!scores?.twin) continue;
    const { twin, vulnerabilities } = scores;
    cleanGames.push({ task, twin });
    const groups = [
      { kind: 'all', name: '' },
      { kind: 'difficulty', name: difficulty },
      { kind: 'language', name: language },
    ].map((key) => clustered.sumsOf(key, task));
    for (const sums of groups) addTwin(sums, twin, twin.flagged_resources);
    for (const { category, found } of vulnerabilities) {
      for (const sums of [...groups, clustered.sumsOf({ kind: 'category', name: category }, task)]) {
        sums.flaws += 1;
        if (found) sums.found += 1;
      }
    }
  }
  const groupsOf = (wanted: string) => clustered.groups().filter(({ key }) => key.kind === wanted);
  const categories = groupsOf('category').toSorted((a, b) => compareNames(a.key.name, b.key.name));
  // Every clean twin is a test of every category, also those of which its flawed code has no flaw.
  for (const { key } of categories) {
    for (const { task, twin } of cleanGames) {
      addTwin(clustered.sumsOf(key, task), twin, flaggedFor(key.name, twin));
    }
  }
  const planned = experiment.games_planned;
  return {
    experiment,
    games: { planned, ...counts, missing: Math.max(0, planned - counts.scored - counts.failed) },
    errors: [...errors],
    score: averageScore(
      categories.map(({ clusters }) => clusters),
      seed,
    ),
    overall: totalRow(groupsOf('all')[0]?.clusters ?? new Map(), seed),
    languages: groupsOf('language').map(({ key, clusters }) => ({ language: key.name, ...totalRow(clusters, seed) })),
    difficulties: groupsOf('difficulty').map(({ key, clusters }) => ({
      difficulty: key.name,
      ...totalRow(clusters, seed),
    })),
    categories: categories.map(({ key, clusters }) => ({ category: key.name, ...scorecardRow(clusters, seed) })),
  };
}

function newCounts(): Counts {
  return { flaws: 0, found: 0, resources: 0, flagged: 0, alarms: 0 };
}

function addTwin(sums: Counts, { resources, alarms }: NonNullable<GameScores['twin']>, flagged: number): void {
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
  const { alarms, resources } = sumCounts([...clusters.values()]);
  const perHundred = resources === 0 ? null : (100 * alarms) / resources;
  return { ...scorecardRow(clusters, seed), alarms, alarms_per_100_resources: perHundred };
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
