import { errorMessage, SalvoError } from '../text/errors/salvo-error.ts';
import { isRecord } from '../text/json/is-record.ts';
import { jsonCopy } from '../text/json/json-copy.ts';
import { isNestedTooDeeply, MAX_NESTING } from '../text/json/nesting.ts';
import { foreignTrace } from './foreign-trace.ts';
import { FormError } from './forms/form-error.ts';
import { type ReadReply, type ReplyObject, readReply } from './forms/read-reply.ts';
import type { StreamInput } from './forms/stream/read-stream.ts';
import type { Trace } from './trace.ts';

interface Exchange {
  task?: string | null | undefined;
  response: string;
}

/** A conversation or the result of an SDK, in any form that an agent may return; or a task with the response to it. */
export type TraceInput = ReplyObject | Exchange;

/**
 * A trace of something that Salvo did not run itself, so that it can be judged. Tool calls, the final response, tokens,
 * cost and time are taken from what is given; the rest is unknown. Throws a `SalvoError` when a message is not valid. A
 * stream, or the result of an SDK that has one, is read to its end, and its trace is promised.
 */
export function traceFrom(input: TraceInput & { [Symbol.asyncIterator]?: never }): Trace;
export function traceFrom(input: StreamInput): Promise<Trace>;
export function traceFrom(input: TraceInput | StreamInput): Trace | Promise<Trace> {
  return isStream(input) ? traceFromStream(input) : wholeTrace(input);
}

async function traceFromStream(stream: StreamInput): Promise<Trace> {
  const { settledReply } = await import('./forms/stream/read-stream.ts');
  const { streamReply } = await import('./forms/stream/stream-reply.ts');
  const reply = await settledReply(stream, { signal: new AbortController().signal, onChunk: () => {} });
  const chunks: unknown = isRecord(reply) ? reply.$stream : undefined;
  const whole = Array.isArray(chunks) ? readOrRefuse(() => streamReply(chunks, { isPartial: false })) : reply;
  return typeof whole === 'string' ? wholeTrace({ response: whole }) : wholeTrace(whole);
}

function isStream(input: TraceInput | StreamInput): input is StreamInput {
  if (typeof input !== 'object' || input === null) return false;
  if ('fullStream' in input || Symbol.asyncIterator in input) return true;
  return 'stream' in input && typeof input.stream === 'object' && Symbol.asyncIterator in input.stream;
}

function wholeTrace(input: unknown): Trace {
  const read = readInput(isExchange(input) ? conversationOf(input) : input);
  const trace = foreignTrace(read.conversation.messages, read);
  return isExchange(input) ? { ...trace, tools_seen: 'unknown' } : trace;
}

function readInput(given: unknown): ReadReply {
  const input = copyOf(given);
  if (isNestedTooDeeply(input)) throw invalid(`messages: nested more than ${MAX_NESTING} levels deep`);
  const read = readOrRefuse(() => readReply(input, 'call'));
  if (typeof input === 'string') throw invalid('expected messages, but got a text: parse the file first (JSON.parse)');
  if (!read) throw invalid('expected a list of messages, an object with "messages", or the result of an SDK');
  return read;
}

function readOrRefuse<Read>(read: () => Read): Read {
  try {
    return read();
  } catch (error) {
    if (error instanceof FormError || (error instanceof Error && error.name === 'StreamError')) {
      throw invalid(error.message);
    }
    throw error;
  }
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

function isExchange(input: unknown): input is Exchange {
  return isRecord(input) && 'response' in input && typeof input.response === 'string';
}

function conversationOf({ task, response }: Exchange): object[] {
  const answer = { role: 'assistant', content: response };
  return task ? [{ role: 'user', content: task }, answer] : [answer];
}
