import { z } from 'zod';
import { scriptSchema } from './script-schema.ts';

const limits = {
  /** Requests in flight at once, over all trials. */
  max_concurrency: z.int().positive().optional(),
  requests_per_minute: z.number().positive().optional(),
  /** How long one request may take before it counts as lost and is sent again. */
  timeout_seconds: z.number().positive().optional(),
};

const connection = {
  base_url: z.url().optional(),
  /** The environment variable that holds the key: the key itself never stands in a file. */
  api_key_env: z.string().min(1).optional(),
  /** Values may hold `${NAME}`, replaced from the environment. */
  headers: z.record(z.string(), z.string()).optional(),
  ...limits,
};

/** A named adapter of `salvo.yaml`: a type, and what that type needs. */
export const adapterOptionsSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('openai'), ...connection }),
  z.strictObject({ type: z.literal('anthropic'), ...connection }),
  z.strictObject({
    type: z.literal('ai-sdk'),
    /** The provider's npm package, such as `@ai-sdk/google`. */
    package: z.string().min(1),
    /** The export of the package that makes a provider, when it is not `createXyz`. */
    export: z.string().min(1).optional(),
    ...connection,
  }),
  z.strictObject({
    type: z.literal('llama'),
    /** A GGUF file, relative to salvo.yaml. */
    model_path: z.string().min(1),
    context_size: z.int().positive().optional(),
    gpu: z.boolean().optional(),
    ...limits,
  }),
  z.strictObject({ type: z.literal('scripted'), script: scriptSchema, ...limits }),
  z.strictObject({
    type: z.literal('exec'),
    /** A command line, or the program and its arguments as a list. Never run through a shell. */
    command: z.union([z.string().min(1), z.array(z.string()).min(1)]),
    /** Environment variables the command may see beside PATH, HOME and the like. */
    env: z.array(z.string()).optional(),
    cwd: z.string().optional(),
    ...limits,
  }),
  z.strictObject({
    type: z.literal('http'),
    url: z.url(),
    api_key_env: z.string().min(1).optional(),
    headers: z.record(z.string(), z.string()).optional(),
    ...limits,
  }),
  z.strictObject({ type: z.literal('module'), path: z.string().min(1), ...limits }),
]);

export type AdapterOptions = z.infer<typeof adapterOptionsSchema>;
export type AdapterType = AdapterOptions['type'];
