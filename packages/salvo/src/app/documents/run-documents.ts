import { z } from 'zod';
import { trialStatusSchema } from '../../evaluators/eval-result.ts';
import { runComparisonSchema } from '../../run/compare/compare-runs.ts';
import { scenarioComparisonSchema, togetherSchema } from '../../run/compare/comparison.ts';
import type { AgainstOutcome } from '../../run/compare/judge-against.ts';
import type { RunMatrix } from '../../run/compare/run-matrix.ts';
import type { Estimate } from '../../run/estimate/estimate.ts';
import type { Plan } from '../../run/plan/plan.ts';
import { baselineSummarySchema } from '../../run/record/baseline-summary.ts';
import { runDocumentSchema, runOverallSchema, scenarioSummarySchema } from '../../run/record/run-document.ts';
import type { ReevaluatedScenario } from '../../run/reevaluate/reevaluation.ts';
import type { RunListing } from '../../store/store.ts';
import { runRecordSchema } from '../../store/stored-documents.ts';
import { traceSchema } from '../../trace/trace.ts';
import { DOCUMENT_VERSIONS } from './document-kinds.ts';

const known = z.number().nullable();
const { verdict } = scenarioSummarySchema.shape;
const { conclusion } = scenarioComparisonSchema.shape;

const matrixSchema = z.object({
  base: z.string(),
  models: z.array(
    z.object({
      label: z.string(),
      verdict,
      scenarios: z.int(),
      trials_scored: z.int(),
      trials_passed: z.int(),
      overall: runOverallSchema,
      cost_total_usd: known,
      cost_per_trial_usd: known,
      latency_p50: known,
      compared: z.record(conclusion, z.int()).nullable(),
      together: togetherSchema.nullable(),
    }),
  ),
  comparisons: z.array(scenarioComparisonSchema.extend({ name: z.string(), file: z.string(), model: z.string() })),
}) satisfies z.ZodType<RunMatrix>;

const againstSchema = z.object({
  source: z.string(),
  margin: z.number(),
  comparison: runComparisonSchema,
  scenarios: z.array(
    z.object({
      ...baselineSummarySchema.pick({ answer: true, trials_to_decide: true }).shape,
      name: z.string(),
      file: z.string(),
      adapter: z.string(),
      model: z.string(),
      because: z.array(z.string()),
      by_own_rule: z.boolean(),
      new_cases: z.array(z.string()),
      new_cases_failed: z.array(z.string()),
      why: z.enum(['worse', 'together', 'observed', 'new_cases', 'nothing_passed', 'undecided']).nullable(),
    }),
  ),
  observed: baselineSummarySchema.shape.observed,
  exit_code: z.union([z.literal(0), z.literal(1), z.literal(3)]),
}) satisfies z.ZodType<AgainstOutcome>;

const listedRunSchema = runRecordSchema.extend({
  scenarios: z.array(runRecordSchema.shape.scenarios.element.omit({ scenario: true })),
}) satisfies z.ZodType<RunListing>;

const callsSchema = z.object({ fewest: z.int(), most: z.int() });
const costEstimateSchema = z.object({ typical: z.number(), most: z.number() }).nullable();

const estimateSchema = z.object({
  version: z.literal(DOCUMENT_VERSIONS.estimate),
  agent_runs: z.int(),
  agent_cost_usd: known,
  judge_calls: callsSchema,
  judge_cost_usd: costEstimateSchema,
  cached_votes: z.int(),
  scenarios: z.array(
    z.object({
      name: z.string(),
      file: z.string(),
      trials: z.int(),
      agent: z.object({ adapter: z.string(), model: z.string(), runs: z.int(), cost_usd: known }).nullable(),
      judges: z.array(
        z.object({
          assertion_id: z.string(),
          adapter: z.string(),
          model: z.string(),
          calls: callsSchema,
          cached_votes: z.int(),
          input_tokens: z.number(),
          cost_usd: costEstimateSchema,
        }),
      ),
      traces: z.int(),
    }),
  ),
}) satisfies z.ZodType<Estimate>;

const questionSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('effect'), size: z.number(), power: z.number() }),
  z.object({ kind: z.literal('precision'), size: z.number() }),
]);
const sizeShape = { trials: z.int().nullable(), cost_usd: known, seconds: known };

const planSchema = z.object({
  version: z.literal(DOCUMENT_VERSIONS.plan),
  concurrency: z.int(),
  scenarios: z.array(
    z.object({
      name: z.string(),
      file: z.string(),
      adapter: z.string(),
      model: z.string(),
      cases: z.int(),
      known: z
        .object({
          runs: z.int(),
          cases: z.int(),
          trials: z.int(),
          facts: z.object({ pass_rate: z.number(), within_cases: z.number(), between_cases: z.number() }),
          one_draw: z.boolean(),
          single_trials: z.boolean(),
          agent_usd: known,
          judges_usd: known,
          seconds: known,
        })
        .nullable(),
      answers: z.array(
        z.object({
          question: questionSchema,
          trials_per_case: z.int().nullable(),
          cases_needed: z.int().nullable(),
          trials_each: z.int(),
          ...sizeShape,
        }),
      ),
    }),
  ),
  totals: z.array(
    z.object({
      question: questionSchema,
      together: z.object({ trials_per_case: z.int().nullable(), ...sizeShape }).nullable(),
      ...sizeShape,
    }),
  ),
}) satisfies z.ZodType<Plan>;

const reevaluatedSchema = z.object({
  name: z.string(),
  task_changes: z.array(z.string()),
  before: scenarioSummarySchema,
  after: scenarioSummarySchema,
  changed_trials: z.array(
    z.object({
      case: z.string().nullable(),
      trial_number: z.int(),
      before: trialStatusSchema,
      after: trialStatusSchema,
      score_before: known,
      score_after: known,
    }),
  ),
}) satisfies z.ZodType<ReevaluatedScenario>;

/** What commands about runs print with `--json`. */
export const RUN_DOCUMENTS = {
  run: runDocumentSchema.extend({
    /** If several models ran: each against the first. */
    matrix: matrixSchema.optional(),
    /** With `--against`: what the comparison with the baseline says. */
    against: againstSchema.optional(),
    /** What else a reader should know, one sentence each. */
    notes: z.array(z.string()).optional(),
  }),
  compare: runComparisonSchema.extend({ version: z.literal(DOCUMENT_VERSIONS.compare) }),
  history: z.object({ version: z.literal(DOCUMENT_VERSIONS.history), runs: z.array(listedRunSchema) }),
  estimate: estimateSchema,
  plan: planSchema,
  reeval: z.object({
    version: z.literal(DOCUMENT_VERSIONS.reeval),
    run_id: z.string(),
    reeval_of: z.string().nullable(),
    verdict,
    exit_code: z.int(),
    scenarios: z.array(reevaluatedSchema),
  }),
  trace: traceSchema.extend({ version: z.literal(DOCUMENT_VERSIONS.trace) }),
};
