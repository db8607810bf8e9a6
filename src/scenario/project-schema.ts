import { z } from 'zod';
import { adapterOptionsSchema } from '../adapters/adapter-options-schema.ts';

const judgeSchema = z.strictObject({
  adapter: z.string().min(1).default('openai'),
  model: z.string().min(1).default('gpt-4o-mini'),
  k: z.int().min(1).max(21).default(3),
  temperature: z.number().min(0).max(2).default(0),
  max_tokens: z.int().positive().default(1024),
  default_threshold: z.number().min(0).max(1).default(0.8),
});

/** US dollars per million tokens. */
const priceSchema = z.strictObject({
  input_per_million: z.number().nonnegative(),
  output_per_million: z.number().nonnegative(),
  cache_read_per_million: z.number().nonnegative().optional(),
  cache_write_per_million: z.number().nonnegative().optional(),
});

const recordingSchema = z.strictObject({
  /** metadata_only keeps figures and tool names, and none of the text. */
  mode: z.enum(['full', 'metadata_only']).default('full'),
  custom_redaction_patterns: z.array(z.string().min(1)).default([]),
});

/** `salvo.yaml` */
export const projectSchema = z.strictObject({
  default_adapter: z.string().min(1).default('openai'),
  default_model: z.string().min(1).optional(),
  scenarios_dir: z.string().min(1).default('scenarios'),
  storage_dir: z.string().min(1).default('.salvo'),
  concurrency: z.int().positive().default(4),
  budget_usd: z.number().positive().optional(),
  adapters: z.record(z.string().min(1), adapterOptionsSchema).default({}),
  prices: z.record(z.string().min(1), priceSchema).default({}),
  judge: judgeSchema.prefault({}),
  recording: recordingSchema.prefault({}),
});

export type ProjectConfig = z.infer<typeof projectSchema>;
export type Price = z.infer<typeof priceSchema>;

/** A project: its settings, and the folder they are relative to. Nothing outside `root` is ever included. */
export interface Project {
  root: string;
  /** Null when there is no salvo.yaml and the defaults are in force. */
  file: string | null;
  config: ProjectConfig;
}
