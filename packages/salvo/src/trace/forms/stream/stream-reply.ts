import { isRecord } from '../../../text/json/is-record.ts';
import { FormError } from '../form-error.ts';
import { joinAgentsEvents } from './agents-events.ts';
import { isAiSdkPart, joinAiSdkStream } from './ai-sdk-stream.ts';
import { isAnthropicEvent, joinAnthropicEvents } from './anthropic-events.ts';
import { isBedrockEvent, joinBedrockEvents } from './bedrock-events.ts';
import { isChatChunk, joinChatChunks } from './chat-chunks.ts';
import { joinLangChainStream } from './langchain-stream.ts';
import { isResponsesEvent, joinResponsesEvents } from './responses-events.ts';
import { brokeOff, reportedError, StreamError } from './stream-error.ts';

type Chunk = Record<string, unknown>;
interface JoinOptions {
  /** The stream was stopped, so that its end may be missing. */
  isPartial: boolean;
}

/** The forms whose chunks are no messages: how a chunk is recognised, and what all of them are together. */
const FORMS: { is: (chunk: Chunk) => boolean; join: (chunks: readonly unknown[], options: JoinOptions) => unknown }[] =
  [
    { is: isChatChunk, join: joinChatChunks },
    { is: isResponsesEvent, join: joinResponsesEvents },
    { is: isAnthropicEvent, join: joinAnthropicEvents },
    { is: isBedrockEvent, join: joinBedrockEvents },
    { is: ({ candidates }) => Array.isArray(candidates), join: joinGeminiResponses },
    { is: ({ type }) => type === 'run_item_stream_event', join: joinAgentsEvents },
    { is: ({ type }) => type === 'messageAddedEvent', join: joinStrandsEvents },
    { is: isAiSdkPart, join: joinAiSdkStream },
  ];

/**
 * What a stream gave, as a reply that can be read like any other: the answer that its chunks are pieces of, or the
 * messages that it is a stream of. Throws a `StreamError` if it says that it failed, or ends before its end.
 */
export function streamReply(chunks: readonly unknown[], options: JoinOptions): unknown {
  if (chunks.length === 0) throw new FormError('the stream', 'is empty');
  if (chunks.every((chunk) => typeof chunk === 'string')) return chunks.join('');
  return joinChunks(chunks, options) ?? joinLangChainStream(chunks) ?? chunks;
}

/** The answer that the chunks of a provider or an SDK are pieces of; undefined if they are in none of its forms. */
export function joinChunks(given: readonly unknown[], options: JoinOptions): unknown {
  const error = options.isPartial ? undefined : given.map(reportedError).find((words) => words !== undefined);
  if (error !== undefined) throw new StreamError(error);
  const chunks = given.filter((chunk) => reportedError(chunk) === undefined);
  const records = chunks.filter(isRecord);
  // Events of a session may hold pieces of its messages, which follow as a whole.
  return FORMS.find(({ is }) => records.some(is))?.join(chunks, options);
}

/** Each response has some parts of the answer. The last one has the tokens. */
function joinGeminiResponses(chunks: readonly unknown[], { isPartial }: JoinOptions): unknown {
  const responses = chunks.filter(isRecord);
  const candidates = responses.flatMap(({ candidates: [first] = [] }: { candidates?: unknown[] }) => {
    return isRecord(first) ? [first] : [];
  });
  const contents = candidates.map(({ content }) => content).filter(isRecord);
  const parts = contents.flatMap((content) => (Array.isArray(content.parts) ? content.parts : []));
  const { finishReason } = candidates.findLast((candidate) => candidate.finishReason != null) ?? {};
  if (!isPartial && finishReason === undefined) throw brokeOff('a finishReason');
  const candidate = { content: { role: 'model', parts }, finishReason };
  return { ...Object.assign({}, ...responses), candidates: [candidate] };
}

/** Of the events of a Strands agent, those that add a message. */
function joinStrandsEvents(chunks: readonly unknown[]): unknown {
  return chunks.filter(isRecord).flatMap(({ type, message }) => (type === 'messageAddedEvent' ? [message] : []));
}
