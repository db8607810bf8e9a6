import { clusterIntervals } from '../stats/cluster-intervals.ts';
import { mean } from '../stats/mean.ts';
import { seededRandom } from '../stats/seeded-random.ts';
import type { RunOverall, ScenarioSummary } from './run-document.ts';

/** The figures over all scenarios of a run. The same summaries and the same seed give the same figures. */
export function runOverall(summaries: readonly ScenarioSummary[], seed: number | null): RunOverall {
  const scored = summaries.filter(({ pass_rate, verdict }) => pass_rate !== null && verdict !== 'QUARANTINED');
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

/** Each scenario is left out in turn: trials of one scenario resemble each other and are no independent evidence. */
function meanInterval(rates: readonly number[], seed: number): [number, number] | null {
  const intervals = clusterIntervals({
    clusters: rates,
    metrics: (kept) => [mean(kept) ?? Number.NaN],
    random: seededRandom(seed, 'overall'),
  });
  return intervals?.[0] ?? null;
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
