import type { Cost } from '../../stats/cost.ts';
import type { ScenarioSummary } from './run-document.ts';

/** What the trials of a scenario cost. Of a run of an earlier version, nothing is known but the sum. */
export function costOfAgents(summary: Pick<ScenarioSummary, 'cost_total_usd' | 'cost_at_least'>): Cost {
  return { usd: summary.cost_total_usd, at_least: summary.cost_at_least };
}

export function costOfJudges(summary: Pick<ScenarioSummary, 'judge_cost_usd' | 'judge_cost_at_least'>): Cost {
  return { usd: summary.judge_cost_usd, at_least: summary.judge_cost_at_least };
}
