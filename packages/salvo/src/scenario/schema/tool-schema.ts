import { z } from 'zod';
import { fileContent, laterSchema } from '../../secrets/text-marks.ts';
import { shareSchema, someText } from './shared-fields.ts';

/** The files of a message, or of a tool's answer. */
export const filesSchema = laterSchema(() => z.array(fileSchema()).min(1).max(20))
  .optional()
  .describe('Images and other files: paths, or maps with `path`, `url` or `base64`. At most 10 MB each.');

function fileSchema() {
  return z.union([
    someText,
    z.strictObject({
      path: someText.optional().describe('The path of the file, relative to the file that names it.'),
      url: someText.optional().describe('The address of the file. Salvo passes it on, and never fetches it.'),
      base64: fileContent(z.string().min(1)).optional().describe('The content of the file.'),
      media_type: someText.optional().describe('Such as image/png. Default: what the content or the name shows.'),
      name: someText.max(200).optional().describe('As the agent sees it. Default: the name of the file.'),
    }),
  ]);
}

function changeSchema() {
  return z.strictObject({
    path: z
      .union([someText, z.array(z.union([someText, z.int().nonnegative()])).min(1)])
      .describe(
        'Where: keys with dots between them, or a list of keys. {arguments.id} is replaced by a value of {state, arguments}; - is the end of a list.',
      ),
    value: z.unknown().optional().describe('The new value.'),
    value_from: someText.optional().describe('A JMESPath expression over {state, arguments} with the new value.'),
  });
}

const mockSchema = laterSchema(() =>
  z
    .strictObject({
      when: z
        .union([z.record(z.string(), z.unknown()), someText])
        .optional()
        .describe(
          'The arguments that this answer is for: a subset that must be equal, or a JMESPath expression that must be true.',
        ),
      when_state: someText
        .optional()
        .describe('A JMESPath expression over {state, arguments} that must be true as well.'),
      set: laterSchema(() => z.union([changeSchema(), z.array(changeSchema()).min(1)]))
        .optional()
        .describe('What the call changes in the state, before it is answered: one change or a list of them.'),
      respond: z.unknown().optional().describe('The answer: a text or any JSON value.'),
      respond_from: someText
        .optional()
        .describe('A JMESPath expression over {state, arguments} whose value is the answer.'),
      files: filesSchema,
      error: someText.optional().describe('The answer is a tool error with this message.'),
      delay_ms: z.number().nonnegative().max(600_000).optional().describe('How long the answer takes.'),
      times: z
        .int()
        .positive()
        .optional()
        .describe('How often this answer is used in one trial; then the next one that fits is used.'),
    })
    .meta({ title: 'Mocked answer' }),
);

/** read: a call changes nothing; write: it may. */
export const effectSchema = z.enum(['read', 'write']);

/** An MCP server, whose tools take the place of the entry. */
export const mcpSchema = laterSchema(() =>
  z
    .strictObject({
      command: z
        .union([someText, z.array(z.string()).min(1)])
        .optional()
        .describe(
          `Starts the server, for each trial anew: a command line, or the program and its arguments as a list. \${SALVO_WORKSPACE} and \${SHOP_URL}, of a service, are replaced.`,
        ),
      env: z
        .array(z.string())
        .optional()
        .describe('Environment variables that the program receives in addition to PATH, HOME and the like.'),
      cwd: z
        .string()
        .optional()
        .describe('The working directory of the program, relative to the file that names it. Default: its folder.'),
      url: z
        .string()
        .regex(
          /^(?:https?:\/\/[^\s@/]+|\$\{\w+\})(?:\/[^\s@]*)?$/,
          `this should be a URL without a user name, such as https://example.com/mcp, or begin with the address of a service: \${SHOP_URL}/mcp`,
        )
        .optional()
        .describe(`The address of a server that is running (Streamable HTTP), or of a service: \${SHOP_URL}/mcp.`),
      headers: z
        .record(z.string(), z.string())
        .optional()
        .describe(`Sent with every request to the url. \${NAME} in a value is replaced from the environment.`),
      timeout_seconds: z
        .number()
        .positive()
        .max(3600)
        .optional()
        .describe('For its start, and for each call. Default: 60.'),
    })
    .meta({ title: 'MCP server' }),
);

/** Which recorded answers a tool has. */
const cassetteFieldSchema = laterSchema(() =>
  z.union([
    z.boolean(),
    z.strictObject({
      file: someText.optional().describe('The file, relative to the file that names it. Default: beside the scenario.'),
      key: z.array(someText).min(1).optional().describe('The arguments that identify a call. Default: all of them.'),
    }),
  ]),
);

/** A prompt of a server, which begins the conversation. */
const promptSchema = laterSchema(() =>
  z.strictObject({
    name: someText.describe("The server's name of the prompt."),
    arguments: z.record(z.string(), z.string()).default({}).describe('What the prompt is filled in with.'),
  }),
);

