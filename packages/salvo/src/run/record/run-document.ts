import { z } from 'zod';
import { errorText, foreignName, laterSchema, projectName, textFree } from '../../secrets/text-marks.ts';
import type { Cost } from '../../stats/cost.ts';
import { atLeastSchema } from '../../trace/cost-fields.ts';
import { simulatedUsersSchema } from '../../trace/trace.ts';
import { trialResultSchema } from '../../trial/trial-result.ts';
import { baselineSummarySchema } from './baseline-summary.ts';
import { flakyCaseSchema } from './flaky-case.ts';
import { decidedBySchema, gateResultSchema } from './gate-result.ts';
import { judgeSummarySchema } from './judge-summary.ts';

export const verdictSchema = z.enum([
  'PASS',
  'PARTIAL',
  'FAIL',
  'HARD_FAIL',
  'UNSCORED',
  'RECORDED',
  'SKIPPED',
  'QUARANTINED',
]);

/** Why trials are no part of the verdict until a day is over. */
const quarantineSummarySchema = z.object({
  until: textFree(z.string()),
  reason: z.string(),
  /** False: it was over when the run began, so the trials count again. */
  active: z.boolean(),
});

/** Trials in which something happened. All are counted, and the first are listed. */
const listedTrials = {
  trial_numbers: z.array(z.int()),
  /** The cases of these trials, in the same order; missing without data. */
  trial_cases: z.array(projectName(z.string())).optional(),
};

/** Trials that ended with the same message. */
const errorGroupSchema = z.object({
  message: errorText(z.string(), 'code'),
  code: textFree(z.string()).optional(),
  /** Where the agent's own code threw, in the first of these trials. */
  stack: z.string().optional(),
  count: z.int(),
  ...listedTrials,
});

/** A judge's failure in numbers. */
const judgeExampleSchema = z.object({
  judge_model: projectName(z.string()),
  k: z.int().positive(),
  criteria: z.array(
    z.object({
      name: z.string(),
      score: z.number(),
      all_scores: z.array(z.number()),
      /** Of the vote nearest to the score, shortened. */
      reasoning: z.string().nullable(),
    }),
  ),
  dissenting_votes: z.int().nonnegative(),
  /** Sentences about what the numbers do not tell, such as a verdict that differs from the score; if there are any. */
  notes: z.array(z.string()).optional(),
});

/** The failures of one assertion over all scored trials of a scenario. */
const assertionFailureSchema = z.object({
  assertion_type: projectName(z.string()),
  assertion_id: projectName(z.string()),
  required: z.boolean(),
  fail_count: z.int().nonnegative(),
  fail_rate: z.number(),
  /** Sum over the trials of weight x (1 - score). */
  lost_weight: z.number(),
  /** The details of its first failure. */
  example: z.string(),
  /** The same failure in numbers, if it is a judge's. */
  judge: judgeExampleSchema.optional(),
  ...listedTrials,
});

/** An assertion that failed in every scored trial in which it was scored itself. */
const neverPassedSchema = z.object({
  assertion_type: projectName(z.string()),
  assertion_id: projectName(z.string()),
  trials: z.int().positive(),
  /** False if its weight is 0 and it is not required: it is only shown. */
  counts: z.boolean(),
});

/** The trials of one case, if the scenario has data. */
const caseSummarySchema = z.object({
  case_index: z.int().nonnegative(),
  case: projectName(z.string()),
  /** By `min_pass_rate` and `min_score` of the scenario, applied to the trials of the case alone, with or without a baseline. */
  verdict: verdictSchema,
  /** Why it was not run; null if it was. */
  skipped: z.string().nullable(),
  quarantine: quarantineSummarySchema.nullable(),
  trials_planned: z.int(),
  trials_total: z.int(),
  trials_scored: z.int(),
  trials_passed: z.int(),
  trials_unscored: z.int(),
  score_avg: z.number().nullable(),
  /** What failed first in the first trial that did not pass, shortened; null if all passed. */
  reason: z.string().nullable(),
  /** The same in numbers, if a judge's verdict failed. */
  judge: z
    .object({
      assertion_id: projectName(z.string()),
      criteria: z.array(judgeExampleSchema.shape.criteria.element.omit({ reasoning: true })),
      notes: judgeExampleSchema.shape.notes,
    })
    .optional(),
});

const promptOfSchema = laterSchema(() =>
  z.object({ scenario: projectName(z.string()), prompt: projectName(z.string()) }),
);

