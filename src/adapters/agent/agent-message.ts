import { z } from 'zod';
import { isRecord } from '../../text/is-record.ts';
import type { Message, ToolCall } from '../../trace/message.ts';
import { parseToolArguments } from '../call/tool-arguments.ts';
import { agentContentSchema, agentToolContentSchema, type ContentBlock, contentText } from './agent-content.ts';

const ROLE_ALIASES = new Map<unknown, string>([
  ['developer', 'system'],
  ['tool', 'tool_result'],
]);

/** A tool call as agents write it: ours, or OpenAI's with `function` and its arguments as JSON text. */
export const agentToolCallSchema = z.preprocess(
  (value) =>
    isRecord(value) && isRecord(value.function)
      ? { id: value.id, name: value.function.name, arguments: value.function.arguments }
      : value,
  z.object({
    id: z.string().nullish(),
    name: z.string().min(1),
    arguments: z.unknown().optional(),
    raw_arguments: z.string().optional(),
  }),
);

type AgentToolCall = z.infer<typeof agentToolCallSchema>;

const agentMessageSchema = z.preprocess(
  (value) => (isRecord(value) ? { ...value, role: ROLE_ALIASES.get(value.role) ?? value.role } : value),
  z.discriminatedUnion(
    'role',
    [
      z.object({ role: z.literal('system'), content: agentContentSchema }),
      z.object({ role: z.literal('user'), content: agentContentSchema }),
      z.object({
        role: z.literal('assistant'),
        content: agentContentSchema,
        tool_calls: z.array(agentToolCallSchema).nullish(),
        provider_state: z.unknown().optional(),
      }),
      z.object({
        role: z.literal('tool_result'),
        tool_call_id: z.string().nullish(),
        name: z.string().nullish(),
        content: agentToolContentSchema,
        is_error: z.boolean().nullish(),
      }),
    ],
    { error: 'expected a message whose role is system, user, assistant or tool_result (or tool)' },
  ),
);

type AgentMessage = z.infer<typeof agentMessageSchema>;
type AgentToolResult = Pick<Extract<AgentMessage, { role: 'tool_result' }>, 'tool_call_id' | 'name' | 'is_error'> & {
  content: string;
};

/** The conversation that an agent reports, as our messages: every tool call gets an id, every result its call. */
export const agentMessagesSchema = z.array(agentMessageSchema).transform((messages): Message[] => {
  const open: ToolCall[] = [];
  return messages.flatMap((message, index): Message[] => {
    if (message.role === 'system') return [{ role: 'system', content: contentText(message.content) ?? '' }];
    if (message.role === 'user') return userMessages(message.content, open);
    if (message.role === 'tool_result') return [toolResult(message, open)];
    const tool_calls = toolCallsOf(message.content, message.tool_calls, `call_${index}`);
    open.push(...tool_calls);
    const state = message.provider_state === undefined ? {} : { provider_state: message.provider_state };
    return [{ role: 'assistant', content: contentText(message.content), tool_calls, ...state }];
  });
});

/** The calls of one message: Anthropic has them among its content blocks, others beside the content. */
export function toolCallsOf(
  content: ContentBlock[],
  calls: AgentToolCall[] | null | undefined,
  idPrefix: string,
): ToolCall[] {
  const used = content.flatMap((block) =>
    block.type === 'tool_use' ? [{ id: block.id, name: block.name, arguments: block.input }] : [],
  );
  return [...used, ...(calls ?? [])].map((call, index) => toToolCall(call, `${idPrefix}_${index}`));
}

/** Arguments that are not a JSON object are kept as text: the model's mistake does not make the answer unreadable. */
function toToolCall({ id, name, ...call }: AgentToolCall, fallbackId: string): ToolCall {
  const given =
    call.raw_arguments === undefined
      ? parseToolArguments(call.arguments)
      : { arguments: {}, raw_arguments: call.raw_arguments };
  return { id: id || fallbackId, name, ...given };
}

/** Anthropic sends the results of tools as blocks of a user message. */
function userMessages(content: ContentBlock[], open: ToolCall[]): Message[] {
  const results = content.flatMap((block) =>
    block.type === 'tool_result'
      ? [
          toolResult(
            {
              tool_call_id: block.tool_use_id,
              name: undefined,
              content: agentToolContentSchema.parse(block.content),
              is_error: block.is_error,
            },
            open,
          ),
        ]
      : [],
  );
  const text = contentText(content);
  return text === null && results.length > 0 ? results : [...results, { role: 'user', content: text ?? '' }];
}

/** A result without an id answers the oldest open call, of its name if it has one. */
function toolResult({ tool_call_id, name, content, is_error }: AgentToolResult, open: ToolCall[]): Message {
  const position = open.findIndex((call) => (tool_call_id ? call.id === tool_call_id : !name || call.name === name));
  const [call] = position < 0 ? [] : open.splice(position, 1);
  return {
    role: 'tool_result',
    tool_call_id: tool_call_id || call?.id || 'unknown',
    name: name || call?.name || 'unknown',
    content,
    is_error: is_error ?? false,
  };
}
