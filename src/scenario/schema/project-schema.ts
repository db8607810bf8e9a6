import { z } from 'zod';
import { adapterOptionsSchema } from '../../adapters/adapter-options-schema.ts';
import { priceSchema } from '../../models/prices.ts';

const judgeSchema = z.strictObject({
  adapter: z.string().min(1).default('openai').describe('How the judge is called.'),
  model: z.string().min(1).default('gpt-4o-mini').describe('The model that judges.'),
  k: z.int().min(1).max(21).default(3).describe('How many votes are taken.'),
  temperature: z.number().min(0).max(2).default(0).describe('Passed to the provider.'),
  max_tokens: z.int().positive().default(1024).describe('The most tokens one vote may have.'),
  default_threshold: z.number().min(0).max(1).default(0.8).describe('From which score on a rubric is met.'),
});

const recordingSchema = z.strictObject({
  mode: z
    .enum(['full', 'metadata_only'])
    .default('full')
    .describe('metadata_only keeps figures and tool names, and none of the text.'),
  custom_redaction_patterns: z
    .array(z.string().min(1))
    .default([])
    .describe('Regular expressions (RE2 syntax) for what must not be stored, on top of the usual credentials.'),
});

/** `salvo.yaml` */
export const projectSchema = z.strictObject({
  default_adapter: z.string().min(1).default('openai').describe('For scenarios that name no adapter.'),
  default_model: z.string().min(1).optional().describe('For scenarios that name no model.'),
  scenarios_dir: z.string().min(1).default('scenarios').describe('Where scenarios are looked for when none are named.'),
  storage_dir: z.string().min(1).default('.salvo').describe('Where results are kept.'),
  concurrency: z.int().positive().default(4).describe('Trials at once, over all scenarios.'),
  budget_usd: z.number().positive().optional().describe('A run stops before it costs more than this.'),
  adapters: z
    .record(z.string().min(1), adapterOptionsSchema)
    .default({})
    .describe('Adapters with options, under names that scenarios use.'),
  prices: z
    .record(z.string().min(1), priceSchema)
    .default({})
    .describe('Prices of models, before the ones Salvo knows; in US dollars per million tokens.'),
  judge: judgeSchema.prefault({}).describe('The model that scores rubrics.'),
  recording: recordingSchema.prefault({}).describe('What is kept of a trace.'),
});

export type ProjectConfig = z.infer<typeof projectSchema>;

/** A project: its settings, and the folder they are relative to. Nothing outside `root` is ever included. */
export interface Project {
  root: string;
  /** Null when there is no salvo.yaml and the defaults are in force. */
  file: string | null;
  config: ProjectConfig;
}
