import { errorMessage, SalvoError } from '../text/errors/salvo-error.ts';
import { isRecord } from '../text/json/is-record.ts';
import { jsonCopy } from '../text/json/json-copy.ts';
import { isNestedTooDeeply, MAX_NESTING } from '../text/json/nesting.ts';
import { FormError } from './forms/form-error.ts';
import { type ReadReply, type ReplyObject, readReply } from './forms/read-reply.ts';
import { finalContent } from './message.ts';
import { toolCallsOf } from './tool-calls-of.ts';
import type { Trace } from './trace.ts';

interface Exchange {
  task?: string | null | undefined;
  response: string;
}

/** A conversation or the result of an SDK, in any form that an agent may return; or a task with the response to it. */
export type TraceInput = ReplyObject | Exchange;

/**
 * A trace of something that Salvo did not run itself, so that it can be judged. Tool calls, the final response, tokens,
 * cost and time are taken from what is given; the rest is unknown. Throws a `SalvoError` when a message is not valid.
 */
export function traceFrom(input: TraceInput): Trace {
  const read = readInput(isExchange(input) ? conversationOf(input) : input);
  const { messages } = read.conversation;
  const { usage } = read;
  return {
    messages,
    tool_calls_made: toolCallsOf(messages),
    tools_seen: isExchange(input) ? 'unknown' : 'reported',
    turn_count: messages.filter(({ role }) => role === 'assistant').length,
    input_tokens: usage?.input_tokens ?? null,
    output_tokens: usage?.output_tokens ?? null,
    total_tokens: usage ? usage.input_tokens + usage.output_tokens : null,
    latency_seconds: read.latency_seconds,
    final_content: read.final_content ?? finalContent(messages),
    finish_reason: read.finish_reason ?? 'stop',
    model: read.model ?? 'unknown',
    provider: 'unknown',
    timestamp: read.timestamp ?? '1970-01-01T00:00:00.000Z',
    scenario_hash: '',
    cost_usd: read.cost_usd,
    max_turns_hit: false,
    tool_errors: [],
    retries: [],
    error: null,
  };
}

function readInput(given: unknown): ReadReply {
  const input = copyOf(given);
  if (isNestedTooDeeply(input)) throw invalid(`messages: nested more than ${MAX_NESTING} levels deep`);
  let read: ReadReply | undefined;
  try {
    read = readReply(input, 'call');
  } catch (error) {
    if (error instanceof FormError) throw invalid(error.message);
    throw error;
  }
  if (typeof input === 'string') throw invalid('expected messages, but got a text: parse the file first (JSON.parse)');
  if (!read) throw invalid('expected a list of messages, an object with "messages", or the result of an SDK');
  return read;
}

/** Classes of SDKs, such as LangChain's messages, are read in the form in which they are written. */
function copyOf(given: unknown): unknown {
  try {
    return jsonCopy(given);
  } catch (error) {
    throw invalid(`they cannot be written as JSON: ${errorMessage(error)}`);
  }
}

function invalid(problem: string): SalvoError {
  return new SalvoError('TRACE_INVALID', `The messages are not valid:\n  ${problem}`);
}

function isExchange(input: TraceInput): input is Exchange {
  return isRecord(input) && 'response' in input && typeof input.response === 'string';
}

function conversationOf({ task, response }: Exchange): object[] {
  const answer = { role: 'assistant', content: response };
  return task ? [{ role: 'user', content: task }, answer] : [answer];
}
