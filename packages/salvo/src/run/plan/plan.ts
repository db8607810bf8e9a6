import { z } from 'zod';

const unknownIfNull = z.number().nullable();

/** What a run is to show. */
const questionSchema = z.discriminatedUnion('kind', [
  /** A change of the pass rate by this much, between two runs, found with this power. */
  z.object({ kind: z.literal('effect'), size: z.number(), power: z.number() }),
  /** The pass rate itself, with a 95% interval that reaches so far to either side. */
  z.object({ kind: z.literal('precision'), size: z.number() }),
]);

const factsSchema = z.object({
  pass_rate: z.number(),
  /** The variance of single trials around the pass rate of their case, and of the cases around their mean. */
  within_cases: z.number(),
  between_cases: z.number(),
});

/** What stored runs of a scenario say about its trials. */
const knownTrialsSchema = z.object({
  runs: z.int(),
  cases: z.int(),
  trials: z.int(),
  facts: factsSchema,
  /** Whether the agent gave the same answer in all trials of every case, so that they are one draw. */
  one_draw: z.boolean(),
  /** Whether no case has two trials, so that how far trials of one case differ is unknown. */
  single_trials: z.boolean(),
  agent_usd: unknownIfNull,
  judges_usd: unknownIfNull,
  /** Of simulated users. Missing in plans of earlier versions. */
  users_usd: unknownIfNull.optional(),
  /** Of the agent. */
  seconds: unknownIfNull,
});

const sizeSchema = z.object({ trials: z.int().nullable(), cost_usd: unknownIfNull, seconds: unknownIfNull });

const answerSchema = z.object({
  question: questionSchema,
  /** Of each case, in each run; null if no number of trials can answer it. */
  trials_per_case: z.int().nullable(),
  /** How many cases would answer it with `trials_each` trials of each; null if the present ones can. */
  cases_needed: z.int().nullable(),
  trials_each: z.int(),
});

const scenarioPlanSchema = z.object({
  name: z.string(),
  file: z.string(),
  adapter: z.string(),
  model: z.string(),
  cases: z.int(),
  /** Null: there is no stored run, so the plan is for the worst case. */
  known: knownTrialsSchema.nullable(),
  answers: z.array(z.object({ ...answerSchema.shape, ...sizeSchema.shape })),
});

/** What shows a change of all scenarios in their mean. `trials_per_case` is of each scenario; null if none can show it. */
const togetherPlanSchema = z.object({ trials_per_case: z.int().nullable(), ...sizeSchema.shape });

const untilPlanSchema = z.object({
  /** The baseline. */
  source: z.string(),
  margin: z.number(),
  /** Of all cases, if nothing is decided. */
  most_trials: z.int(),
  /** What earlier runs of the same agent have decided, so that no more trials are needed. */
  decided: z.enum(['worse', 'better', 'not_worse']).nullable(),
  /** What the run says before its first trial. */
  notes: z.array(z.string()),
  /** After how many trials it can be shown at the earliest; null: not at all. */
  earliest: z.object({ worse: z.int().nullable(), not_worse: z.int().nullable() }),
  /** For each size of a drop. */
  simulated_runs: z.int(),
  typical: z.array(
    z.object({
      /** Of the pass rate of every scenario; 0 for an agent as good as before. */
      drop: z.number(),
      /** The shares of simulated runs that end so. */
      ...{ worse: z.number(), better: z.number(), not_worse: z.number(), undecided: z.number() },
      /** The median; what is undecided has all. */
      trials: z.int(),
    }),
  ),
});

/** How many trials a question needs, what they cost, and how long they take. Costs and times are those of one run. */
export const planSchema = z.object({
  concurrency: z.int(),
  scenarios: z.array(scenarioPlanSchema),
  /** By question, in the order of each scenario's answers. Null where a scenario's is unknown. */
  totals: z.array(
    z.object({
      question: questionSchema,
      /** Null with one scenario, and for a question about each. */
      together: togetherPlanSchema.nullable(),
      ...sizeSchema.shape,
    }),
  ),
  /** What a run that goes on until it is decided would need, if that was asked. */
  until: untilPlanSchema.optional(),
});

export type UntilPlan = z.infer<typeof untilPlanSchema>;
export type Question = z.infer<typeof questionSchema>;
export type TrialFacts = z.infer<typeof factsSchema>;
export type KnownTrials = z.infer<typeof knownTrialsSchema>;
export type PlanAnswer = z.infer<typeof answerSchema>;
export type PlannedSize = z.infer<typeof sizeSchema>;
export type TogetherPlan = z.infer<typeof togetherPlanSchema>;
export type ScenarioPlan = z.infer<typeof scenarioPlanSchema>;
export type Plan = z.infer<typeof planSchema>;
