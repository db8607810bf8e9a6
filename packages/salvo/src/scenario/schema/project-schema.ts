import { parse } from 'node:path';
import { z } from 'zod';
import { adapterOptionsSchema } from '../../adapters/adapter-options-schema.ts';
import { priceSchema } from '../../models/budget/prices.ts';
import { laterSchema } from '../../secrets/text-marks.ts';
import { once } from '../../text/memo.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { furtherGatesSchema } from './gate-schema.ts';
import { MOST_ASSERTIONS, ownToolsField, toolsSeenField } from './scenario-schema.ts';
import {
  cascadeSchema,
  DEFAULT_MODEL,
  judgeModeSchema,
  labelsSchema,
  shareSchema,
  someText,
  tooLongSchema,
} from './shared-fields.ts';

const judgeSchema = z.strictObject({
  adapter: someText.default('openai').describe('How the judge is called.'),
  model: someText.default(DEFAULT_MODEL).describe('The model that judges.'),
  mode: judgeModeSchema,
  cascade: cascadeSchema,
  k: z.int().min(1).max(21).default(3).describe('How many votes are taken.'),
  temperature: z.number().min(0).max(2).default(0).describe('Passed to the provider.'),
  max_tokens: z
    .int()
    .positive()
    .optional()
    .describe('The maximum number of tokens of a vote. Default: 1024, and 8192 for models that reason.'),
  timeout_seconds: z
    .number()
    .positive()
    .default(300)
    .describe('How long a vote may take, with retries, without the wait for a free place of the adapter.'),
  default_threshold: shareSchema.prefault(0.8).describe('The minimum score to meet a rubric: 0.8 or 80%.'),
  ...tooLongSchema.shape,
});

const userSchema = once(() =>
  z.strictObject({
    adapter: someText.default('openai').describe('How the model that plays users is called.'),
    model: someText.default(DEFAULT_MODEL).describe('The model that plays users.'),
    temperature: z.number().min(0).max(2).optional().describe("Passed to the provider. Default: the provider's."),
    max_tokens: z
      .int()
      .positive()
      .optional()
      .describe('The maximum number of tokens of a message. Default: 1024, and 8192 for models that reason.'),
    timeout_seconds: z.number().positive().default(300).describe('How long a message may take, with retries.'),
  }),
);

const embeddingsSchema = once(() =>
  z.strictObject({
    adapter: someText.default('openai').describe('How the embedding model is called.'),
    model: someText.default('text-embedding-3-small').describe('The embedding model.'),
    timeout_seconds: z.number().positive().default(60).describe('How long a request may take, with retries.'),
  }),
);

/** What embeds texts, where an assertion does not say it. */
export function projectEmbeddings({ embeddings }: Pick<ProjectConfig, 'embeddings'>) {
  return embeddings ?? embeddingsSchema().parse({});
}

/** What plays users, where a scenario does not say it. */
export function projectUser({ user }: Pick<ProjectConfig, 'user'>): ProjectUser {
  return user ?? userSchema().parse({});
}

export type ProjectUser = z.infer<ReturnType<typeof userSchema>>;

const recordingSchema = z.strictObject({
  mode: z
    .enum(['full', 'metadata_only'])
    .default('full')
    .describe('metadata_only stores numbers and names, and no text.'),
  custom_redaction_patterns: z
    .array(someText)
    .default([])
    .describe('Regular expressions (RE2 syntax) for text that must not be stored, in addition to credentials.'),
});

/** Fields of scenarios, for those without their own. */
const defaultsSchema = z.strictObject({
  assertions: laterSchema(() =>
    z
      .array(z.unknown())
      .max(MOST_ASSERTIONS)
      .describe('Assertions of all scenarios, before their own. One of a scenario with the same id takes its place.'),
  ).optional(),
  trials: z.int().min(1).max(1_000_000).optional().describe('How often each case runs. Default: 3.'),
  threshold: shareSchema
    .optional()
    .describe('The minimum score for a trial to pass. Default: none, every assertion with a weight must pass.'),
  min_pass_rate: shareSchema.optional().describe('The share of trials that must pass: 0.9 or 90%. Default: 100%.'),
  min_score: shareSchema.optional().describe('The mean score that the trials of a scenario must reach, in addition.'),
  ...furtherGatesSchema.shape,
  retries: z.int().min(0).max(20).optional().describe('How often a failed request is sent again. Default: 4.'),
  max_turns: z
    .int()
    .min(1)
    .max(1000)
    .optional()
    .describe('The maximum number of model calls in one trial. Default: 10, and 100 for scenarios with `user`.'),
  timeout_seconds: z.number().positive().optional().describe('The maximum duration of a trial. Default: 300.'),
  temperature: z.number().min(0).max(2).optional().describe('Passed to the provider.'),
  max_tokens: z.int().positive().optional().describe('The maximum number of tokens of a turn.'),
  on_unmocked: z.enum(['error', 'fail']).optional().describe('The effect of a call that no mock answers.'),
  tools_seen: toolsSeenField,
  own_tools: ownToolsField,
  labels: labelsSchema.optional(),
});

