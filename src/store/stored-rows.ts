import { z } from 'zod';
import { verdictSchema } from '../run/run-document.ts';
import type { Scenario } from '../scenario/schema/scenario-schema.ts';

/** Rows as SQLite hands them out, and the documents inside them. */
export const runRowSchema = z.object({
  run_id: z.string(),
  created_at: z.string(),
  finished_at: z.string().nullable(),
  status: z.enum(['running', 'finished', 'interrupted']),
  verdict: verdictSchema.nullable(),
  exit_code: z.int().nullable(),
  salvo_version: z.string(),
  reeval_of: z.string().nullable(),
  options: z.string(),
  owner: z.string().nullable(),
});

export const scenarioRowSchema = z.object({
  name: z.string(),
  file: z.string(),
  adapter: z.string(),
  model: z.string(),
  scenario_hash: z.string(),
  scenario: z.string(),
  summary: z.string().nullable(),
});

export const trialRowSchema = z.object({
  run_id: z.string(),
  scenario_index: z.int(),
  trial_number: z.int(),
  trace_id: z.string().nullable(),
  result: z.string().nullable(),
});

export const runOptionsSchema = z.object({
  trials: z.int(),
  seed: z.int().nullable(),
  record_only: z.boolean(),
  allow_unscored: z.boolean(),
  min_pass_rate: z.number().nullable(),
});

export const ownerSchema = z.object({ pid: z.int(), host: z.string() });

/** A snapshot was checked when it was loaded; by now its assertion types may be ones only the project knows. */
export const scenarioSnapshotSchema = z.custom<Scenario>(
  (value) => typeof value === 'object' && value !== null && 'name' in value && 'assertions' in value,
);

export type RunRow = z.infer<typeof runRowSchema>;
