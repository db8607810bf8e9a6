import { z } from 'zod';
import { SalvoError } from '../text/salvo-error.ts';
import { type Message, messageSchema } from './message.ts';
import { toolCallsOf } from './tool-calls-of.ts';
import type { Trace } from './trace.ts';

type MessageInput = z.input<typeof messageSchema>;

/** A conversation, or a task with the response to it. */
export type TraceInput = readonly MessageInput[] | { task?: string | null | undefined; response: string };

const messagesSchema = z.array(messageSchema);

/**
 * A trace of something that Salvo did not run itself, so that it can be judged. Tool calls and the final response are
 * taken from the messages; tokens and cost are unknown. Throws a `SalvoError` when a message is not valid.
 */
export function traceFrom(input: TraceInput): Trace {
  const messages = readMessages('response' in input ? conversationOf(input) : input);
  const answers = messages.filter((message) => message.role === 'assistant');
  return {
    messages,
    tool_calls_made: toolCallsOf(messages),
    turn_count: answers.length,
    input_tokens: null,
    output_tokens: null,
    total_tokens: null,
    latency_seconds: 0,
    final_content: answers.at(-1)?.content ?? null,
    finish_reason: 'stop',
    model: 'unknown',
    provider: 'unknown',
    timestamp: '1970-01-01T00:00:00.000Z',
    scenario_hash: '',
    cost_usd: null,
    max_turns_hit: false,
    tool_errors: [],
    retries: [],
    error: null,
  };
}

function readMessages(input: readonly MessageInput[]): Message[] {
  const { data, error } = messagesSchema.safeParse(input);
  if (data) return data;
  const problems = error.issues.map(({ path, message }) => `\n  messages${z.core.toDotPath(path)}: ${message}`);
  throw new SalvoError('INVALID_TRACE', `The messages are not valid:${problems.join('')}`);
}

function conversationOf({ task, response }: { task?: string | null | undefined; response: string }): MessageInput[] {
  const answer: MessageInput = { role: 'assistant', content: response };
  return task ? [{ role: 'user', content: task }, answer] : [answer];
}
