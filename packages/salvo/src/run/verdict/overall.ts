import { clusterIntervals } from '../../stats/intervals/cluster-intervals.ts';
import { mean } from '../../stats/mean.ts';
import { seededRandom } from '../../stats/seeded-random.ts';
import type { RunOverall, ScenarioSummary } from '../record/run-document.ts';

type Rates = Pick<RunOverall, 'pass_rate' | 'pass_rate_ci' | 'score_avg'>;
type Rated = Pick<ScenarioSummary, 'pass_rate' | 'score_avg' | 'verdict'>;

/** The figures over all scenarios of a run. The same summaries and the same seed give the same figures. */
export function runOverall(summaries: readonly ScenarioSummary[], seed: number | null): RunOverall {
  const scored = summaries.filter(isScored);
  return {
    scenarios_scored: scored.length,
    ...runRates(summaries, seed),
    pass_at_k: meansByK(scored.map(({ pass_at_k }) => pass_at_k)),
    pass_hat_k: meansByK(scored.map(({ pass_hat_k }) => pass_hat_k)),
  };
}

/** Those of them that a list of runs shows. */
export function runRates(summaries: readonly Rated[], seed: number | null): Rates {
  const scored = summaries.filter(isScored);
  const rates = scored.flatMap(({ pass_rate }) => (pass_rate === null ? [] : [pass_rate]));
  return {
    pass_rate: mean(rates),
    pass_rate_ci: meanInterval(rates, seed ?? 0),
    score_avg: mean(scored.flatMap(({ score_avg }) => (score_avg === null ? [] : [score_avg]))),
  };
}

function isScored({ pass_rate, verdict }: Rated): boolean {
  return pass_rate !== null && verdict !== 'QUARANTINED';
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
