import { FEW_CLUSTERS } from 'salvo/kit/statistics';
import { createCostSum, knownUsd, sumCosts } from 'salvo/kit/stats';
import { remembered } from 'salvo/kit/text';
import { PAID_SIDES, sideCost } from '../../game/game-cost.ts';
import type { Game, GameScores } from '../../game/game-document.ts';
import type { ExperimentRecord } from '../experiment-record.ts';
import { comparePlanOrder, runsOf } from '../plan/experiment-plan.ts';
import { createBlueEfforts } from './blue-effort.ts';
import { effectiveNumber } from './clustered-sums.ts';
import type { ExperimentResults, FailedGame } from './experiment-results.ts';
import { createGameTallies, type GameTallies, structureOf } from './game-tallies.ts';
import { computeMetrics } from './metrics.ts';
import { createManifestTally } from './recall-by-group.ts';
import { createRunStability } from './run-stability.ts';

const MOST_FAILED = 1000;

/** All scores of Blues on one piece of code: for each Blue, one for each run. */
interface OnSameCode {
  key: string;
  clusters: { structure: string; code: string };
  scores: Map<string, GameScores[]>;
}

/**
 * The results of an experiment. Games are read one at a time and are never all in memory. They must be in the order in
 * which they were planned, so that games on the same code are next to each other. `lostUsd`: what was paid for others.
 */
export async function summarizeExperiment(
  experiment: ExperimentRecord,
  games: AsyncIterable<Game> | Iterable<Game>,
  { lostUsd = 0, beta = 1 }: { lostUsd?: number; beta?: number | undefined } = {},
): Promise<ExperimentResults> {
  const { plan } = experiment;
  const { seed } = plan;
  const counts = { scored: 0, failed: 0 };
  const cost = { red: createCostSum(), blue: createCostSum(), judge: createCostSum() };
  const failed: FailedGame[] = [];
  const manifests = createManifestTally();
  const efforts = createBlueEfforts();
  const stability = createRunStability(runsOf(plan));
  const structures = new Map<string, number>();
  const byStructure = createGameTallies(plan);
  // Intervals over fewer structures would say almost nothing. Until there are enough, both are counted.
  let byCode: GameTallies | null = createGameTallies(plan);
  let onSameCode: OnSameCode = { key: '', clusters: { structure: '', code: '' }, scores: new Map() };
  const endCode = () => {
    const { clusters, scores } = onSameCode;
    for (const [blue, all] of scores) stability.add(blue, all);
    // Further runs on the same code are no further observations of the difference between two Blues.
    const first = new Map([...scores].flatMap(([blue, [score]]) => (score ? [[blue, score]] : [])));
    byStructure.comparer.add(clusters.structure, first);
    byCode?.comparer.add(clusters.code, first);
  };

  for await (const game of games) {
    const { blue, scores } = game;
    for (const side of PAID_SIDES) cost[side].add(sideCost(game, side));
    manifests.add(game);
    efforts.add(game, scores);
    if (!scores) {
      counts.failed += 1;
      if (failed.length < MOST_FAILED) failed.push(failedGame(game));
      continue;
    }
    counts.scored += 1;
    const clusters = { structure: structureOf(game), code: game.code_key };
    structures.set(clusters.structure, (structures.get(clusters.structure) ?? 0) + 1);
    byStructure.add(game, scores, clusters.structure);
    if (structures.size >= FEW_CLUSTERS) byCode = null;
    byCode?.add(game, scores, clusters.code);
    if (onSameCode.key !== game.code_key) {
      endCode();
      onSameCode = { key: game.code_key, clusters, scores: new Map() };
    }
    remembered(onSameCode.scores, blue, () => []).push(scores);
  }
  endCode();

  const planned = experiment.games_planned;
  const allCosts = sumCosts([...PAID_SIDES.map((side) => cost[side].total()), { usd: lostUsd }]);
  // Games that cost nothing so far have cost nothing when they were cut off.
  const isKilled = experiment.was_killed === true && allCosts.usd !== 0;
  return {
    experiment,
    games: { planned, ...counts, missing: Math.max(0, planned - counts.scored - counts.failed) },
    clustered_by: byCode ? 'code' : 'structure',
    structures: { count: structures.size, effective: effectiveNumber(structures.values()) },
    beta,
    cost_usd: {
      ...{ red: cost.red.total().usd, blue: cost.blue.total().usd, judge: cost.judge.total().usd },
      lost: lostUsd,
      known: knownUsd(allCosts),
      calls_unknown: allCosts.at_least?.calls_unknown ?? 0,
      ...(isKilled && { killed: true }),
    },
    manifests: manifests.metrics(seed),
    ...tallied(byCode ?? byStructure, experiment, beta),
    runs: stability.stability(),
    efforts: efforts.efforts().toSorted(comparePlanOrder(plan)),
    failed,
  };
}

/** What the results have of the scored games. */
function tallied(tallies: GameTallies, { plan }: ExperimentRecord, beta: number) {
  const { seed } = plan;
  const byPlan = comparePlanOrder(plan);
  const [all] = tallies.overall.metrics(seed, beta);
  return {
    precision_used: all?.by_twin ? ('twin' as const) : ('classic' as const),
    overall: all ?? computeMetrics([], seed, beta),
    blues: tallies.blues.metrics(seed, beta).toSorted(byPlan),
    pairings: tallies.pairings.metrics(seed, beta).toSorted(byPlan),
    dimensions: tallies.varied.flatMap((dimension) =>
      tallies.dimensions
        .metrics(seed, beta)
        .filter((metrics) => metrics.dimension === dimension)
        .toSorted((a, b) => byPlan({ blue: a.blue, [dimension]: a.value }, { blue: b.blue, [dimension]: b.value })),
    ),
    cells: tallies.cells.metrics(seed, beta).toSorted(byPlan),
    categories: tallies.categories.recalls(seed),
    techniques: tallies.techniques.recalls(seed),
    traps: trapRates(tallies, seed).toSorted(byPlan),
    comparisons: tallies.comparer.comparisons(seed),
  };
}

/** The share of the places that look flawed and are safe on which each Blue reports the flaw. */
export function trapRates({ traps }: Pick<GameTallies, 'traps'>, seed: number): ExperimentResults['traps'] {
  return traps.recalls(seed).map(({ blue, vulnerabilities, found, recall }) => ({
    blue,
    places: vulnerabilities,
    alarmed: found,
    rate: recall,
  }));
}

function failedGame(game: Game): FailedGame {
  const { game_id, task, red, blue, difficulty, language, strategy, repetition, failed_stage, error } = game;
  return { game_id, task, red, blue, difficulty, language, strategy, repetition, failed_stage, error };
}