/** Everything about the trials of one scenario, except the trials themselves. */
export const scenarioSummarySchema = z.object({
  name: projectName(z.string()),
  file: projectName(z.string()),
  model: projectName(z.string()),
  adapter: projectName(z.string()),
  /** With `prompts`: the name of the scenario, and of the prompt that these trials had. Missing otherwise. */
  prompt_of: promptOfSchema.optional(),
  /** Models that the provider says it used instead of `model`, at most 10. Runs of earlier versions do not have it. */
  answered_by: z.array(foreignName(z.string())).nullish(),
  verdict: verdictSchema,
  decided_by: decidedBySchema,
  /** Why it was not run; null if it was. */
  skipped: z.string().nullable(),
  /** If all its cases have the same one. */
  quarantine: quarantineSummarySchema.nullable(),
  /** The trials of cases in quarantine. No other number of trials, score, rate or failure has them; costs do. */
  trials_quarantined: z.int(),
  /** The share of the scored trials that had to pass, and the mean score they had to reach; null for no minimum. */
  min_pass_rate: z.number(),
  min_score: z.number().nullable(),
  /** Every gate with what the scored trials have for it. Without `min_pass_rate`, if a baseline decides instead. */
  gates: z.array(gateResultSchema),
  /** What the baseline says, if the run was compared with one. */
  baseline: baselineSummarySchema.optional(),
  trials_planned: z.int(),
  /** Trials with a result, scored or not. */
  trials_total: z.int(),
  /** Passed, failed, hard-failed and crashed together. */
  trials_scored: z.int(),
  trials_passed: z.int(),
  trials_failed: z.int(),
  trials_hard_failed: z.int(),
  /** The agent's own code threw. Scored 0. */
  trials_crashed: z.int(),
  trials_unscored: z.int(),
  /** Scored trials in which an assertion on tools rests on `tools_seen: all`; missing in earlier versions. */
  trials_declared: z.int().nullish(),
  /** Trials that ran one at a time, because nothing told the requests of an observed server apart. */
  trials_alone: z.int().nullish(),
  /** Trials whose agent ran, but that have no result: the run was interrupted before they were judged. */
  trials_not_judged: z.int(),
  /** Why fewer trials ran than planned; null if all ran. */
  stopped: z
    .enum(['early_stop', 'decided', 'undecided', 'equal_crashes', 'mock_bypassed', 'budget', 'provider', 'interrupted'])
    .nullable(),
  /** Why the agent or its judges cannot be called; null unless `stopped` is `provider`. */
  stop_error: z.object({ message: errorText(z.string(), 'code'), code: textFree(z.string()) }).nullable(),
  pass_rate: z.number().nullable(),
  /**
   * 95%. Without data a Wilson interval, for independent trials: it does not hold if they are one draw
   * (`identical_trials`). With data, of a jackknife over cases.
   */
  pass_rate_ci: z.tuple([z.number(), z.number()]).nullable(),
  /**
   * The agent gave the same answer with the same tool calls in all scored trials, two or more: they are one draw. False
   * if there are several cases.
   */
  identical_trials: z.boolean(),
  /**
   * pass_at_k[k]: chance that at least one of k trials passes; pass_hat_k[k]: that all k do. Unbiased. For every k up to
   * the number of trials; above 1000 for round numbers and for all trials. With data: k trials of the same case, and the
   * mean over the cases.
   */
  pass_at_k: z.record(textFree(z.string()), z.number()),
  pass_hat_k: z.record(textFree(z.string()), z.number()),
  score_avg: z.number().nullable(),
  score_min: z.number().nullable(),
  score_p50: z.number().nullable(),
  score_p95: z.number().nullable(),
  /** The score that a trial needed; null if every assertion with a weight had to pass. */
  threshold: z.number().nullable(),
  cost_total_usd: z.number().nullable(),
  /** What is known of `cost_total_usd`, if it is not known exactly. Runs of earlier versions do not have it. */
  cost_at_least: atLeastSchema.optional(),
  cost_per_trial_usd: z.number().nullable(),
  judge_cost_usd: z.number().nullable(),
  judge_cost_at_least: atLeastSchema.optional(),
  /** What simulated users cost; missing if there were none, or if they cost nothing. */
  user_cost_usd: z.number().nullish(),
  user_cost_at_least: atLeastSchema.optional(),
  /** The trials whose user a model played, and in how many of them it broke its role, by how it did; missing without any. */
  simulated_users: simulatedUsersSchema.optional(),
  /** Of imported conversations, the outcomes that their files give; missing if there are none. */
  given: laterSchema(givenOutcomesSchema).optional(),
  /** Rows that are held out beside the others, if both ran. */
  holdout: laterSchema(holdoutSchema).optional(),
  latency_p50: z.number().nullable(),
  latency_p95: z.number().nullable(),
  retries: z.int(),
  assertion_failures: z.array(assertionFailureSchema),
  /** In the order of `assertion_failures`. Runs of earlier versions do not have it. */
  never_passed: z.array(neverPassedSchema).default([]),
  judges: z.array(judgeSummarySchema).default([]),
  /** Messages of trials that could not be scored, with how often each occurred. */
  errors: z.array(errorGroupSchema),
  /** The same of trials whose agent crashed, one group for each message and place in the code. */
  crashes: z.array(errorGroupSchema),
  /** In the order of the data; empty without data. */
  cases: z.array(caseSummarySchema),
});

