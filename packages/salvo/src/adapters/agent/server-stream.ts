import { isRecord } from '../../text/json/is-record.ts';
import { isNestedTooDeeply, MAX_NESTING } from '../../text/json/nesting.ts';
import { quoteOutput } from '../../text/output/quote-output.ts';
import { FormError } from '../../trace/forms/form-error.ts';
import { isLangChainMessage } from '../../trace/forms/langchain-message.ts';
import { joinLangChainStream } from '../../trace/forms/stream/langchain-stream.ts';
import { StreamError } from '../../trace/forms/stream/stream-error.ts';
import { joinChunks } from '../../trace/forms/stream/stream-reply.ts';
import { AdapterError } from '../adapter-error.ts';
import type { StreamEvent } from '../call/read-events.ts';
import { unreadable } from './agent-reply.ts';

const LIKE_AN_ANSWER = ['content', 'tool_calls', 'messages', 'role', 'output', 'steps', 'choices'];

/** The answer in the stream of a server. If its events are chunks of no known form, the last one may be the answer. */
export function answerInStream(events: readonly StreamEvent[], callee: string): unknown {
  const last = events.at(-1);
  if (last === undefined) throw new AdapterError('bad_response', `${callee} answered with a stream without events.`);
  const chunks = events.map(({ data }) => data);
  if (isNestedTooDeeply(chunks)) throw unreadable(callee, `it is nested more than ${MAX_NESTING} levels deep`);
  const answer = joined(chunks, events, callee) ?? (isAnswer(last.data) ? last.data : joinLangChainStream(chunks));
  if (answer !== undefined) return answer;
  const advice = '`response` of the adapter in salvo.yaml can say where each event has its text: see docs/adapters.md.';
  const message = `${callee} answered with a stream of an unknown form. Its last event: ${shown(last)}\n${advice}`;
  throw new AdapterError('bad_response', message);
}

function joined(chunks: readonly unknown[], events: readonly StreamEvent[], callee: string): unknown {
  try {
    return joinChunks(chunks, { isPartial: false });
  } catch (error) {
    if (error instanceof FormError) throw unreadable(callee, error.message);
    if (!(error instanceof StreamError)) throw error;
    if (!error.isBrokenOff) {
      throw new AdapterError('bad_response', `${callee} reported an error: ${quoteOutput(error.message)}`);
    }
    const message = `${callee} broke off: its stream of ${events.length} events has no end. The last one: ${shown(events.at(-1))}`;
    throw new AdapterError('connection', message);
  }
}

/** A message of LangChain may be a piece of an answer. */
function isAnswer(data: unknown): boolean {
  return isRecord(data) && LIKE_AN_ANSWER.some((key) => Object.hasOwn(data, key)) && !isLangChainMessage(data);
}

function shown(event: StreamEvent | undefined): string {
  return quoteOutput(event?.text ?? '', { length: 200 });
}
