import { clusterBootstrap } from '../stats/cluster-bootstrap.ts';
import { mean } from '../stats/mean.ts';
import { seededRandom } from '../stats/seeded-random.ts';
import type { RunOverall, ScenarioSummary } from './run-document.ts';

/** The figures over all scenarios of a run. The same summaries and the same seed give the same figures. */
export function runOverall(summaries: readonly ScenarioSummary[], seed: number | null): RunOverall {
  const scored = summaries.filter(({ pass_rate }) => pass_rate !== null);
  const rates = scored.flatMap(({ pass_rate }) => (pass_rate === null ? [] : [pass_rate]));
  return {
    scenarios_scored: scored.length,
    pass_rate: mean(rates),
    pass_rate_ci: meanInterval(rates, seed ?? 0),
    score_avg: mean(scored.flatMap(({ score_avg }) => (score_avg === null ? [] : [score_avg]))),
    pass_at_k: meansByK(scored.map(({ pass_at_k }) => pass_at_k)),
    pass_hat_k: meansByK(scored.map(({ pass_hat_k }) => pass_hat_k)),
  };
}

/** Draws from equal rates are all the same, which says nothing about other scenarios: null. */
function meanInterval(rates: readonly number[], seed: number): [number, number] | null {
  if (rates.every((rate) => rate === rates[0])) return null;
  const intervals = clusterBootstrap({
    clusters: rates,
    metrics: (drawn) => [drawn.reduce((sum, rate) => sum + rate, 0) / drawn.length],
    random: seededRandom(seed, 'overall'),
  });
  const [interval] = intervals ?? [];
  return interval ? [Math.max(0, interval[0]), Math.min(1, interval[1])] : null;
}

function meansByK(curves: readonly Record<string, number>[]): Record<string, number> {
  const [first = {}] = curves;
  return Object.fromEntries(
    Object.keys(first).flatMap((k): [string, number][] => {
      const chances = curves.flatMap((curve) => curve[k] ?? []);
      const average = chances.length === curves.length ? mean(chances) : null;
      return average === null ? [] : [[k, average]];
    }),
  );
}
