import { z } from 'zod';
import { MESSAGE_FORMS } from '../trace/write/message-form.ts';
import { scriptSchema } from './script-schema.ts';

/** A named adapter of `salvo.yaml`: a type, and what that type needs. Built when a project has one. */
export const adapterOptionsSchema = z.lazy(unionOfTypes);

function unionOfTypes() {
  const { limits, apiKeyEnv, headers, address, messagesAs, connection, toolsSeen, cassette } = sharedFields();
  return z.discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('openai').describe('OpenAI, or any server that speaks its chat completions.'),
      ...connection,
    }),
    z.strictObject({ type: z.literal('anthropic').describe('Anthropic.'), ...connection }),
    z.strictObject({
      type: z.literal('ai-sdk').describe('A provider of the Vercel AI SDK.'),
      package: z.string().min(1).describe("The provider's npm package, such as @ai-sdk/google."),
      export: z
        .string()
        .min(1)
        .optional()
        .describe('The export of the package that creates a provider, when it is not createXyz.'),
      ...connection,
    }),
    z.strictObject({
      type: z.literal('llama').describe('A GGUF file, run in this process by node-llama-cpp.'),
      model_path: z.string().min(1).describe('The GGUF file, relative to salvo.yaml.'),
      context_size: z.int().positive().optional().describe('Tokens of context.'),
      gpu: z.boolean().optional().describe('Whether a GPU is used.'),
      threads: z
        .int()
        .positive()
        .optional()
        .describe('CPU threads. Default: as many as there are cores for calculations, at most 8.'),
      cassette,
      ...limits,
    }),
    z.strictObject({
      type: z.literal('scripted').describe('Answers from a script; no model is called.'),
      script: scriptSchema.describe('The answers.'),
      ...limits,
    }),
    z.strictObject({
      type: z.literal('exec').describe('An agent that is a program: JSON on standard input, a turn or a trace back.'),
      command: z
        .union([z.string().min(1), z.array(z.string()).min(1)])
        .describe('A command line, or the program and its arguments as a list. Never run through a shell.'),
      env: z
        .array(z.string())
        .optional()
        .describe('Environment variables the program receives in addition to PATH, HOME and the like.'),
      cwd: z.string().optional().describe('The working directory, relative to salvo.yaml.'),
      messages_as: messagesAs,
      tools_seen: toolsSeen,
      ...limits,
    }),
    z.strictObject({
      type: z.literal('http').describe('An agent behind a URL: JSON in, a turn or a trace back.'),
      url: address.describe('Where requests are sent, by POST.'),
      messages_as: messagesAs,
      api_key_env: apiKeyEnv,
      headers,
      tools_seen: toolsSeen,
      ...limits,
    }),
    z.strictObject({
      type: z.literal('module').describe('A TS or JS module that exports an agent function or an adapter.'),
      path: z.string().min(1).describe('The module, relative to salvo.yaml.'),
      isolate: z
        .boolean()
        .optional()
        .describe('Whether it runs in processes of its own, where it can be stopped. Default: true.'),
      tools_seen: toolsSeen,
      ...limits,
    }),
  ]);
}

function sharedFields() {
  const limits = {
    max_concurrency: z.int().positive().optional().describe('Requests in flight at once, over all trials.'),
    requests_per_minute: z.number().positive().optional().describe('Requests begun within any minute.'),
    timeout_seconds: z
      .number()
      .positive()
      .optional()
      .describe('How long one request may take before it is sent again. Default: 120.'),
  };

  const apiKeyEnv = z
    .string()
    .min(1)
    .optional()
    .describe('The environment variable that holds the key. The key itself does not belong in a file.');

  const headers = z
    .record(z.string(), z.string())
    .optional()
    .describe(`Sent with every request. \${NAME} in a value is replaced from the environment.`);

  const address = z.url().refine((url) => !hasCredentials(url), {
    error: `the address must not have a user name or a password in it. Put them into a header, such as Authorization: Basic \${NAME}`,
  });

  const messagesAs = z
    .enum(MESSAGE_FORMS)
    .optional()
    .describe("The form of `messages` in the request, such as openai. Default: Salvo's own.");

  const cassette = z
    .string()
    .min(1)
    .optional()
    .describe(
      'A file, relative to salvo.yaml, on which runs record the answers of the model and from which they replay them.',
    );

  const connection = {
    base_url: address.optional().describe('Where the API is, such as http://localhost:11434/v1.'),
    api_key_env: apiKeyEnv,
    headers,
    cassette,
    ...limits,
  };

  /** For whole agents, which may call tools that Salvo does not see. */
  const toolsSeen = z
    .literal('all')
    .optional()
    .describe('all: the agent calls no tools but those that it reports or calls with `callTool`.');

  return { limits, apiKeyEnv, headers, address, messagesAs, connection, toolsSeen, cassette };
}

/** No request can be sent to such an address, and the secret would be in a file. */
function hasCredentials(url: string): boolean {
  const { username, password } = URL.parse(url) ?? { username: '', password: '' };
  return username !== '' || password !== '';
}

export type AdapterOptions = z.infer<typeof adapterOptionsSchema>;
export type AdapterType = AdapterOptions['type'];
/** The options of an adapter of this type. */
export type OptionsOf<T extends AdapterType> = Extract<AdapterOptions, { type: T }>;
