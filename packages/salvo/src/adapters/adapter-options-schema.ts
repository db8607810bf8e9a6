import { z } from 'zod';
import { MESSAGE_FORMS } from '../trace/write/message-form.ts';
import { requestTemplate, responseExpressions } from './agent/server-form-schema.ts';
import { scriptSchema } from './script-schema.ts';

/** A named adapter of `salvo.yaml`: a type, and what that type needs. Built when a project has one. */
export const adapterOptionsSchema = z.lazy(unionOfTypes);

function unionOfTypes() {
  const shared = sharedFields();
  const { limits, messagesAs, connection, toolsSeen, cassette, observe } = shared;
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
      run_in: z
        .literal('workspace')
        .optional()
        .describe(
          "workspace: it runs in the trial's workspace. Words of the command that begin with ./ or ../ are relative to salvo.yaml.",
        ),
      keep: z
        .enum(['conversation', 'run'])
        .optional()
        .describe('The program is kept for the turns of a trial, or for all trials: a line of JSON for each request.'),
      messages_as: messagesAs,
      tools_seen: toolsSeen,
      observe,
      cassette,
      ...limits,
    }),
    ...serverTypes(shared),
    z.strictObject({
      type: z.literal('module').describe('A TS or JS module that exports an agent function or an adapter.'),
      path: z.string().min(1).describe('The module, relative to salvo.yaml.'),
      isolate: z
        .boolean()
        .optional()
        .describe('Whether it runs in processes of its own, where it can be stopped. Default: true.'),
      tools_seen: toolsSeen,
      observe,
      cassette,
      ...limits,
    }),
  ]);
}

/** Agents behind a URL. */
function serverTypes(shared: ReturnType<typeof sharedFields>) {
  const { limits, apiKeyEnv, headers, address, messagesAs, toolsSeen, cassette, observePort } = shared;
  const observed = {
    ...{ api_key_env: apiKeyEnv, headers, tools_seen: toolsSeen, observe: observePort, cassette },
    ...limits,
  };
  return [
    z
      .strictObject({
        type: z.literal('http').describe('An agent behind a URL: JSON in, a turn or a trace back.'),
        url: address.describe('Where requests are sent.'),
        method: z.enum(['POST', 'GET', 'PUT', 'PATCH']).optional().describe('How they are sent. Default: POST.'),
        messages_as: messagesAs,
        request: requestTemplate(),
        response: responseExpressions(),
        ...observed,
      })
      .refine(({ method, request }) => method !== 'GET' || request !== undefined, {
        path: ['method'],
        error: 'GET has no body. Write `request`, such as { q: "{{message}}" }: its fields become the query',
      }),
    z.strictObject({
      type: z.literal('a2a').describe('An agent that speaks A2A (JSON-RPC).'),
      url: address.describe('The address of the agent, or of its card.'),
      stream: z.boolean().optional().describe('false: without streams, although the card offers them.'),
      ...observed,
    }),
    z.strictObject({
      type: z.literal('ag-ui').describe('An agent that speaks AG-UI: a run for each turn, with its events.'),
      url: address.describe('Where runs are started, by POST.'),
      state: z.record(z.string(), z.unknown()).optional().describe('The state with which a conversation begins.'),
      ...observed,
    }),
  ] as const;
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

  const observe = z
    .enum(['model', 'otel'])
    .optional()
    .describe(
      'Records what the agent does. model: its requests to its model, by OPENAI_BASE_URL and the like. otel: its spans.',
    );

  const onPort = z.strictObject({ port: z.int().min(1).max(65_535).describe('A port of this machine.') });
  const observePort = z
    .union(
      [
        z.strictObject({ model: onPort.describe('Records its requests to its model, if it sends them here.') }),
        z.strictObject({ otel: onPort.describe('Receives its spans, if it sends them here.') }),
      ],
      { error: ({ input }) => portMissing(input === 'otel' ? 'otel: { port: 4318 }' : 'model: { port: 8787 }') },
    )
    .optional()
    .describe('Records what the server does, on a port that its settings name.');

  return { limits, apiKeyEnv, headers, address, messagesAs, connection, toolsSeen, cassette, observe, observePort };
}

function portMissing(example: string): string {
  return `a server is observed on a fixed port, which you give it: write observe: { ${example} }`;
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
