import type { Usage } from './forms/usage.ts';
import { finalContent, type Message } from './message.ts';
import { toolCallsOf } from './tool-calls-of.ts';
import type { Trace } from './trace.ts';

/** The time of a trace that does not say when it was recorded. */
export const UNKNOWN_TIME = '1970-01-01T00:00:00.000Z';

/** What is known of a conversation beside its messages. What is missing is unknown. */
export interface ConversationFacts {
  model?: string | null | undefined;
  provider?: string | null | undefined;
  usage?: Usage | null | undefined;
  cost_usd?: number | null | undefined;
  latency_seconds?: number | null | undefined;
  /** ISO 8601. */
  timestamp?: string | null | undefined;
  final_content?: string | null | undefined;
  finish_reason?: string | null | undefined;
  /** Why it ended before the agent was done. */
  error?: string | null | undefined;
}

/** The trace of a conversation that Salvo did not conduct. */
export function foreignTrace(messages: Message[], facts: ConversationFacts): Trace {
  const { usage } = facts;
  return {
    messages,
    tool_calls_made: toolCallsOf(messages),
    tools_seen: 'reported',
    turn_count: messages.filter(({ role }) => role === 'assistant').length,
    input_tokens: usage?.input_tokens ?? null,
    output_tokens: usage?.output_tokens ?? null,
    total_tokens: usage ? usage.input_tokens + usage.output_tokens : null,
    latency_seconds: facts.latency_seconds ?? null,
    final_content: facts.final_content ?? finalContent(messages),
    finish_reason: facts.finish_reason ?? 'stop',
    model: facts.model ?? 'unknown',
    provider: facts.provider ?? 'unknown',
    timestamp: facts.timestamp ?? UNKNOWN_TIME,
    scenario_hash: '',
    cost_usd: facts.cost_usd ?? null,
    max_turns_hit: false,
    tool_errors: [],
    retries: [],
    error: facts.error ?? null,
  };
}
