import { z } from 'zod';
import { isRecord } from '../../text/json/is-record.ts';
import { readAssistantMessage, readChatMessage } from './chat-message.ts';
import type { Conversation } from './conversation.ts';
import { FormError, readAs } from './form-error.ts';
import { type Usage, usageSchema } from './usage.ts';

/** What the result message of a conversation says about all of it. */
export interface ClaudeResult {
  final_content: string | null;
  finish_reason: string;
  usage: Usage | null;
  cost_usd: number | null;
  latency_seconds: number | null;
}

const resultSchema = z.object({
  subtype: z.string(),
  is_error: z.boolean().nullish(),
  result: z.string().nullish(),
  errors: z.array(z.string()).nullish(),
  total_cost_usd: z.number().nonnegative().nullish(),
  usage: usageSchema,
  stop_reason: z.string().nullish(),
  duration_ms: z.number().nonnegative().nullish(),
});

/**
 * Events beside the conversation. A `stream_event` is a piece of an assistant message that follows as a whole; the others
 * tell about the session, not what was said.
 */
const EVENTS: ReadonlySet<unknown> = new Set([
  'stream_event',
  'tool_progress',
  'tool_use_summary',
  'auth_status',
  'rate_limit_event',
  'prompt_suggestion',
  'conversation_reset',
]);

export const CLAUDE_MESSAGE_TYPES = ['assistant', 'user', 'system', 'result', ...EVENTS].map(String);

/** Whether it is a message of the Claude Agent SDK: an event with a message of Anthropic's in it. */
export function isClaudeMessage({ type, message, subtype }: Record<string, unknown>): boolean {
  if (type === 'assistant' || type === 'user') return isRecord(message);
  // What has a subtype was written by the program, also if it has a content, as notices have.
  return type === 'system' || type === 'result' ? typeof subtype === 'string' : EVENTS.has(type);
}

/** Returns what the last message, of the type result, says about the whole conversation. */
export function readClaudeMessage(
  event: Record<string, unknown>,
  into: Conversation,
  place: string,
): ClaudeResult | undefined {
  if (event.type === 'result') return readResult(event, place);
  if (event.type !== 'assistant' && event.type !== 'user') return undefined;
  const message = readAs(z.looseObject({ role: z.literal(event.type) }), event.message, `${place}.message`);
  // The result message has the tokens of all of them, each once.
  const given = { ...message, usage: undefined };
  // Each part of a message of the model is an event of its own, and all of them have the id of the message.
  if (event.type === 'assistant' && typeof message.id === 'string' && message.id !== '') {
    into.part(message.id, () => readAssistantMessage(given, into, `${place}.message`));
  } else readChatMessage(given, into, `${place}.message`);
  if (event.type === 'assistant') {
    into.by(message.model);
    into.spokenBy(event.subagent_type ?? calledAgent(event.parent_tool_use_id, into));
  }
  return undefined;
}

/** The sub-agent that a call started: its messages name the call. */
function calledAgent(callId: unknown, into: Conversation): unknown {
  if (typeof callId !== 'string') return undefined;
  return into.argumentsOf(callId)?.subagent_type ?? 'sub-agent';
}

function readResult(event: Record<string, unknown>, place: string): ClaudeResult {
  const given = readAs(resultSchema, event, place);
  const { subtype, is_error, result, errors, total_cost_usd, usage, stop_reason, duration_ms } = given;
  // Limits that the user set are an end like any other. Anything else means that the agent could not work.
  const isLimit = subtype.startsWith('error_max_');
  if (is_error && !isLimit) {
    throw new FormError(place, `reports an error (${subtype}): ${errors?.join('; ') || result || 'without a message'}`);
  }
  return {
    final_content: result ?? null,
    finish_reason: subtype === 'success' ? (stop_reason ?? 'stop') : subtype,
    usage,
    cost_usd: total_cost_usd ?? null,
    latency_seconds: duration_ms == null ? null : duration_ms / 1000,
  };
}