/** The models or agents that a run compares. */
const matrixSchema = laterSchema(() => {
  const entry = z.union([
    someText.describe('A model, or adapter=model.'),
    z
      .strictObject({
        adapter: someText.optional().describe('As `adapter` in a scenario; a path is relative to salvo.yaml.'),
        model: someText.optional().describe('As `model` in a scenario.'),
      })
      .refine(({ adapter, model }) => adapter !== undefined || model !== undefined, 'needs an adapter or a model'),
  ]);
  return z.array(entry).min(1).max(50);
});

/** What travels to workers on other machines: the files that git sees, with these changes. */
const workersSchema = z.strictObject({
  files: z
    .array(someText)
    .max(1000)
    .default([])
    .describe('Files (globs, relative to salvo.yaml) that git ignores and workers need, such as a built agent.'),
  exclude: z
    .array(z.string().min(1))
    .max(1000)
    .default([])
    .describe('Files and folders that workers do not need, written as in .gitignore.'),
  invented_secrets: z
    .array(someText)
    .max(1000)
    .default([])
    .describe('Files (globs, relative to salvo.yaml) in which what looks like a key is invented, such as fixtures.'),
});

/** `salvo.yaml` */
export const projectSchema = z.strictObject({
  default_adapter: someText.default('openai').describe('For scenarios without an adapter.'),
  default_model: someText.optional().describe('For scenarios without a model.'),
  matrix: matrixSchema
    .optional()
    .describe(
      'Every scenario runs with each of these, and the report compares them. --model and --adapter replace it.',
    ),
  scenarios_dir: someText.default('scenarios').describe('Where scenarios are searched when none are named.'),
  storage_dir: someText.default('.salvo').describe('Where results are stored.'),
  database_url: someText
    .optional()
    .describe(
      'postgres://USER@HOST/DATABASE: results are stored there and not in storage_dir. Variables are written as in headers; SALVO_DATABASE_URL takes precedence.',
    ),
  database_migrate: z
    .boolean()
    .default(true)
    .describe('Commands create and change tables of the database themselves. Otherwise only `salvo db migrate` does.'),
  baseline: someText
    .optional()
    .describe(
      'Where `salvo baseline set` writes, and what `git:REF` means, relative to salvo.yaml. Default: salvo-baseline.json.',
    ),
  concurrency: z.int().positive().default(4).describe('The number of trials at the same time, over all scenarios.'),
  defaults: defaultsSchema
    .prefault({})
    .describe('For scenarios that do not say otherwise: trials, threshold, minimums, limits.'),
  env_file: someText
    .optional()
    .describe('A file with variables such as OPENAI_API_KEY=..., relative to salvo.yaml. Those of the process win.'),
  budget_usd: z
    .number()
    .positive()
    .optional()
    .describe('Every command stops before it spends more than this on models.'),
  plugins: z
    .array(someText)
    .max(50)
    .default([])
    .describe(
      'Packages, and TS or JS files relative to salvo.yaml, that call registerEvaluator and registerAdapter or export an extension.',
    ),
  hooks: someText
    .optional()
    .describe(
      'A TS or JS file, relative to salvo.yaml, with functions that run before and after runs, scenarios and trials.',
    ),
  allow_outside: z
    .boolean()
    .default(false)
    .describe('Scenarios may name files outside the folder of salvo.yaml, also through links.'),
  adapters: z
    .record(someText, adapterOptionsSchema)
    .default({})
    .describe('Adapters with options, under names that scenarios use.'),
  prices: z
    .record(someText, priceSchema)
    .default({})
    .describe('Prices of models in US dollars per million tokens; they take precedence over the built-in list.'),
  judge: judgeSchema.prefault({}).describe('The model that scores rubrics.'),
  embeddings: laterSchema(embeddingsSchema)
    .optional()
    .describe('The model that embeds texts, for assertions of type output_similar.'),
  user: laterSchema(userSchema).optional().describe('The model that plays the users of scenarios with `user`.'),
  workers: workersSchema.prefault({}).describe('What workers on other machines receive. See docs/scale.md.'),
  recording: recordingSchema.prefault({}).describe('What is stored of a trace.'),
});

export type ProjectConfig = z.infer<typeof projectSchema>;

/** A project: its settings and their folder. */
export interface Project {
  root: string;
  /** Null when there is no salvo.yaml; the defaults apply. */
  file: string | null;
  config: ProjectConfig;
  /** On a worker: the folder with the files that were sent. Nothing outside is read, whatever salvo.yaml says. */
  boundary?: string | undefined;
  /** The variables that scenarios at work pass on to servers, services and commands. Their values are never stored. */
  passedOn?: readonly string[] | undefined;
  /** Of salvo.yaml; missing if the settings were not read from a file. */
  warnings?: readonly Diagnostic[] | undefined;
}

/** The folder that every file named in a scenario must be in. */
export function readRoot({ root, config, boundary }: Pick<Project, 'root' | 'config' | 'boundary'>): string {
  return config.allow_outside ? (boundary ?? parse(root).root) : root;
}
