import type { TrialStatus } from '../evaluators/trial-status.ts';
import type { ScenarioSummary, Verdict } from '../run/run-document.ts';

/** A scenario's summary, with what only a reader's report needs. */
export interface ReportedScenario extends ScenarioSummary {
  /** By trial number, from 1. */
  statuses?: readonly TrialStatus[] | undefined;
  /** A trace worth replaying: of the trial that failed worst. */
  trace_id?: string | null | undefined;
}

/** A run as it is shown to a person. */
export interface RunReport {
  run_id: string;
  verdict: Verdict;
  exit_code: number;
  scenarios: readonly ReportedScenario[];
  duration_seconds: number | null;
  /** How many trials were already there when `--resume` took the run up again. */
  resumed?: number | undefined;
  /** Whatever else the reader must know, a line each. */
  notes?: readonly string[] | undefined;
}

/** What the scenarios of a run come to together. */
export interface RunTotals {
  planned: number;
  ran: number;
  scored: number;
  passed: number;
  unscored: number;
  retries: number;
  /** Judges included. Null as soon as one part of it is unknown; `known` is the sum of the rest. */
  cost: number | null;
  knownCost: number;
}

export function runTotals(scenarios: readonly ScenarioSummary[]): RunTotals {
  const sum = (of: (scenario: ScenarioSummary) => number) => scenarios.reduce((total, each) => total + of(each), 0);
  const unknown = scenarios.some((each) => each.cost_total_usd === null || each.judge_cost_usd === null);
  const knownCost = sum((each) => (each.cost_total_usd ?? 0) + (each.judge_cost_usd ?? 0));
  return {
    planned: sum((each) => each.trials_planned),
    ran: sum((each) => each.trials_total),
    scored: sum((each) => each.trials_scored),
    passed: sum((each) => each.trials_passed),
    unscored: sum((each) => each.trials_unscored),
    retries: sum((each) => each.retries),
    cost: unknown ? null : knownCost,
    knownCost,
  };
}
