import { isRecord } from '../../text/json/is-record.ts';
import { FormError } from '../../trace/forms/form-error.ts';
import { joinAnthropicEvents } from '../../trace/forms/stream/anthropic-events.ts';
import { joinChatChunks } from '../../trace/forms/stream/chat-chunks.ts';
import { joinResponsesEvents } from '../../trace/forms/stream/responses-events.ts';
import { StreamError } from '../../trace/forms/stream/stream-error.ts';
import { streamReply } from '../../trace/forms/stream/stream-reply.ts';
import type { ModelApi } from './model-target.ts';

type Events = readonly Record<string, unknown>[];

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
  const own = events.filter((event) => !isRecord(event.error) && (api !== 'chat' || Array.isArray(event.choices)));
  const reported = events.find((event) => isRecord(event.error))?.error;
  const error = isRecord(reported) ? wordsOf(reported) : own.length === 0 ? 'the stream is empty' : null;
  if (error === null) {
    try {
      return { answer: JOINERS[api](own, { isPartial: false }), error: null };
    } catch (thrown) {
      return { answer: begun(api, own), error: reasonOf(thrown) };
    }
  }
  return { answer: begun(api, own), error };
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

function wordsOf({ message, type }: Record<string, unknown>): string {
  return typeof message === 'string' ? message : typeof type === 'string' ? type : 'the provider reported an error';
}
