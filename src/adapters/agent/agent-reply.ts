import { z } from 'zod';
import { isRecord } from '../../text/is-record.ts';
import { quoteOutput } from '../../text/quote-output.ts';
import type { AdapterTurnResult, AgentTrace, Usage } from '../adapter.ts';
import { AdapterError } from '../adapter-error.ts';
import { agentContentSchema, contentText } from './agent-content.ts';
import { agentMessagesSchema, agentToolCallSchema, toolCallsOf } from './agent-message.ts';

export interface AgentReplySource {
  /** The agent, as the start of a sentence: "The command agent.py". */
  callee: string;
  /** Ordinal of the request, used in the ids of tool calls that have none. */
  request: number;
}

const maybeTokens = z.number().nonnegative().nullish();

/** Tokens in our names, OpenAI's (`prompt_tokens`) or Anthropic's, whose input does not include cached tokens. */
const agentUsageSchema = z
  .object({
    input_tokens: maybeTokens,
    output_tokens: maybeTokens,
    prompt_tokens: maybeTokens,
    completion_tokens: maybeTokens,
    cache_read_tokens: maybeTokens,
    cache_write_tokens: maybeTokens,
    cache_read_input_tokens: maybeTokens,
    cache_creation_input_tokens: maybeTokens,
    prompt_tokens_details: z.object({ cached_tokens: maybeTokens }).nullish(),
  })
  .nullish()
  .transform((usage): Usage | null => {
    const input = usage?.input_tokens ?? usage?.prompt_tokens;
    const output = usage?.output_tokens ?? usage?.completion_tokens;
    if (input == null || output == null) return null;
    const cacheRead =
      usage?.cache_read_tokens ?? usage?.cache_read_input_tokens ?? usage?.prompt_tokens_details?.cached_tokens;
    const cacheWrite = usage?.cache_write_tokens ?? usage?.cache_creation_input_tokens;
    return {
      input_tokens: input + (usage?.cache_read_input_tokens ?? 0) + (usage?.cache_creation_input_tokens ?? 0),
      output_tokens: output,
      ...(cacheRead == null ? {} : { cache_read_tokens: cacheRead }),
      ...(cacheWrite == null ? {} : { cache_write_tokens: cacheWrite }),
    };
  });

const metrics = {
  finish_reason: z.string().nullish(),
  /** Anthropic's name for it. */
  stop_reason: z.string().nullish(),
  usage: agentUsageSchema,
  cost_usd: z.number().nonnegative().nullish(),
};

const turnSchema = z.object({
  content: agentContentSchema,
  tool_calls: z.array(agentToolCallSchema).nullish(),
  provider_state: z.unknown().optional(),
  ...metrics,
});

const traceSchema = z.object({
  messages: agentMessagesSchema,
  final_content: z.string().nullish(),
  model: z.string().nullish(),
  input_tokens: maybeTokens,
  output_tokens: maybeTokens,
  ...metrics,
});

/**
 * Reads the answer of a whole agent: a text, one turn `{content, tool_calls?, usage?, finish_reason?, cost_usd?}`, or
 * the trace of all it did `{messages, ...}`. Messages and tool calls may be in OpenAI's or Anthropic's format, too.
 */
export function parseAgentReply(reply: unknown, source: AgentReplySource): AdapterTurnResult {
  if (typeof reply === 'string') return parseAgentReply({ content: reply }, source);
  if (!isRecord(reply)) {
    throw unreadable(
      source,
      `expected an object with "content", "tool_calls" or "messages", but got ${typeName(reply)}`,
    );
  }
  if ('messages' in reply) return traceResult(parse(traceSchema, reply, source), reply);
  if (isRecord(reply.trace)) return traceResult(parse(traceSchema, reply.trace, source), reply);
  if ('content' in reply || 'tool_calls' in reply) return turnResult(parse(turnSchema, reply, source), reply, source);
  throw unreadable(source, missingFields(reply));
}

function turnResult(
  turn: z.infer<typeof turnSchema>,
  reply: unknown,
  { request }: AgentReplySource,
): AdapterTurnResult {
  const tool_calls = toolCallsOf(turn.content, turn.tool_calls, `call_${request}`);
  return {
    content: contentText(turn.content),
    tool_calls,
    usage: turn.usage,
    finish_reason: finishReason(turn) ?? (tool_calls.length > 0 ? 'tool_calls' : 'stop'),
    raw_response: reply,
    ...(turn.provider_state === undefined ? {} : { provider_state: turn.provider_state }),
    ...(turn.cost_usd == null ? {} : { cost_usd: turn.cost_usd }),
  };
}

function traceResult(parsed: z.infer<typeof traceSchema>, reply: unknown): AdapterTurnResult {
  const last = parsed.messages.at(-1);
  const input_tokens = parsed.input_tokens ?? parsed.usage?.input_tokens ?? null;
  const output_tokens = parsed.output_tokens ?? parsed.usage?.output_tokens ?? null;
  const trace: AgentTrace = {
    messages: parsed.messages,
    final_content: parsed.final_content ?? (last?.role === 'assistant' ? last.content : null),
    finish_reason: finishReason(parsed) ?? 'stop',
    model: parsed.model ?? undefined,
    input_tokens,
    output_tokens,
    cost_usd: parsed.cost_usd ?? null,
  };
  return {
    content: trace.final_content ?? null,
    tool_calls: [],
    usage: parsed.usage ?? (input_tokens === null || output_tokens === null ? null : { input_tokens, output_tokens }),
    finish_reason: trace.finish_reason ?? 'stop',
    raw_response: reply,
    ...(parsed.cost_usd == null ? {} : { cost_usd: parsed.cost_usd }),
    trace,
  };
}

const FINISH_REASONS = new Map([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['tool_use', 'tool_calls'],
  ['tool-calls', 'tool_calls'],
  ['function_call', 'tool_calls'],
  ['max_tokens', 'length'],
  ['content-filter', 'content_filter'],
]);

function finishReason(reply: { finish_reason?: string | null | undefined; stop_reason?: string | null | undefined }) {
  const given = reply.finish_reason || reply.stop_reason || undefined;
  return given === undefined ? undefined : (FINISH_REASONS.get(given) ?? given);
}

function parse<T>(schema: z.ZodType<T>, reply: unknown, source: AgentReplySource): T {
  const result = schema.safeParse(reply);
  if (result.success) return result.data;
  const [first, ...others] = result.error.issues;
  const where = z.core.toDotPath(first?.path ?? []) || 'the reply';
  const more = others.length > 0 ? ` (and ${others.length} more)` : '';
  throw unreadable(source, `${quoteOutput(where)}: ${quoteOutput(first?.message ?? 'invalid')}${more}`);
}

function missingFields(reply: Record<string, unknown>): string {
  const message = isRecord(reply.error) ? reply.error.message : reply.error;
  if (typeof message === 'string') return `it reported an error: ${quoteOutput(message)}`;
  const keys = Object.keys(reply);
  const found = keys.length === 0 ? 'an empty object' : `only ${quoteOutput(keys.join(', '))}`;
  return `expected "content", "tool_calls" or "messages", but found ${found}`;
}

function unreadable({ callee }: AgentReplySource, problem: string): AdapterError {
  return new AdapterError('bad_response', `${callee} gave an answer that cannot be used: ${problem}.`);
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}
