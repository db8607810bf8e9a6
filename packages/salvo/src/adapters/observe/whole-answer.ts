import { isRecord } from '../../text/json/is-record.ts';
import { jsonOrUndefined } from '../../text/json/json-in-text.ts';
import { FormError } from '../../trace/forms/form-error.ts';
import { joinAnthropicEvents } from '../../trace/forms/stream/anthropic-events.ts';
import { joinChatChunks } from '../../trace/forms/stream/chat-chunks.ts';
import { joinResponsesEvents } from '../../trace/forms/stream/responses-events.ts';
import { reportedError, StreamError } from '../../trace/forms/stream/stream-error.ts';
import { streamReply } from '../../trace/forms/stream/stream-reply.ts';
import { readEvents } from '../call/read-events.ts';
import type { ModelApi } from './model-target.ts';

type Events = readonly Record<string, unknown>[];

/**
 * The events of a streamed answer: server-sent events, or the entries of a JSON list, in which Gemini streams without
 * `alt=sse`. What is no JSON object is left out.
 */
export async function streamedEvents(text: string): Promise<Record<string, unknown>[]> {
  const list = /^\s*\[/.test(text) ? jsonOrUndefined(text) : undefined;
  if (Array.isArray(list)) return list.filter(isRecord);
  const events = await Array.fromAsync(readEvents(new Response(text), 'sse'));
  return events.map(({ data }) => data).filter(isRecord);
}

/** A streamed answer, put together as it would be without a stream. */
export interface WholeAnswer {
  /** Null if nothing of it came. */
  answer: unknown;
  /** Why it is not whole: the provider said so within the stream, or the stream ended too early. */
  error: string | null;
}

const JOINERS: Record<ModelApi, typeof joinChatChunks> = {
  chat: joinChatChunks,
  responses: joinResponsesEvents,
  messages: joinAnthropicEvents,
  gemini: streamReply,
};

export function wholeAnswer(api: ModelApi, events: Events): WholeAnswer {
  const own = events.filter(
    (event) => reportedError(event) === undefined && (api !== 'chat' || Array.isArray(event.choices)),
  );
  const reported = events.map(reportedError).find((words) => words !== undefined);
  const error = reported ?? (own.length === 0 ? 'the stream is empty' : null);
  if (error !== null) return { answer: begun(api, own), error };
  try {
    return { answer: JOINERS[api](own, { isPartial: false }), error: null };
  } catch (thrown) {
    return { answer: begun(api, own), error: reasonOf(thrown) };
  }
}

/** What came before the stream ended or failed. */
function begun(api: ModelApi, events: Events): unknown {
  try {
    return events.length === 0 ? null : JOINERS[api](events, { isPartial: true });
  } catch (thrown) {
    reasonOf(thrown);
    return null;
  }
}

function reasonOf(thrown: unknown): string {
  if (thrown instanceof FormError || thrown instanceof StreamError) return thrown.message;
  throw thrown;
}
