import { z } from 'zod';
import { calibrationRecordSchema } from '../../judge/calibration/calibration-record.ts';
import { canaryReportSchema } from '../../judge/canaries/check-judge.ts';
import { atLeastSchema } from '../../trace/at-least-schema.ts';
import { DOCUMENT_VERSIONS } from './document-kinds.ts';

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
      exit_code: canaryReportSchema.shape.exit_code,
    }),
  'calibrate-forget': z.object({
    version: z.literal(DOCUMENT_VERSIONS['calibrate-forget']),
    forgotten: z.string(),
    judge_model: z.string().nullable(),
    created_at: z.string(),
  }),
  'judge-check': z.object({ version: z.literal(DOCUMENT_VERSIONS['judge-check']), ...canaryReportSchema.shape }),
};
