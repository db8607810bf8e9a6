import { z } from 'zod';
import { calibrationRecordSchema } from '../../judge/calibration/calibration-record.ts';
import { CANARY_KINDS } from '../../judge/canaries/canaries.ts';
import type { CanaryReport } from '../../judge/canaries/check-judge.ts';
import { atLeastSchema } from '../../trace/at-least-schema.ts';
import { DOCUMENT_VERSIONS } from './document-kinds.ts';

const interval = z.tuple([z.number(), z.number()]);
const passRateSchema = z.object({
  scored: z.int(),
  passed: z.int(),
  pass_rate: z.number().nullable(),
  ci: interval.nullable(),
});
const differenceSchema = z.object({ value: z.number(), ci: interval }).nullable();
const outcomeSchema = z.object({
  id: z.string(),
  kind: z.enum(CANARY_KINDS),
  expect: z.enum(['must_not_pass', 'must_pass']),
  score: z.number().nullable(),
  reasoning: z.string().nullable(),
  error: z.string().nullable(),
});
const exitCode = z.union([z.literal(0), z.literal(1), z.literal(3)]);

const judgeCheckSchema = z.object({
  version: z.literal(DOCUMENT_VERSIONS['judge-check']),
  judge_model: z.string(),
  judge_adapter: z.string(),
  k: z.int(),
  threshold: z.number(),
  cases: z.int(),
  not_judged: z.int(),
  budget_refusal: z.string().nullable(),
  verdict: z.enum([
    'robust',
    'passes everything',
    'fails everything',
    'guessing',
    'checks nothing',
    'manipulated',
    'misses errors',
    'too strict',
    'open',
  ]),
  attacks: passRateSchema,
  wrong: passRateSchema,
  honest: passRateSchema,
  honest_minus_attacks: differenceSchema,
  honest_minus_wrong: differenceSchema,
  fell_for: z.array(outcomeSchema),
  controls_failed: z.array(outcomeSchema),
  unscored: z.array(outcomeSchema),
  kinds: z.array(z.object({ kind: z.enum(CANARY_KINDS), cases: z.int(), wrong: z.int(), unscored: z.int() })),
  judge_cost_usd: z.number().nullable(),
  judge_cost_at_least: atLeastSchema.optional(),
  exit_code: exitCode,
}) satisfies z.ZodType<CanaryReport>;

/** What commands about judges print with `--json`. */
export const JUDGE_DOCUMENTS = {
  calibrate: calibrationRecordSchema
    // What was not stored has no id and no facts; verdicts that were recorded elsewhere have no judge that was asked.
    .partial({ judge_hash: true, created_at: true, judge: true, judge_adapter: true, judge_model: true, k: true })
    .extend({
      version: z.literal(DOCUMENT_VERSIONS.calibrate),
      not_judged: z.int(),
      judge_cost_usd: z.number().nullable(),
      judge_cost_at_least: atLeastSchema.optional(),
      stored: z.boolean(),
      exit_code: exitCode,
    }),
  'calibrate-forget': z.object({
    version: z.literal(DOCUMENT_VERSIONS['calibrate-forget']),
    forgotten: z.string(),
    judge_model: z.string().nullable(),
    created_at: z.string(),
  }),
  'judge-check': judgeCheckSchema,
};
