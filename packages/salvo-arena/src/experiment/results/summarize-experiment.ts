import { FEW_CLUSTERS } from 'salvo/kit/statistics';
import { createCostSum, knownUsd, sumCosts } from 'salvo/kit/stats';
import { PAID_SIDES, sideCost } from '../../game/game-cost.ts';
import type { Game, GameScores } from '../../game/game-document.ts';
import type { ExperimentRecord } from '../experiment-record.ts';
import { comparePlanOrder } from '../plan/experiment-plan.ts';
import { createBlueComparer } from './compare-blues.ts';
import type { DimensionMetrics, ExperimentResults, FailedGame } from './experiment-results.ts';
import { computeMetrics, createMetricsByGroup } from './metrics.ts';
import { createManifestTally, createRecallByGroup } from './recall-by-group.ts';

const MOST_FAILED = 1000;
const DIMENSIONS = ['red', 'difficulty', 'language', 'strategy'] as const;

/**
 * The results of an experiment. Games are read one at a time and are never all in memory. They must be in the order in
 * which they were planned, so that games on the same code are next to each other. `lostUsd`: what was paid for others.
 */
export async function summarizeExperiment(
  experiment: ExperimentRecord,
  games: AsyncIterable<Game> | Iterable<Game>,
  lostUsd = 0,
): Promise<ExperimentResults> {
  const { plan } = experiment;
  const { seed } = plan;
  // Intervals over fewer tasks would say almost nothing.
  const clusteredBy = plan.tasks.length >= FEW_CLUSTERS ? 'task' : 'code';
  const counts = { scored: 0, failed: 0 };
  const cost = { red: createCostSum(), blue: createCostSum(), judge: createCostSum() };
  const failed: FailedGame[] = [];
  const overall = createMetricsByGroup<Record<string, never>>();
  const blues = createMetricsByGroup<Pick<Game, 'blue'>>();
  const pairings = createMetricsByGroup<Pick<Game, 'red' | 'blue'>>();
  const cells = createMetricsByGroup<Pick<Game, 'red' | 'blue' | 'difficulty' | 'language' | 'strategy'>>();
  const dimensions = createMetricsByGroup<Pick<DimensionMetrics, 'dimension' | 'value' | 'blue'>>();
  const varied = DIMENSIONS.filter((dimension) => plan[dimension].length > 1);
  const categories = createRecallByGroup();
  const techniques = createRecallByGroup();
  const manifests = createManifestTally();
  const comparer = createBlueComparer(plan.blue);
  let onSameCode = { key: '', cluster: '', scores: new Map<string, GameScores>() };

  for await (const game of games) {
    const { task, red, blue, difficulty, language, strategy, scores } = game;
    for (const side of PAID_SIDES) cost[side].add(sideCost(game, side));
    manifests.add(game);
    if (!scores) {
      counts.failed += 1;
      if (failed.length < MOST_FAILED) failed.push(failedGame(game));
      continue;
    }
    counts.scored += 1;
    const cluster = clusteredBy === 'task' ? task : game.code_key;
    overall.add({}, cluster, scores);
    blues.add({ blue }, cluster, scores);
    pairings.add({ red, blue }, cluster, scores);
    cells.add({ red, blue, difficulty, language, strategy }, cluster, scores);
    for (const dimension of varied) dimensions.add({ dimension, value: game[dimension], blue }, cluster, scores);
    for (const { category, technique, found } of scores.vulnerabilities) {
      categories.add({ blue, group: category }, cluster, found);
      techniques.add({ blue, group: technique ?? 'none' }, cluster, found);
    }
    if (onSameCode.key !== game.code_key) {
      comparer.add(onSameCode.cluster, onSameCode.scores);
      onSameCode = { key: game.code_key, cluster, scores: new Map() };
    }
    onSameCode.scores.set(blue, scores);
  }
  comparer.add(onSameCode.cluster, onSameCode.scores);

  const planned = experiment.games_planned;
  const allCosts = sumCosts([...PAID_SIDES.map((side) => cost[side].total()), { usd: lostUsd }]);
  // Games that cost nothing so far have cost nothing when they were cut off.
  const isKilled = experiment.was_killed === true && allCosts.usd !== 0;
  const byPlan = comparePlanOrder(plan);
  const [all] = overall.metrics(seed);
  return {
    experiment,
    games: { planned, ...counts, missing: Math.max(0, planned - counts.scored - counts.failed) },
    clustered_by: clusteredBy,
    precision_used: all?.by_twin ? 'twin' : 'classic',
    cost_usd: {
      ...{ red: cost.red.total().usd, blue: cost.blue.total().usd, judge: cost.judge.total().usd },
      lost: lostUsd,
      known: knownUsd(allCosts),
      calls_unknown: allCosts.at_least?.calls_unknown ?? 0,
      ...(isKilled && { killed: true }),
    },
    manifests: manifests.metrics(seed),
    overall: all ?? computeMetrics([], seed),
    blues: blues.metrics(seed).toSorted(byPlan),
    pairings: pairings.metrics(seed).toSorted(byPlan),
    dimensions: varied.flatMap((dimension) =>
      dimensions
        .metrics(seed)
        .filter((metrics) => metrics.dimension === dimension)
        .toSorted((a, b) => byPlan({ blue: a.blue, [dimension]: a.value }, { blue: b.blue, [dimension]: b.value })),
    ),
    cells: cells.metrics(seed).toSorted(byPlan),
    categories: categories.recalls(seed),
    techniques: techniques.recalls(seed),
    comparisons: comparer.comparisons(seed),
    failed,
  };
}

function failedGame(game: Game): FailedGame {
  const { game_id, task, red, blue, difficulty, language, strategy, repetition, failed_stage, error } = game;
  return { game_id, task, red, blue, difficulty, language, strategy, repetition, failed_stage, error };
}
