import { z } from 'zod';
import { driftCheckSchema } from '../run/record/judge-summary.ts';
import { scenarioSummarySchema, verdictSchema } from '../run/record/run-document.ts';
import type { RunChange, RunRecord, StoredTrial } from '../run/record/run-record.ts';
import { type Scenario, scenarioFieldsSchema } from '../scenario/schema/scenario-schema.ts';
import { FAULT_KINDS, faultSchema, toolSchema } from '../scenario/schema/tool-schema.ts';
import { laterSchema, measurements, projectName, textFree } from '../secrets/text-marks.ts';
import { atLeastSchema } from '../trace/cost-fields.ts';
import { trialResultSchema } from '../trial/trial-result.ts';

/** A snapshot's assertion: its type may be one that only the project knows. */
const assertionSnapshotSchema = z
  .object({
    type: projectName(z.string()),
    id: projectName(z.string()).optional(),
    tool: projectName(z.string()).optional(),
    weight: z.number(),
    required: z.boolean(),
  })
  .catchall(measurements(z.unknown()));

const storedChancesSchema = z.array(z.object({ k: z.int(), rate: z.number() }));
const criterionName = projectName(z.string());
const storedGatesShape = {
  min_pass_hat_k: storedChancesSchema.optional(),
  min_pass_at_k: storedChancesSchema.optional(),
  min_criteria: z.record(criterionName, z.union([z.number(), z.record(criterionName, z.number())])).optional(),
};

/** Marks the names and numbers among a scenario's fields; every other field is text. */
const scenarioSnapshotSchema = z.object({
  ...scenarioFieldsSchema.shape,
  name: projectName(z.string()),
  tags: projectName(z.unknown()).optional(),
  adapter: projectName(z.string()).optional(),
  model: projectName(z.string()).optional(),
  tools: z.array(z.object({ ...toolSchema.shape, name: projectName(z.string()) })),
  // Shares have been read by now: percentages are numbers.
  threshold: z.number().optional(),
  min_pass_rate: z.number().optional(),
  min_score: z.number().optional(),
  ...storedGatesShape,
  assertions: z.array(assertionSnapshotSchema),
  functions: textFree(z.record(z.string(), z.string())).optional(),
  attached: laterSchema(attachedSchema).optional(),
  folders: laterSchema(foldersSchema).optional(),
  variant: laterSchema(variantSchema).optional(),
  prompt_of: scenarioSummarySchema.shape.prompt_of,
});

function variantSchema() {
  const name = projectName(z.string());
  return z.object({ of: name, dose: z.number(), alone: textFree(z.string()).nullable() });
}

/** All that a resumed run or a worker needs to make the same faults. */
function runFaultsSchema() {
  const chosen = {
    kind: textFree(z.enum(FAULT_KINDS)),
    rate: z.number().optional(),
    tools: z.array(projectName(z.string())).optional(),
    message: projectName(z.string()).optional(),
    respond: projectName(z.unknown()).optional(),
    texts: z.array(projectName(z.string())).optional(),
  };
  return z.object({
    list: z.array(z.object({ ...faultSchema().shape, ...chosen })).optional(),
    variants: z.array(variantSchema().nullable()).optional(),
  });
}

function foldersSchema() {
  const name = projectName(z.string());
  const folder = z.object({ sha256: textFree(z.string()), files: z.int(), bytes: z.number(), path: name.optional() });
  return z.record(name, folder);
}

function attachedSchema() {
  const name = projectName(z.string());
  const file = z.object({ sha256: textFree(z.string()), bytes: z.number(), media_type: name, path: name.optional() });
  return z.record(name, file);
}

export const shardSchema = z.object({ index: z.int(), count: z.int() });

export const runOptionsSchema = z.object({
  trials: z.int().nullable(),
  cases: z.array(z.array(z.int()).nullable()).nullable(),
  seed: z.int().nullable(),
  record_only: z.boolean(),
  allow_unscored: z.boolean(),
  min_pass_rate: z.number().nullable(),
  min_score: z.number().nullable(),
  shard: shardSchema.optional(),
  assertion_files: z.record(projectName(z.string()), textFree(z.string())).optional(),
  agent_files: z.record(projectName(z.string()), textFree(z.string())).optional(),
  mixed: z.array(projectName(z.string())).optional(),
  no_code: z.boolean().optional(),
  early_stop: z.boolean().optional(),
  look: z.boolean().optional(),
  cassette: laterSchema(cassetteOfRunSchema).optional(),
  tool_cassettes: z.record(projectName(z.string()), z.enum(['record', 'record_again', 'replay'])).optional(),
  salvo_versions: z.array(textFree(z.string())).optional(),
  imported: z.object({ files: z.array(projectName(z.string())) }).optional(),
  faults: laterSchema(runFaultsSchema).optional(),
  against: laterSchema(againstSchema).optional(),
  drift_checks: laterSchema(() => z.array(driftCheckSchema())).optional(),
});