export const FAULT_KINDS = [
  ...(['timeout', 'http_429', 'http_500', 'connection_lost'] as const),
  ...(['truncated', 'wrong_types', 'empty_list', 'stale', 'duplicates', 'slow', 'injection'] as const),
] as const;

/** What goes wrong with some calls of a tool. */
export const faultSchema = () =>
  z
    .strictObject({
      kind: z.enum(FAULT_KINDS).describe('What goes wrong.'),
      rate: shareSchema
        .optional()
        .describe('The chance that a call has this fault: 0.2 or 20%. Default with `calls`: 100%.'),
      calls: z
        .union([z.int().positive(), z.array(z.int().positive()).min(1).max(100)])
        .optional()
        .describe(
          'Only at these calls of the tool in a trial, counted from 1: a number or a list. Default: at any call.',
        ),
      tools: z
        .array(someText)
        .min(1)
        .optional()
        .describe('Only these tools: of an MCP server, or in a file of faults. Default: all.'),
      after: z
        .boolean()
        .optional()
        .describe(
          'For timeout, http_500 and connection_lost. true: the tool does its work, and the answer is lost; false: it is never reached (the default).',
        ),
      message: someText.max(2000).optional().describe('The text of the error, instead of that of an HTTP client.'),
      delay_ms: z
        .int()
        .nonnegative()
        .max(600_000)
        .optional()
        .describe('Of slow: how much later the answer comes. Default: 2000.'),
      respond: z
        .unknown()
        .optional()
        .describe('Of stale: the old answer. Default: what the same call was answered earlier in the trial.'),
      texts: z
        .array(someText)
        .min(1)
        .optional()
        .describe(
          'Of injection: which texts of the pack are used, by id, style or action. Default: all that fit the tools.',
        ),
    })
    .meta({ title: 'Fault' });

/** What a fault is called in reports: a write that happened before its answer was lost is another fault than one that did not. */
export function faultLabel(kind: string, after: boolean | undefined): string {
  return after ? `${kind} after the call` : kind;
}

const faultsSchema = laterSchema(() => z.array(faultSchema()).min(1).max(50));

const namesSchema = laterSchema(() => z.array(someText).min(1));

export const toolSchema = z
  .strictObject({
    name: z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,64}$/, 'a tool name has 1 to 64 letters, digits, _ or -, as providers require')
      .default('')
      .describe('As the model sees it. An MCP server has none: its tools have their own.'),
    description: z.string().default('').describe('As the model sees it.'),
    parameters: z
      .record(z.string(), z.unknown())
      .default({ type: 'object', properties: {} })
      .describe('A JSON Schema of the arguments.'),
    effect: effectSchema.optional().describe('read: a call changes nothing; write: it may change something.'),
    mock_response: z.unknown().optional().describe('The answer to every call: a text or any JSON value.'),
    mock_responses: z
      .array(mockSchema)
      .min(1)
      .optional()
      .describe('Answers, tried in order: the first that fits the arguments and is not used up.'),
    module: someText
      .optional()
      .describe(
        'A file of JavaScript or TypeScript whose function answers the calls, relative to the file that names it.',
      ),
    function: someText
      .optional()
      .describe('The export of `module` that answers the calls. Default: the name of the tool.'),
    mcp: mcpSchema.optional().describe('An MCP server, whose tools the agent gets.'),
    only: namesSchema.optional().describe("Which of the server's tools the agent gets. Default: all."),
    prefix: z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,32}$/, 'a prefix has 1 to 32 letters, digits, _ or -')
      .optional()
      .describe("Put before the names of the server's tools."),
    resources: z
      .boolean()
      .optional()
      .describe("Whether the agent gets two more tools, list_resources and read_resource, for the server's resources."),
    prompt: promptSchema
      .optional()
      .describe("The server's prompt that begins the conversation, instead of `prompt` of the scenario."),
    cassette: cassetteFieldSchema
      .optional()
      .describe('Whether the answers of the module or the server are recorded once, and then come from a file.'),
    faults: faultsSchema
      .optional()
      .describe(
        'What goes wrong with some of its calls, such as [{kind: timeout, rate: 20%}]. A call has at most one fault.',
      ),
    agent: z
      .boolean()
      .optional()
      .describe('The tool is itself an agent: if the real one runs, Salvo does not see which tools it calls.'),
  })
  .meta({ title: 'Tool' });

export type Effect = z.infer<typeof effectSchema>;
export type WrittenFile = z.infer<ReturnType<typeof fileSchema>>;
export type StateChange = z.infer<ReturnType<typeof changeSchema>>;
export type Fault = z.infer<ReturnType<typeof faultSchema>>;
export type Mock = z.infer<typeof mockSchema>;
export type Tool = z.infer<typeof toolSchema>;
export type McpFields = z.infer<typeof mcpSchema>;
