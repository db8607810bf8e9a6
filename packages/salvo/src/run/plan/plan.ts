import type { KnownTrials } from './known-trials.ts';
import type { PlanAnswer, Question } from './plan-scenario.ts';

/** How many trials a question needs, what they cost, and how long they take. Costs and times are those of one run. */
export interface Plan {
  concurrency: number;
  scenarios: ScenarioPlan[];
  /** By question, in the order of each scenario's answers. Null where a scenario's is unknown. */
  totals: ({ question: Question; together: TogetherPlan | null } & PlannedSize)[];
}

/** Null where it is unknown. */
export interface PlannedSize {
  trials: number | null;
  cost_usd: number | null;
  seconds: number | null;
}

/** What shows a change of all scenarios in their mean. Null with one scenario, and for a question about each. */
export interface TogetherPlan extends PlannedSize {
  /** Of each case of each scenario, in each run; null if no number of trials can show it. */
  trials_per_case: number | null;
}

export interface ScenarioPlan {
  name: string;
  file: string;
  adapter: string;
  model: string;
  cases: number;
  /** Null: there is no stored run, so the plan is for the worst case. */
  known: KnownTrials | null;
  answers: (PlanAnswer & PlannedSize)[];
}