function cassetteOfRunSchema() {
  return z.object({
    mode: z.enum(['record', 'replay']),
    file: projectName(z.string()).nullable(),
    empty: z.boolean().optional(),
  });
}

function againstSchema() {
  return z.object({
    source: projectName(z.string()),
    max_drop: z.number().nullable(),
    undecided: z.enum(['observed', 'fail']).optional(),
    gate: z.enum(['overall', 'each', 'either']).optional(),
    until: z
      .object({
        planned: z.int(),
        process: textFree(z.string()),
        baseline: textFree(z.string()),
        agents: z.int(),
        earlier: z.array(
          z.object({
            ...{ name: projectName(z.string()), file: projectName(z.string()) },
            ...{ adapter: projectName(z.string()), model: projectName(z.string()) },
            cases: z.array(
              z.object({
                case: projectName(z.string()).nullable(),
                row: textFree(z.string()).nullable(),
                trials: textFree(z.string()),
                identical: z.literal(true).optional(),
              }),
            ),
          }),
        ),
      })
      .optional(),
    instead_of_gates: z.array(z.int()).optional(),
  });
}

const time = textFree(z.string());
const runFields = {
  finished_at: time.nullable(),
  status: z.enum(['running', 'finished', 'interrupted']),
  verdict: verdictSchema.nullable(),
  exit_code: z.int().nullable(),
  options: runOptionsSchema,
  git: z.object({ commit: textFree(z.string()), dirty: z.boolean() }).nullable(),
};

/** By these a run's documents are redacted. A field that is missing here is treated as text. */
export const runRecordSchema = z.object({
  ...runFields,
  run_id: textFree(z.string()),
  created_at: time,
  salvo_version: textFree(z.string()),
  reeval_of: textFree(z.string()).nullable(),
  scenarios: z.array(
    z.object({
      name: projectName(z.string()),
      file: projectName(z.string()),
      adapter: projectName(z.string()),
      model: projectName(z.string()),
      scenario_hash: textFree(z.string()),
      scenario: scenarioSnapshotSchema,
      summary: scenarioSummarySchema.nullable(),
    }),
  ),
}) satisfies z.ZodType<Omit<RunRecord, 'scenarios'>>;

export const runChangeSchema = z
  .object({ ...runFields, summaries: z.array(scenarioSummarySchema) })
  .partial() satisfies z.ZodType<RunChange>;

/** The figures of a summary that lists show. */
export const listedSummarySchema = scenarioSummarySchema.pick({
  prompt_of: true,
  verdict: true,
  pass_rate: true,
  pass_rate_ci: true,
  score_avg: true,
  trials_total: true,
  cost_total_usd: true,
  cost_at_least: true,
  judge_cost_usd: true,
  judge_cost_at_least: true,
  user_cost_usd: true,
  user_cost_at_least: true,
});
export type SummaryFigures = z.infer<typeof listedSummarySchema>;

/** What is kept beside a scenario of a run, so that a list of runs need not read its summary. */
export const figuresSchema = runRecordSchema.shape.scenarios.element
  .pick({ name: true, file: true, adapter: true, model: true })
  .extend({
    /** Null until the run ends. */
    summary: listedSummarySchema.nullable(),
  });
export interface ScenarioFigures extends Omit<z.infer<typeof figuresSchema>, 'summary'> {
  summary: SummaryFigures | null;
}

export const trialCostSchema = z.object({
  cost_usd: z.number().nullable(),
  cost_at_least: atLeastSchema.optional(),
  judge_cost_usd: z.number().nullable(),
  judge_cost_at_least: atLeastSchema.optional(),
  user_cost_usd: z.number().nullish(),
  user_cost_at_least: atLeastSchema.optional(),
});

export const storedTrialSchema = z.object({
  run_id: textFree(z.string()),
  scenario_index: z.int(),
  case_index: z.int(),
  case: projectName(z.string()).nullable(),
  trial_number: z.int(),
  trace_id: textFree(z.string()).nullable(),
  result: trialResultSchema.nullable(),
  earlier_cost: trialCostSchema.nullable(),
}) satisfies z.ZodType<StoredTrial>;

/** A snapshot was checked when it was loaded; by now its assertion types may be ones that only the project knows. */
export const storedScenarioSchema = z.custom<Scenario>(
  (value) => typeof value === 'object' && value !== null && 'name' in value && 'assertions' in value,
);
