import { isRecord } from '../../../text/json/is-record.ts';
import { FormError } from '../form-error.ts';
import { joinAgentsEvents } from './agents-events.ts';
import { isAiSdkPart, joinAiSdkStream } from './ai-sdk-stream.ts';
import { isAnthropicEvent, joinAnthropicEvents } from './anthropic-events.ts';
import { isBedrockEvent, joinBedrockEvents } from './bedrock-events.ts';
import { isChatChunk, joinChatChunks } from './chat-chunks.ts';
import { joinLangChainStream } from './langchain-stream.ts';
import { openAnswer } from './open-answer.ts';
import { isResponsesEvent, joinResponsesEvents } from './responses-events.ts';
import { brokeOff, reportedError, StreamError } from './stream-error.ts';

type Chunk = Record<string, unknown>;
interface JoinOptions {
  /** The stream was stopped, so that its end may be missing. */
  isPartial: boolean;
}

/** A form whose chunks are no messages. */
interface StreamForm {
  is(chunk: Chunk): boolean;
  /** What all chunks are together. */
  join(chunks: readonly unknown[], options: JoinOptions): unknown;
  /** Of a provider: whether a chunk is the first of another answer than the chunk before it. */
  isNext?(chunk: Chunk, before: Chunk): boolean;
}

const FORMS: StreamForm[] = [
  { is: isChatChunk, join: joinChatChunks, isNext: ({ id }, before) => id !== before.id },
  { is: isResponsesEvent, join: joinResponsesEvents, isNext: ({ type }) => type === 'response.created' },
  { is: isAnthropicEvent, join: joinAnthropicEvents, isNext: ({ type }) => type === 'message_start' },
  { is: isBedrockEvent, join: joinBedrockEvents, isNext: ({ messageStart }) => isRecord(messageStart) },
  {
    is: ({ candidates }) => Array.isArray(candidates),
    join: joinGeminiResponses,
    isNext: (_, before) => candidateOf(before)?.finishReason != null,
  },
  {
    is: ({ type }) => type === 'run_item_stream_event' || type === 'raw_model_stream_event',
    join: joinAgentsEvents,
  },
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
  const reply = joinChunks(chunks, options) ?? joinLangChainStream(chunks) ?? chunks;
  const open = options.isPartial && Array.isArray(reply) ? openAnswer(chunks) : undefined;
  return open === undefined || !Array.isArray(reply) ? reply : [...reply, { role: 'assistant', content: open }];
}

/** The answer that the chunks of a provider or an SDK are pieces of; undefined if they are in none of its forms. */
export function joinChunks(given: readonly unknown[], options: JoinOptions): unknown {
  const error = options.isPartial ? undefined : given.map(reportedError).find((words) => words !== undefined);
  if (error !== undefined) throw new StreamError(error);
  const chunks = given.filter((chunk) => reportedError(chunk) === undefined);
  const records = chunks.filter(isRecord);
  // Events of a session may hold pieces of its messages, which follow as a whole.
  const form = FORMS.find(({ is }) => records.some(is));
  if (!form?.isNext) return form?.join(chunks, options);
  const replies = answersIn(records, form).map((part) => (Array.isArray(part) ? form.join(part, options) : part));
  return replies.length === 1 ? replies[0] : replies;
}

/** The chunks of each answer, and the messages that an agent with a loop of its own has put between them. */
function answersIn(chunks: readonly Chunk[], { isNext }: StreamForm): (Chunk | Chunk[])[] {
  const parts: (Chunk | Chunk[])[] = [];
  for (const chunk of chunks) {
    const last = parts.at(-1);
    const before = Array.isArray(last) ? last.at(-1) : undefined;
    if (typeof chunk.role === 'string') parts.push(chunk);
    else if (Array.isArray(last) && before && !isNext?.(chunk, before)) last.push(chunk);
    else parts.push([chunk]);
  }
  return parts;
}

/** Each response has some parts of the answer. The last one has the tokens. */
function joinGeminiResponses(chunks: readonly unknown[], { isPartial }: JoinOptions): unknown {
  const responses = chunks.filter(isRecord);
  const candidates = responses.map(candidateOf).filter((candidate) => candidate !== undefined);
  const contents = candidates.map(({ content }) => content).filter(isRecord);
  const parts = contents.flatMap((content) => (Array.isArray(content.parts) ? content.parts : []));
  const { finishReason } = candidates.findLast((candidate) => candidate.finishReason != null) ?? {};
  if (!isPartial && finishReason === undefined) throw brokeOff('a finishReason');
  const candidate = { content: { role: 'model', parts }, finishReason };
  return { ...Object.assign({}, ...responses), candidates: [candidate] };
}

function candidateOf({ candidates }: Chunk): Chunk | undefined {
  const first: unknown = Array.isArray(candidates) ? candidates[0] : undefined;
  return isRecord(first) ? first : undefined;
}

/** Of the events of a Strands agent, those that add a message. */
function joinStrandsEvents(chunks: readonly unknown[]): unknown {
  return chunks.filter(isRecord).flatMap(({ type, message }) => (type === 'messageAddedEvent' ? [message] : []));
}
