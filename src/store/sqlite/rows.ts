import { z } from 'zod';
import { verdictSchema } from '../../run/run-document.ts';

/** Rows as SQLite returns them; documents inside them are still text. */
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

export type RunRow = z.infer<typeof runRowSchema>;