function holdoutSchema() {
  const side = z.object({ cases: z.int(), pass_rate: z.number() });
  return z.object({
    held_out: side,
    others: side,
    /** Of the pass rates, the held-out rows minus the others, with its 95% interval: null with fewer than two rows on a side. */
    difference: z.object({ value: z.number(), interval: z.tuple([z.number(), z.number()]).nullable() }),
  });
}

function givenOutcomesSchema() {
  return z.object({
    outcomes: z.int().positive(),
    passed: z.int().nonnegative(),
    /** How many scored trials have a given outcome beside Salvo's own; null if the given outcome is that of the trial. */
    compared: z.int().nonnegative().nullable(),
    /** In how many of them both are the same. */
    agree: z.int().nonnegative().nullable(),
  });
}

const scenarioResultSchema = scenarioSummarySchema.extend({ trials: z.array(trialResultSchema) });

/** The scenarios of a run together. Every scenario counts the same, however many trials it has. */
export const runOverallSchema = z.object({
  /** Scenarios with scored trials: the ones that all figures here are about. */
  scenarios_scored: z.int(),
  /** The mean of the scenarios' pass rates. */
  pass_rate: z.number().nullable(),
  /** 95%, of a jackknife over scenarios. Null with fewer than two. */
  pass_rate_ci: z.tuple([z.number(), z.number()]).nullable(),
  score_avg: z.number().nullable(),
  /** Means over the scenarios, for every k that all of them have. */
  pass_at_k: z.record(textFree(z.string()), z.number()),
  pass_hat_k: z.record(textFree(z.string()), z.number()),
});

/** See `DOCUMENT_VERSIONS` for when it rises. */
export const RUN_DOCUMENT_VERSION = 1;

/** What `salvo run --json` prints. */
export const runDocumentSchema = z.object({
  /** Missing in the output of earlier versions of Salvo, which is of version 1. */
  version: z.int().positive().default(1),
  run_id: z.string(),
  verdict: verdictSchema,
  exit_code: z.int(),
  created_at: z.string(),
  seed: z.int().nullable(),
  /** Null in a run that compares several models: each has its own, in `matrix`. */
  overall: runOverallSchema.nullable(),
  /** The commit of the project, and whether tracked files differed from it; null if unknown. */
  git: z.object({ commit: z.string(), dirty: z.boolean() }).nullable(),
  /** What both passed and failed at this commit, in this run or in earlier ones. */
  flaky: z.array(flakyCaseSchema).readonly(),
  scenarios: z.array(scenarioResultSchema),
});

export type Verdict = z.infer<typeof verdictSchema>;
export type ErrorGroup = z.infer<typeof errorGroupSchema>;
export type CaseSummary = z.infer<typeof caseSummarySchema>;
export type RunOverall = z.infer<typeof runOverallSchema>;
export type AssertionFailure = z.infer<typeof assertionFailureSchema>;
export type ScenarioSummary = z.infer<typeof scenarioSummarySchema>;
export type RunDocument = z.infer<typeof runDocumentSchema>;

/** What the trials of a scenario cost. Of a run of an earlier version, nothing is known but the sum. */
export function costOfAgents(summary: Pick<ScenarioSummary, 'cost_total_usd' | 'cost_at_least'>): Cost {
  return { usd: summary.cost_total_usd, at_least: summary.cost_at_least };
}

export function costOfUsers(summary: Pick<ScenarioSummary, 'user_cost_usd' | 'user_cost_at_least'>): Cost {
  const { user_cost_usd: usd = 0, user_cost_at_least: at_least } = summary;
  return { usd, at_least };
}

export function costOfJudges(summary: Pick<ScenarioSummary, 'judge_cost_usd' | 'judge_cost_at_least'>): Cost {
  return { usd: summary.judge_cost_usd, at_least: summary.judge_cost_at_least };
}
