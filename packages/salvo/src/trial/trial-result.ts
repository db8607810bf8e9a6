import { z } from 'zod';
import { evalResultSchema, trialStatusSchema } from '../evaluators/eval-result.ts';
import { errorText, foreignName, laterSchema, projectName, textFree } from '../secrets/text-marks.ts';
import { atLeastSchema } from '../trace/cost-fields.ts';
import { roleBreakKindSchema, toolsSeenSchema } from '../trace/trace.ts';

const userOfResultSchema = laterSchema(() =>
  z.object({
    messages: z.int().nonnegative(),
    /** How it broke its role; null if it did not. The trial is not scored then. */
    broke_role: textFree(roleBreakKindSchema()).nullable(),
  }),
);

export const trialResultSchema = z.object({
  /** Position of the case among the rows of the scenario's data; 0 without data. */
  case_index: z.int().nonnegative(),
  /** The name of the case; null without data. */
  case: projectName(z.string()).nullable(),
  trial_number: z.int().positive(),
  status: trialStatusSchema,
  score: z.number().min(0).max(1).nullable(),
  passed: z.boolean(),
  eval_results: z.array(evalResultSchema),
  latency_seconds: z.number().nullable(),
  cost_usd: z.number().nullable(),
  /** What is known of the cost, if it is not known exactly; missing in results of earlier versions. */
  cost_at_least: atLeastSchema.optional(),
  /** What judges cost, apart from the agent. Null when a judge's price is unknown; 0 when none was asked. */
  judge_cost_usd: z.number().nullable(),
  judge_cost_at_least: atLeastSchema.optional(),
  /** What the simulated user cost, apart from the agent. Missing if there was none, or if it cost nothing. */
  user_cost_usd: z.number().nullish(),
  user_cost_at_least: atLeastSchema.optional(),
  /** Only with a simulated user that a model plays. */
  simulated_user: userOfResultSchema.optional(),
  retries: z.int().nonnegative(),
  error_message: errorText(z.string(), 'error_code').nullable(),
  /** What kind of error it was; null without an error message, missing in results of earlier versions. */
  error_code: textFree(z.string()).nullish(),
  /** Where code of the user threw: the agent of a crashed trial, or a setup that failed. */
  error_stack: z.string().nullish(),
  /** The same for answers that are the same to the byte; null if unknown or if there was no answer. */
  answer_hash: textFree(z.string()).nullish(),
  /** How its tool calls are known, declarations included; missing without a trace and in results of earlier versions. */
  tools_seen: toolsSeenSchema.nullish(),
  /** Nobody saw that these are all its calls: `tools_seen: all` says so. */
  tools_declared: z.boolean().nullish(),
  /** It ran while no other trial did, because nothing told the requests of trials apart. */
  observed_alone: z.boolean().nullish(),
  /** The model that the provider says it used, if it is not the one that was asked for; otherwise null or missing. */
  answered_by: foreignName(z.string()).nullish(),
  trace_id: textFree(z.string()).nullable(),
  /** How many calls had which fault, by the label of the fault; missing if none had any. */
  faults: laterSchema(() => z.record(textFree(z.string()), z.int().positive())).optional(),
  /** Where an imported conversation is from. */
  imported: laterSchema(importPlaceSchema).optional(),
});

function importPlaceSchema() {
  return z.object({ file: projectName(z.string()), line: z.int().nonnegative() });
}

export type TrialResult = z.infer<typeof trialResultSchema>;

/** Ends a trial from outside: its time is up, the budget is spent, or the user stopped the run. */
export class TrialStopped extends Error {
  readonly reason: 'timeout' | 'budget' | 'interrupted';

  constructor(reason: TrialStopped['reason'], message: string) {
    super(message);
    this.name = 'TrialStopped';
    this.reason = reason;
  }
}
