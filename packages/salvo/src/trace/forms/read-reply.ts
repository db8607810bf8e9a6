import { z } from 'zod';
import { isRecord } from '../../text/json/is-record.ts';
import { agentsState, readAgentsState } from './agents-state.ts';
import { readAssistantMessage } from './chat-message.ts';
import { Conversation } from './conversation.ts';
import { finishReason } from './finish-reason.ts';
import { FormError, readAs } from './form-error.ts';
import { readGenerated } from './generate-text.ts';
import { readChatCompletion, readConverse, readGeminiResponse, readResponse } from './model-response.ts';
import { readList } from './read-list.ts';
import { readMessage } from './read-messages.ts';
import { langfuseTrace } from './recorded/langfuse-trace.ts';
import { langSmithRuns } from './recorded/langsmith-runs.ts';
import { openTrace } from './recorded/open-trace.ts';
import { otelTrace } from './recorded/otel-spans.ts';
import { milliseconds } from './recorded/recorded-step.ts';
import { recordedCall } from './recorded-call.ts';
import { type Usage, usageSchema } from './usage.ts';

/** What an agent returned, in our messages. */
export interface ReadReply {
  /** The whole conversation as the agent reports it, or one answer, which may hold several messages. */
  kind: 'conversation' | 'answer';
  conversation: Conversation;
  /** Only if the agent gives it: otherwise it is the last message. */
  final_content: string | null;
  finish_reason: string | null;
  model: string | null;
  usage: Usage | null;
  /** Whether `usage` is that of the whole reply, and not the sum of what its messages say. */
  isUsageOfReply: boolean;
  cost_usd: number | null;
  /** How long the agent worked, if the reply says so. */
  latency_seconds: number | null;
  /** When it began, if the reply says so. */
  timestamp: string | null;
}

/** The shapes that are read: a list of messages, one message, or an object with either of them. */
export type ReplyObject =
  | readonly object[]
  | { role: 'assistant' | 'model'; content: string | readonly object[] | null }
  | { role: 'assistant' | 'model'; parts: readonly object[] }
  /** A message of LangChain. */
  | { lc_namespace: readonly string[]; content: string | readonly object[] }
  | { messages: readonly object[]; latency_seconds?: number | null | undefined; timestamp?: string | undefined }
  | { contents: readonly object[] }
  | { steps: readonly object[] }
  | { choices: readonly object[] }
  | { output: readonly object[] }
  /** The result of `run()` of the OpenAI Agents SDK. */
  | { state: object; history: readonly object[] }
  /** A session of the Agent Development Kit. */
  | { events: readonly object[] }
  /** A response of Bedrock's Converse, and a result of Strands. */
  | { output: { message?: object | undefined } | undefined; stopReason: string | undefined }
  | { lastMessage: object; stopReason: string }
  /** What tracing tools record: Langfuse, LangSmith, OpenTelemetry. */
  | { observations: readonly unknown[] }
  | { input: unknown; output: unknown }
  | { inputs: object; outputs: unknown }
  | { attributes: object }
  | { resourceSpans: readonly object[] }
  | { candidates?: readonly object[] | undefined; usageMetadata?: object | undefined };

const tokens = z.number().nonnegative().nullish();
const metricsSchema = z.object({
  final_content: z.string().nullish(),
  finish_reason: z.string().nullish(),
  /** Anthropic's name for it. */
  stop_reason: z.string().nullish(),
  finishReason: z.string().nullish(),
  /** Bedrock's and Strands' name for it. */
  stopReason: z.string().nullish(),
  model: z.unknown().optional(),
  modelVersion: z.string().nullish(),
  usage: usageSchema,
  totalUsage: usageSchema,
  usageMetadata: usageSchema,
  usage_metadata: usageSchema,
  input_tokens: tokens,
  output_tokens: tokens,
  cost_usd: z.number().nonnegative().nullish(),
  total_cost_usd: z.number().nonnegative().nullish(),
  latency_seconds: z.number().nonnegative().nullish(),
  timestamp: z.unknown().optional(),
});

type Found = Partial<Omit<ReadReply, 'kind' | 'conversation'>> &
  Pick<ReadReply, 'kind'> & {
    /** A record of a tracing tool, whose fields mean other things than those of a reply. */
    isRecorded?: boolean;
  };
/** Reads a reply of one shape; undefined if the reply has another. */
type ReplyReader = (reply: Record<string, unknown>, into: Conversation) => Found | undefined;

/**
 * Reads whatever an agent may return: a list of messages, an object with `messages`, one message, or the result of an
 * SDK. Throws a `FormError` with the place of what it does not know. Undefined if the reply has none of these shapes.
 */
export function readReply(reply: unknown, idPrefix: string): ReadReply | undefined {
  const conversation = new Conversation(idPrefix);
  const container = langfuseTrace(reply) ?? langSmithRuns(reply) ?? otelTrace(reply);
  if (container) {
    const { messages, ...found } = openTrace(container);
    return complete({}, conversation, { ...listOf(messages, conversation, 'messages'), ...found });
  }
  if (Array.isArray(reply)) return complete({}, conversation, listOf(reply, conversation, 'messages'));
  if (!isRecord(reply)) return undefined;
  if (isRecord(reply.trace) && !('messages' in reply)) return readReply(reply.trace, idPrefix);
  for (const read of READERS) {
    const found = read(reply, conversation);
    if (found) return complete(found.isRecorded ? ownFields(reply) : reply, conversation, found);
  }
  return undefined;
}

