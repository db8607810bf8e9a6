import { z } from 'zod';
import { fileContent, foreignName, laterSchema, textFree } from '../secrets/text-marks.ts';

const foreignText = foreignName(z.string());
const optionalText = z.string().optional();

/** One call of a tool, as the model asked for it. */
export const toolCallSchema = z.object({
  id: foreignText,
  name: foreignText,
  arguments: z.record(z.string(), z.unknown()),
  /** Set when the model's arguments were not a JSON object: the text it sent. `arguments` is then empty. */
  raw_arguments: z.string().optional(),
});

const amount = z.number().nonnegative().optional();

/** What one step of a model took: one request and its answer. A figure that nobody told is missing, and never 0. */
export const stepSchema = z.object({
  model: foreignText.optional(),
  /** From the request to the answer, without tools. */
  latency_seconds: z.number().nonnegative().optional(),
  /** With those that were read from or written to the provider's cache. */
  input_tokens: amount,
  output_tokens: amount,
  cache_read_tokens: amount,
  cache_write_tokens: amount,
  cost_usd: z.number().nonnegative().optional(),
});

/** A file that belongs to a message, with its content or the address where it is. Salvo never fetches the address. */
export const messageFilesSchema = laterSchema(() =>
  z.array(
    z.object({
      media_type: foreignText,
      name: optionalText,
      /** Missing for an address. */
      bytes: amount,
      sha256: textFree(z.string()).optional(),
      /** The content in base64. The store keeps it once, however many traces have it; `metadata_only` does not keep it. */
      data: fileContent(z.string()).optional(),
      url: optionalText,
    }),
  ),
);

/** The text of a message stays in `content`, so that whatever reads only texts needs to know nothing of files. */
const files = messageFilesSchema.optional();

const systemMessageSchema = z.object({ role: z.literal('system'), content: z.string() });
const userMessageSchema = z.object({
  role: z.literal('user'),
  content: z.string(),
  files,
  /** A simulated user wrote it. */
  simulated: z.boolean().optional(),
});
const assistantMessageSchema = z.object({
  role: z.literal('assistant'),
  content: z.string().nullable(),
  files,
  tool_calls: z.array(toolCallSchema).default([]),
  /** What the model thought before it answered, where the agent reports it. */
  reasoning: z.string().optional(),
  /** What the provider wants back unchanged on the next turn, such as signed thinking blocks. */
  provider_state: z.unknown().optional(),
  /** Which agent wrote it, where an SDK names it: another one after a handoff, or a sub-agent. */
  agent: foreignText.optional(),
  /** The figures of this answer alone, where the SDK or a recorded trace tells them. */
  step: stepSchema.optional(),
});
const toolResultMessageSchema = z.object({
  role: z.literal('tool_result'),
  tool_call_id: foreignText,
  name: foreignText,
  content: z.string(),
  files,
  is_error: z.boolean().default(false),
  /** The call was refused before it was executed, as by a person who was asked to approve it. */
  refused: z.boolean().optional(),
});

export const messageSchema = z.discriminatedUnion('role', [
  systemMessageSchema,
  userMessageSchema,
  assistantMessageSchema,
  toolResultMessageSchema,
]);

export type Step = z.infer<typeof stepSchema>;
export type MessageFile = z.infer<typeof messageFilesSchema>[number];
export type ToolCall = z.infer<typeof toolCallSchema>;
export type Message = z.infer<typeof messageSchema>;
export type AssistantMessage = z.infer<typeof assistantMessageSchema>;
export type ToolResultMessage = z.infer<typeof toolResultMessageSchema>;

/**
 * The final answer of a conversation: what the agent's last message says, also if the user or a tool has the last word.
 * Null if that message only calls tools: an older text would be the answer to another question.
 */
export function finalContent(messages: readonly Message[]): string | null {
  const last = messages.findLast(({ role }) => role === 'assistant');
  return last?.content ?? null;
}

/** The positions of the messages that the agent must answer: another message of the user follows, or nothing. */
export function askedMessages(given: readonly { role?: unknown }[]): number[] {
  const isOpen = (index: number) =>
    given[index]?.role === 'user' && (given[index + 1] ?? given[index])?.role === 'user';
  return [...given.keys()].filter(isOpen);
}

/** The last message if it is the agent's; null if the conversation ended with a tool result or a user message. */
export function lastAnswer(messages: readonly Message[]): string | null {
  const last = messages.at(-1);
  return last?.role === 'assistant' ? last.content : null;
}

/** The id of the call that a recorded message makes or answers. */
export function callIdOf(message: Message): string | undefined {
  if (message.role === 'tool_result') return message.tool_call_id;
  return message.role === 'assistant' ? message.tool_calls[0]?.id : undefined;
}

/** The message of an answer, without the fields that the answer does not have. */
export function assistantMessage(answer: Omit<AssistantMessage, 'role'>): AssistantMessage {
  const { content, files, tool_calls, reasoning, provider_state, agent, step } = answer;
  return {
    ...{ role: 'assistant', content, tool_calls },
    ...(files === undefined ? {} : { files }),
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(provider_state === undefined ? {} : { provider_state }),
    ...(agent === undefined ? {} : { agent }),
    ...(step === undefined ? {} : { step }),
  };
}

/** What went wrong with a call on purpose. */
export function faultRecordSchema() {
  return z.object({
    /** A kind of `faults`, such as timeout. */
    kind: textFree(z.string()),
    /** Which call of the tool in this trial, from 1. */
    call: z.int().positive(),
    /** What the tool itself did. not_called: the call never reached it. */
    tool: z.enum(['not_called', 'succeeded', 'failed']),
    /** Of an injection: the instruction that was hidden in the result. */
    injection: z
      .object({
        id: textFree(z.string()),
        style: textFree(z.string()),
        /** answer: to write `canary` in the answer; call: to call `tool` with `canary` as `parameter`. */
        action: z.enum(['answer', 'call']),
        canary: textFree(z.string()),
        tool: foreignName(z.string()).optional(),
        parameter: foreignName(z.string()).optional(),
      })
      .optional(),
  });
}

/** Why a tool call was answered with an error: `tool_failed` is the error of a function or a server. */
export const toolErrorSchema = laterSchema(() =>
  z.object({
    turn: z.int().positive(),
    tool_call_id: foreignName(z.string()),
    name: foreignName(z.string()),
    kind: z.enum([
      ...[
        'unknown_tool',
        'malformed_arguments',
        'invalid_arguments',
        'no_matching_mock',
        'mocked_error',
        'tool_failed',
      ],
    ] as const),
    message: z.string(),
  }),
);
