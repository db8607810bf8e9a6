import type { Conversation } from '../trace/forms/conversation.ts';
import type { Usage } from '../trace/forms/usage.ts';
import { finalContent } from '../trace/message.ts';
import { toolCallsOf } from '../trace/tool-calls-of.ts';
import type { Trace } from '../trace/trace.ts';
import type { ImportedConversation } from './import-format.ts';

/** What a file says about a conversation beside its messages. What is missing is unknown. */
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

/** The trace of a conversation that a reader has written down. */
export function importedTrace(conversation: Conversation, facts: ConversationFacts = {}): Trace {
  const { messages } = conversation;
  const usage = facts.usage ?? conversation.usageAfter(0);
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
    finish_reason: facts.finish_reason ?? conversation.finishReason ?? 'stop',
    model: facts.model ?? conversation.model ?? 'unknown',
    provider: facts.provider ?? 'unknown',
    timestamp: facts.timestamp ?? '1970-01-01T00:00:00.000Z',
    scenario_hash: '',
    cost_usd: facts.cost_usd ?? null,
    max_turns_hit: false,
    tool_errors: [],
    retries: [],
    error: facts.error ?? null,
  };
}

/** A conversation of which only the trace is known. */
export function importedConversation(
  known: Pick<ImportedConversation, 'line' | 'trace'> & Partial<ImportedConversation>,
): ImportedConversation {
  return { id: null, suite: null, case: null, trial: null, given: null, fields: {}, aside: {}, losses: [], ...known };
}