const READERS: ReplyReader[] = [
  readGenerated,
  agentsRun,
  readConverse,
  ({ messages }, into) => (messages === undefined ? undefined : listOf(messages, into, 'messages')),
  ({ contents }, into) => (contents === undefined ? undefined : listOf(contents, into, 'contents')),
  // A session of the Agent Development Kit.
  ({ events }, into) => (Array.isArray(events) ? listOf(events, into, 'events') : undefined),
  readChatCompletion,
  recorded,
  readResponse,
  readGeminiResponse,
  oneMessage,
];

function listOf(messages: unknown, into: Conversation, place: string): Found {
  const result = readList(messages, into, place);
  if (into.messages.length === 0 && Array.isArray(messages) && !result) {
    throw new FormError(`${place}:`, 'the list of messages is empty');
  }
  return { kind: 'conversation', latency_seconds: conversationSeconds(messages), ...result };
}

/**
 * How long the agent worked, as the times of its messages tell: what passed before each message that is not the user's.
 * What the user took is not counted. Null if a message has no time.
 */
function conversationSeconds(messages: unknown): number | null {
  if (!Array.isArray(messages) || messages.length < 2) return null;
  let before: number | null = null;
  let total = 0;
  for (const message of messages) {
    const time = timeOf(message);
    if (time === null || (before !== null && time < before)) return null;
    if (before !== null && !isOfUser(message)) total += time - before;
    before = time;
  }
  return total / 1000;
}

function timeOf(message: unknown): number | null {
  return isRecord(message) && typeof message.timestamp === 'string' ? milliseconds(message.timestamp) : null;
}

/** A result that a tool gave is sent as a message of the user by some SDKs. */
function isOfUser(message: unknown): boolean {
  if (!isRecord(message)) return false;
  const { content } = isRecord(message.message) ? message.message : message;
  const isResult = (part: unknown): boolean => isRecord(part) && part.type === 'tool_result';
  if (Array.isArray(content) && content.some(isResult)) return false;
  return (message.role ?? message.type) === 'user';
}

/** The result of `run()` of the OpenAI Agents SDK. */
function agentsRun(reply: Record<string, unknown>, into: Conversation): Found | undefined {
  const state = agentsState(reply);
  return state && readAgentsState(state, into);
}

/** A call as a tracing tool recorded it. */
function recorded(reply: Record<string, unknown>, into: Conversation): Found | undefined {
  const call = recordedCall(reply);
  if (!call) return undefined;
  const { messages, ...found } = call;
  return { ...listOf(messages, into, 'messages'), ...found, isRecorded: true };
}

/** The fields of Salvo that somebody may have added to a record. */
function ownFields(reply: Record<string, unknown>): Record<string, unknown> {
  const names = ['final_content', 'finish_reason', 'input_tokens', 'output_tokens', 'cost_usd', 'latency_seconds'];
  return Object.fromEntries(names.filter((name) => name in reply).map((name) => [name, reply[name]]));
}

/** One message of any form, which is the agent's even if it names no role. */
function oneMessage(reply: Record<string, unknown>, into: Conversation): Found | undefined {
  const isMessage = reply.role === 'assistant' || reply.role === 'model' || reply.lc !== undefined;
  if (isMessage || (typeof reply.type === 'string' && isRecord(reply.message))) {
    const result = readMessage(reply, into, 'the reply');
    return { kind: 'answer', ...result };
  }
  if (!('content' in reply || 'tool_calls' in reply || 'function_call' in reply)) return undefined;
  // Its tokens are those of the whole turn, in which an agent may have asked its model more than once.
  into.assistant(() => readAssistantMessage({ ...reply, usage: undefined }, into, 'the reply'));
  return { kind: 'answer' };
}

function complete(reply: Record<string, unknown>, conversation: Conversation, found: Found): ReadReply {
  const given = readAs(metricsSchema, reply, 'the reply');
  const listedTokens =
    given.input_tokens == null || given.output_tokens == null
      ? null
      : { input_tokens: given.input_tokens, output_tokens: given.output_tokens };
  const said = given.finish_reason || given.stop_reason || given.finishReason || given.stopReason;
  const reason = said || found.finish_reason || conversation.finishReason;
  const model = given.modelVersion ?? given.model;
  const ofReply =
    given.totalUsage ??
    given.usage ??
    given.usageMetadata ??
    given.usage_metadata ??
    listedTokens ??
    found.usage ??
    null;
  // `{messages, content}`: the agent says what its answer is.
  const beside = found.kind === 'conversation' && typeof reply.content === 'string' ? reply.content : null;
  return {
    kind: found.kind,
    conversation,
    final_content: given.final_content ?? found.final_content ?? beside,
    finish_reason: reason ? finishReason(reason) : null,
    model: typeof model === 'string' ? model : (found.model ?? conversation.model),
    usage: ofReply ?? conversation.usageAfter(0),
    isUsageOfReply: ofReply !== null,
    cost_usd: given.cost_usd ?? given.total_cost_usd ?? found.cost_usd ?? null,
    latency_seconds: given.latency_seconds ?? found.latency_seconds ?? null,
    timestamp: isoTime(given.timestamp) ?? found.timestamp ?? null,
  };
}

function isoTime(given: unknown): string | null {
  return typeof given === 'string' && Number.isFinite(Date.parse(given)) ? given : null;
}
