import { errorMessage } from '../../../text/errors/salvo-error.ts';
import { isRecord } from '../../../text/json/is-record.ts';
import { jsonText } from '../../../text/json/json-copy.ts';
import { FormError } from '../form-error.ts';

/** A stream of texts, of messages, or of chunks of a provider; also the result of an SDK that has one. */
export type StreamInput =
  | AsyncIterable<unknown>
  | { fullStream: AsyncIterable<unknown> }
  /** A streamed response of Bedrock. */
  | { stream?: AsyncIterable<unknown> | undefined; $metadata: object };

/** A stream that was read: its chunks, as the reply of an agent is written. */
interface ReadChunks {
  $stream: unknown[];
}

export interface StreamReader {
  signal: AbortSignal;
  /** Receives each chunk as JSON when it comes, so that what was read is not lost if the stream never ends. */
  onChunk: (json: string) => void;
}

/**
 * What an agent returned, with streams read to their end: an async iterable or a `ReadableStream` of texts, messages or
 * chunks of a provider, and the results of SDKs that have such streams. Anything else is returned as it is. Throws what
 * the stream throws.
 */
export async function settledReply(reply: unknown, reader: StreamReader): Promise<unknown> {
  if (!isObject(reply)) return reply;
  if ('fullStream' in reply) return settledResult(reply, reader);
  // A streamed run of the OpenAI Agents SDK: its state is written when the run has ended.
  if (isIterable(reply) && 'completed' in reply && 'state' in reply) {
    const chunks = await chunksOf(reply, reader).catch(ignoreIfRead);
    await reply.completed;
    if ('error' in reply && reply.error != null) throw reply.error;
    const { runWithModels } = await import('./agents-events.ts');
    return runWithModels(JSON.parse(jsonText(reply)), chunks ?? []);
  }
  if (isIterable(reply)) return { $stream: await chunksOf(reply, reader) } satisfies ReadChunks;
  // A streamed response of Bedrock.
  if ('stream' in reply && isObject(reply.stream) && isIterable(reply.stream)) {
    return { $stream: await chunksOf(reply.stream, reader) } satisfies ReadChunks;
  }
  // A result of Strands leaves out its figures and its traces when it is written as JSON.
  if ('lastMessage' in reply && 'metrics' in reply) {
    const fields = ['lastMessage', 'metrics', 'stopReason', 'traces'];
    return Object.fromEntries(fields.map((name) => [name, Reflect.get(reply, name)]));
  }
  return reply;
}

/** The result of `streamText` of the AI SDK, or of `stream()` of Mastra, which have what the stream gave as promises. */
async function settledResult(reply: object & { fullStream: unknown }, reader: StreamReader): Promise<unknown> {
  await readAll(() => reply.fullStream, reader).catch(ignoreIfRead);
  if ('getFullOutput' in reply && typeof reply.getFullOutput === 'function') return await reply.getFullOutput();
  const steps: unknown = await Reflect.get(reply, 'steps');
  return { steps, totalUsage: await Reflect.get(reply, 'totalUsage') };
}

/** The stream is asked for here, as some throw if they have been read already. */
async function readAll(streamOf: () => unknown, reader: StreamReader): Promise<void> {
  const stream = streamOf();
  if (isObject(stream) && isIterable(stream)) await chunksOf(stream, reader);
}

async function chunksOf(stream: AsyncIterable<unknown>, { signal, onChunk }: StreamReader): Promise<unknown[]> {
  const chunks: unknown[] = [];
  const decoder = new TextDecoder();
  const iterator = stream[Symbol.asyncIterator]();
  const stop = (): void => void Promise.resolve(iterator.return?.()).catch(() => {});
  signal.addEventListener('abort', stop, { once: true });
  try {
    for (;;) {
      const { done, value } = await iterator.next();
      signal.throwIfAborted();
      if (done) return chunks;
      throwReported(value);
      const json = chunkJson(value instanceof Uint8Array ? decoder.decode(value, { stream: true }) : value);
      onChunk(json);
      // A copy: some SDKs change a chunk when the next one comes.
      chunks.push(JSON.parse(json));
    }
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function chunkJson(chunk: unknown): string {
  try {
    return jsonText(chunk);
  } catch (error) {
    throw new FormError('a chunk of the stream', `cannot be written as JSON: ${errorMessage(error)}`);
  }
}

/** The SDKs of agents report an error of their model as a chunk. Mastra has it in `payload`. */
function throwReported(chunk: unknown): void {
  if (!isRecord(chunk) || chunk.type !== 'error') return;
  const { error } = isRecord(chunk.payload) ? chunk.payload : chunk;
  if (error instanceof Error) throw error;
}

/** An agent may have read the stream itself, and returns the result for what else is in it. */
function ignoreIfRead(error: unknown): undefined {
  const isRead = error instanceof TypeError && /locked|disturbed|already/i.test(error.message);
  if (!isRead) throw error;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isIterable(value: object): value is AsyncIterable<unknown> {
  return Symbol.asyncIterator in value && typeof value[Symbol.asyncIterator] === 'function';
}
