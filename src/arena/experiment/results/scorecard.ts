import { clusterIntervals, DIFFERENCE } from '../../../stats/cluster-intervals.ts';
import { seededRandom } from '../../../stats/seeded-random.ts';
import { compareNames } from '../../../text/names.ts';
import type { Game } from '../../game/game-document.ts';
import { TWIN_RED } from '../../red/red-team.ts';
import type { ExperimentRecord } from '../experiment-record.ts';
import { createClusteredSums } from './clustered-sums.ts';
import type { RateEstimate } from './experiment-results.ts';
import { estimateRate } from './rate-estimate.ts';

/** Test cases in pairs: code with a flaw, and the same code without it. */
export interface ScorecardRow {
  /** How many pairs. */
  pairs: number;
  /** Flaws that were reported. */
  found: number;
  /** Flaws that were also reported in the code without them. */
  false_alarms: number;
  recall: RateEstimate;
  false_positive_rate: RateEstimate;
  /** Recall minus the false-positive rate: 1 is perfect, 0 is guessing. */
  youden_j: RateEstimate;
}

/** How a scanner does, by category. A document. */
export interface Scorecard {
  experiment: ExperimentRecord;
  games: { planned: number; scored: number; failed: number; missing: number };
  /** Why the first games failed. */
  errors: string[];
  /** The mean of Youden's J over the categories, each counting alike, as the OWASP Benchmark scores. */
  score: RateEstimate;
  overall: ScorecardRow;
  difficulties: (ScorecardRow & { difficulty: string })[];
  categories: (ScorecardRow & { category: string })[];
}

interface Counts {
  pairs: number;
  found: number;
  alarms: number;
}

const MOST_ERRORS = 5;

/** The games must be in the order in which they were planned: a game on the twin follows the game it belongs to. */
export async function buildScorecard(
  experiment: ExperimentRecord,
  games: AsyncIterable<Game> | Iterable<Game>,
): Promise<Scorecard> {
  const { seed } = experiment.plan;
  const counts = { scored: 0, failed: 0 };
  const errors = new Set<string>();
  /** The clusters are the tasks that the code is for. */
  const clustered = createClusteredSums<{ kind: 'all' | 'difficulty' | 'category'; name: string }, Counts>(() => ({
    pairs: 0,
    found: 0,
    alarms: 0,
  }));
  let planted: Game | null = null;
  for await (const game of games) {
    counts[game.status] += 1;
    if (game.error !== null && errors.size < MOST_ERRORS) errors.add(game.error);
    if (game.red !== TWIN_RED) {
      planted = game;
      continue;
    }
    // A pair counts only when both games were scored.
    if (!planted?.scores || !game.scores || !isTwinOf(game, planted)) continue;
    const alarms = new Map(game.scores.vulnerabilities.map(({ id, found }) => [id, found]));
    for (const { id, category, found } of planted.scores.vulnerabilities) {
      const alarm = alarms.get(id) ?? false;
      for (const [kind, name] of [
        ['all', ''],
        ['difficulty', game.difficulty],
        ['category', category],
      ] as const) {
        const sums = clustered.sumsOf({ kind, name }, game.task);
        sums.pairs += 1;
        if (found) sums.found += 1;
        if (alarm) sums.alarms += 1;
      }
    }
  }
  const groupsOf = (wanted: string) => clustered.groups().filter(({ key }) => key.kind === wanted);
  const categories = groupsOf('category').toSorted((a, b) => compareNames(a.key.name, b.key.name));
  const planned = experiment.games_planned;
  return {
    experiment,
    games: { planned, ...counts, missing: Math.max(0, planned - counts.scored - counts.failed) },
    errors: [...errors],
    score: averageScore(
      categories.map(({ clusters }) => clusters),
      seed,
    ),
    overall: scorecardRow(groupsOf('all')[0]?.clusters ?? new Map(), seed),
    difficulties: groupsOf('difficulty').map(({ key, clusters }) => ({
      difficulty: key.name,
      ...scorecardRow(clusters, seed),
    })),
    categories: categories.map(({ key, clusters }) => ({ category: key.name, ...scorecardRow(clusters, seed) })),
  };
}

function isTwinOf(twin: Game, planted: Game): boolean {
  return (['task', 'difficulty', 'language', 'strategy', 'repetition'] as const).every(
    (key) => twin[key] === planted[key],
  );
}

function scorecardRow(clusters: ReadonlyMap<string, Counts>, seed: number): ScorecardRow {
  const all = [...clusters.values()];
  const total = sumCounts(all);
  const intervals = clusterIntervals({
    clusters: all,
    metrics: (kept) => pairRates(sumCounts(kept)),
    ranges: [undefined, undefined, DIFFERENCE],
    random: seededRandom(seed, 'scorecard'),
  });
  const [recall = Number.NaN, falsePositives = Number.NaN] = pairRates(total);
  return {
    pairs: total.pairs,
    found: total.found,
    false_alarms: total.alarms,
    recall: estimateRate(recall, intervals?.[0]),
    false_positive_rate: estimateRate(falsePositives, intervals?.[1]),
    youden_j: estimateRate(recall - falsePositives, intervals?.[2]),
  };
}

/** A cluster is a task with its counts in all categories. */
function averageScore(categories: readonly ReadonlyMap<string, Counts>[], seed: number): RateEstimate {
  const tasks = [...new Set(categories.flatMap((clusters) => [...clusters.keys()]))];
  const perTask = tasks.map((task) => categories.map((clusters) => clusters.get(task)));
  const score = (kept: readonly (Counts | undefined)[][]): number => {
    let sum = 0;
    let counted = 0;
    for (const index of categories.keys()) {
      const total = sumCounts(kept.map((counts) => counts[index]));
      if (total.pairs === 0) continue;
      sum += (total.found - total.alarms) / total.pairs;
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
  const total = { pairs: 0, found: 0, alarms: 0 };
  for (const counts of all) {
    total.pairs += counts?.pairs ?? 0;
    total.found += counts?.found ?? 0;
    total.alarms += counts?.alarms ?? 0;
  }
  return total;
}

function pairRates({ pairs, found, alarms }: Counts): number[] {
  return [found / pairs, alarms / pairs, (found - alarms) / pairs];
}
