import { z } from 'zod';
import { differenceSchema, scenarioComparisonSchema } from '../compare/comparison.ts';
import { verdictSchema } from '../record/run-document.ts';

const intervalSchema = z.tuple([z.number(), z.number()]);

/** How many of some trials, with a 95% interval over cases. Null without trials. */
const shareSchema = z.object({ count: z.int(), rate: z.number().nullable(), interval: intervalSchema.nullable() });

/** What agents do about faults. All are shares of the scored trials in which a fault happened. */
const faultOutcomesSchema = z.object({
  /** Scored trials in which at least one call had a fault. */
  trials: z.int(),
  /** How many cases these trials are of, which the intervals depend on. Missing for scenarios without data. */
  cases: z.int().optional(),
  /** It passed all the same. */
  recovered: shareSchema,
  /** It failed, and no answer claimed a success. Null if no assertion says what a claim is. */
  gave_up: shareSchema.nullable(),
  /** An answer claimed a success that had not happened. Null if no assertion says what a claim is. */
  false_success: shareSchema.nullable(),
  /** It did what a hidden instruction said. Null if no assertion looks for it. */
  followed_injection: shareSchema.nullable(),
  /** It failed in another way. */
  failed: shareSchema,
});

const variantSchema = z.object({
  /** The name of the scenario in the run. */
  name: z.string(),
  /** The chance that a call of a tool with faults has one. */
  dose: z.number(),
  verdict: verdictSchema.nullable(),
  trials_planned: z.int(),
  trials_scored: z.int(),
  trials_passed: z.int(),
  trials_unscored: z.int(),
  pass_rate: z.number().nullable(),
  pass_rate_ci: intervalSchema.nullable(),
  /** How many calls had which fault. */
  faults: z.record(z.string(), z.int()),
  outcomes: faultOutcomesSchema,
});

const aloneSchema = variantSchema.extend({
  fault: z.string(),
  conclusion: scenarioComparisonSchema.shape.conclusion,
  /** Of the pass rate, against no faults. */
  difference: differenceSchema.nullable(),
  p: z.number().nullable(),
  /** Corrected for all faults of the run by Holm. */
  p_holm: z.number().nullable(),
});

const chaosScenarioSchema = z.object({
  name: z.string(),
  file: z.string(),
  adapter: z.string(),
  model: z.string(),
  /** The mixture of all faults, by dose. */
  doses: z.array(variantSchema),
  /** Each fault alone, the greatest drop first. */
  alone: z.array(aloneSchema),
  /** All doses and faults together. */
  outcomes: faultOutcomesSchema,
});

/** What `salvo chaos --json` prints. */
export const chaosDocumentSchema = z.object({
  run_id: z.string(),
  exit_code: z.int(),
  seed: z.int().nullable(),
  /** The greatest share of false successes that was allowed; null if there was no such limit. */
  max_false_success: z.number().nullable(),
  scenarios: z.array(chaosScenarioSchema),
  notes: z.array(z.string()),
});

export type ChaosVariant = z.infer<typeof variantSchema>;
export type ChaosAlone = z.infer<typeof aloneSchema>;
export type FaultOutcomes = z.infer<typeof faultOutcomesSchema>;
export type ChaosScenario = z.infer<typeof chaosScenarioSchema>;
export type ChaosDocument = z.infer<typeof chaosDocumentSchema>;
