import { z } from 'zod';
import { importReportSchema } from '../../imports/import-document.ts';
import { calibrationRecordSchema } from '../../judge/calibration/calibration-record.ts';
import { canaryReportSchema } from '../../judge/canaries/check-judge.ts';
import { cascadeCalibrationSchema } from '../../judge/cascade/cascade-calibration.ts';
import { pairCalibrationSchema } from '../../judge/pairwise/calibrate-pairs.ts';
import { storedComparisonSchema } from '../../judge/which/stored-comparison.ts';
import { migrationReportSchema } from '../../migrate/migration-document.ts';
import { mutateDocumentSchema } from '../../mutate/mutate-document.ts';
import { runComparisonSchema } from '../../run/compare/compare-runs.ts';
import { againstOutcomeSchema } from '../../run/compare/judge-against.ts';
import { runMatrixSchema } from '../../run/compare/run-matrix.ts';
import { estimateSchema } from '../../run/estimate/estimate.ts';
import { chaosDocumentSchema } from '../../run/faults/chaos-document.ts';
import { planSchema } from '../../run/plan/plan.ts';
import { rankingSchema } from '../../run/rank/rank-candidates.ts';
import { runDocumentSchema, scenarioSummarySchema } from '../../run/record/run-document.ts';
import { reevaluatedSchema } from '../../run/reevaluate/reevaluation.ts';
import type { RunListing } from '../../store/store.ts';
import { runRecordSchema } from '../../store/stored-documents.ts';
import { atLeastSchema } from '../../trace/cost-fields.ts';
import { traceSchema } from '../../trace/trace.ts';
import { DOCUMENT_VERSIONS } from './document-kinds.ts';

const listedRunSchema = runRecordSchema.extend({
  scenarios: z.array(runRecordSchema.shape.scenarios.element.omit({ scenario: true })),
}) satisfies z.ZodType<RunListing>;

/** What commands about runs and judges print with `--json`. */
export const RUN_DOCUMENTS = {
  run: runDocumentSchema.extend({
    /** If several models ran: each against the first. */
    matrix: runMatrixSchema.optional(),
    /** With `--against`: what the comparison with the baseline says. */
    against: againstOutcomeSchema.optional(),
    /** What else a reader should know, one sentence each. */
    notes: z.array(z.string()).optional(),
  }),
  chaos: z.object({ version: z.literal(DOCUMENT_VERSIONS.chaos), ...chaosDocumentSchema.shape }),
  compare: runComparisonSchema.extend({ version: z.literal(DOCUMENT_VERSIONS.compare) }),
  history: z.object({ version: z.literal(DOCUMENT_VERSIONS.history), runs: z.array(listedRunSchema) }),
  estimate: z.object({ version: z.literal(DOCUMENT_VERSIONS.estimate), ...estimateSchema.shape }),
  plan: z.object({ version: z.literal(DOCUMENT_VERSIONS.plan), ...planSchema.shape }),
  reeval: z.object({
    version: z.literal(DOCUMENT_VERSIONS.reeval),
    run_id: z.string(),
    reeval_of: z.string().nullable(),
    verdict: scenarioSummarySchema.shape.verdict,
    exit_code: z.int(),
    scenarios: z.array(reevaluatedSchema),
  }),
  mutate: z.object({ version: z.literal(DOCUMENT_VERSIONS.mutate), ...mutateDocumentSchema.shape }),
  import: z.object({ version: z.literal(DOCUMENT_VERSIONS.import), ...importReportSchema.shape }),
  migrate: z.object({ version: z.literal(DOCUMENT_VERSIONS.migrate), ...migrationReportSchema.shape }),
  trace: traceSchema.extend({ version: z.literal(DOCUMENT_VERSIONS.trace) }),
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
  'calibrate-judges': z.object({
    version: z.literal(DOCUMENT_VERSIONS['calibrate-judges']),
    ...storedComparisonSchema.partial({ comparison_id: true, created_at: true, labels_file: true, judges_file: true })
      .shape,
  }),
  'calibrate-pairs': z.object({
    version: z.literal(DOCUMENT_VERSIONS['calibrate-pairs']),
    ...pairCalibrationSchema.shape,
    judge_cost_usd: z.number().nullable(),
    judge_cost_at_least: atLeastSchema.optional(),
    exit_code: canaryReportSchema.shape.exit_code,
  }),
  'calibrate-cascade': z.object({
    version: z.literal(DOCUMENT_VERSIONS['calibrate-cascade']),
    ...cascadeCalibrationSchema.shape,
  }),
  'judge-check': z.object({ version: z.literal(DOCUMENT_VERSIONS['judge-check']), ...canaryReportSchema.shape }),
  rank: z.object({
    version: z.literal(DOCUMENT_VERSIONS.rank),
    ...rankingSchema.shape,
    judge_cost_usd: z.number().nullable(),
    judge_cost_at_least: atLeastSchema.optional(),
    exit_code: z.union([z.literal(0), z.literal(3)]),
  }),
};
