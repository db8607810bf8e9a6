import type { RunOverall, ScenarioSummary } from '../../../run/record/run-document.ts';
import { formatInterval, formatPercent, formatPlural, formatScore } from '../../../stats/format.ts';

const USUAL_KS = [1, 2, 3, 5, 10];

/** A few points of pass^k or pass@k: k = 1, 2, 3, 5, 10 and the largest, up to the first that is 0% or 100%. */
export function fewKs(byK: Readonly<Record<string, number>>): string[] {
  const largest = Object.keys(byK).reduce((most, k) => Math.max(most, Number(k)), 0);
  const points = [...new Set([...USUAL_KS, largest])].flatMap((k) => {
    const chance = byK[String(k)];
    return chance === undefined ? [] : [{ k, chance }];
  });
  const end = points.findIndex(({ chance }) => chance === 0 || chance === 1);
  return points.slice(0, end === -1 ? undefined : end + 1).map(({ k, chance }) => `${k}: ${formatPercent(chance)}`);
}

/**
 * pass^k and pass@k of a scenario. None with few trials, with one trial for each case, or if all have the same result:
 * then they say nothing more.
 */
export function reliabilityLines(scenario: ScenarioSummary): string[] {
  const hasOneK = scenario.pass_hat_k['2'] === undefined;
  if (
    scenario.trials_scored < 5 ||
    (scenario.cases.length > 0 && hasOneK) ||
    scenario.pass_rate === 0 ||
    scenario.pass_rate === 1
  )
    return [];
  return [
    `pass^k (all k pass)           ${fewKs(scenario.pass_hat_k).join(', ')}`,
    `pass@k (at least one passes)  ${fewKs(scenario.pass_at_k).join(', ')}`,
  ];
}

/** The figures over all scenarios in words, each a part of one line. None for a single scenario, which has its own. */
export function overallParts(overall: RunOverall | null): string[] {
  if (overall === null || overall.scenarios_scored < 2) return [];
  const interval = overall.pass_rate_ci === null ? '' : ` (95% CI ${formatInterval(overall.pass_rate_ci)})`;
  const [all, any] = [fewKs(overall.pass_hat_k), fewKs(overall.pass_at_k)];
  return [
    `Over ${formatPlural(overall.scenarios_scored, 'scenario')}: pass rate ${formatPercent(overall.pass_rate)}${interval}`,
    `mean score ${formatScore(overall.score_avg)}`,
    ...(all.length > 1 ? [`pass^k ${all.join(', ')}`] : []),
    ...(any.length > 1 ? [`pass@k ${any.join(', ')}`] : []),
  ];
}
