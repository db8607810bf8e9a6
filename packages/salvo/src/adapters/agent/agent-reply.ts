import { isRecord } from '../../text/json/is-record.ts';
import { isNestedTooDeeply, MAX_NESTING } from '../../text/json/nesting.ts';
import { quoteOutput } from '../../text/output/quote-output.ts';
import { FormError } from '../../trace/forms/form-error.ts';
import { type ReadReply, readReply } from '../../trace/forms/read-reply.ts';
import { StreamError } from '../../trace/forms/stream/stream-error.ts';
import { finalContent, type Message } from '../../trace/message.ts';
import { traceSchema } from '../../trace/trace.ts';
import type { AdapterTurnResult, AgentTrace } from '../adapter.ts';
import { AdapterError } from '../adapter-error.ts';
import { agentProviderError } from './thrown-error.ts';

export interface AgentReplySource {
  /** The agent, as the start of a sentence: "The command agent.py". */
  callee: string;
  /** Ordinal of the request, used in the ids of tool calls that have none. */
  request: number;
  /** `tools_seen` of the adapter in salvo.yaml. */
  toolsSeen?: 'all' | undefined;
  /** The reply is what was read of a stream that failed or never ended. */
  isPartial?: boolean | undefined;
  /** What the agent was asked, with all that was said before. */
  asked: readonly Message[];
}

/**
 * Reads the answer of a whole agent: a text, one turn `{content, tool_calls?, usage?, finish_reason?, cost_usd?}`, the
 * trace of all it did `{messages, ...}` or a list of messages, or the result of an SDK. Messages may be in any form that
 * Salvo knows. What it does not know is an error with its place, and never skipped.
 */
export function parseAgentReply(reply: unknown, source: AgentReplySource): AdapterTurnResult {
  if (typeof reply === 'string') return parseAgentReply({ content: reply }, source);
  if (isNestedTooDeeply(reply)) throw nestedTooDeeply(source);
  const read = readForm(reply, source);
  const result = read.kind === 'conversation' ? traceResult(read, reply, source.asked) : turnResult(read, reply);
  const declared = declaresAllCalls(reply, source) || source.toolsSeen === 'all';
  return {
    ...result,
    tools_reported: reportsCalls(read, reply) ? 'calls' : 'text',
    ...(declared ? { tools_declared: true } : {}),
  };
}

/**
 * `tools_seen: 'all'` beside the answer: the agent says that these are all its tool calls. A stored trace that an agent
 * returns has another word there, which is none of its own.
 */
function declaresAllCalls(reply: unknown, source: AgentReplySource): boolean {
  if (!isRecord(reply) || reply.tools_seen === undefined) return false;
  if (reply.tools_seen === 'all') return true;
  if (traceSchema.shape.tools_seen.safeParse(reply.tools_seen).success) return false;
  throw unreadable(
    source.callee,
    `"tools_seen" can only be "all", not ${quoteOutput(JSON.stringify(reply.tools_seen))}`,
  );
}

/**
 * Whether an answer says which tools were called: by a conversation, a call, or a list of calls, even an empty one. A
 * text does not, and neither does the last response of a model: the agent may have called tools before it.
 */
function reportsCalls({ kind, conversation: { messages } }: ReadReply, reply: unknown): boolean {
  if (isRecord(reply) && reply.tools_seen === 'unknown') return false;
  if (kind === 'conversation' || messages.length > 1) return true;
  return messages.some((message) => message.role === 'assistant' && message.tool_calls.length > 0) || listsCalls(reply);
}

/** Where SDKs have the list of calls, or the steps in which they are. */
const LISTS = ['tool_calls', 'toolCalls', 'steps'];
const AROUND = ['kwargs', 'response', 'choices', 'message'];

function listsCalls(reply: unknown): boolean {
  if (Array.isArray(reply)) return reply.some(listsCalls);
  if (!isRecord(reply)) return false;
  return LISTS.some((key) => Array.isArray(reply[key])) || AROUND.some((key) => listsCalls(reply[key]));
}

function readForm(reply: unknown, source: AgentReplySource): ReadReply {
  let read: ReadReply | undefined;
  try {
    read = readReply(reply, `call_${source.request}`);
  } catch (error) {
    if (error instanceof FormError) throw unreadable(source.callee, error.message);
    throw error;
  }
  if (read) return read;
  const trouble = reportedOutage(reply);
  if (trouble !== undefined) throw agentProviderError({ callee: source.callee, trouble });
  if (isRecord(reply)) throw unreadable(source.callee, missingFields(reply));
  throw unreadable(
    source.callee,
    `expected an object with "content", "tool_calls" or "messages", but got ${typeName(reply)}`,
  );
}

/** As `parseAgentReply`, for a function, which may answer with a stream: its chunks are put together first. */
export async function parseFunctionReply(reply: unknown, source: AgentReplySource): Promise<AdapterTurnResult> {
  if (!isRecord(reply) || !Array.isArray(reply.$stream)) return parseAgentReply(reply, source);
  if (isNestedTooDeeply(reply)) throw nestedTooDeeply(source);
  return parseAgentReply(await joined(reply.$stream, source), source);
}

/** What a stream gave, as one reply. */
async function joined(chunks: readonly unknown[], source: AgentReplySource): Promise<unknown> {
  const { streamReply } = await import('../../trace/forms/stream/stream-reply.ts');
  try {
    return streamReply(chunks, { isPartial: source.isPartial === true });
  } catch (error) {
    if (error instanceof FormError) throw unreadable(source.callee, error.message);
    if (error instanceof StreamError) throw agentProviderError({ callee: source.callee, trouble: error.message });
    throw error;
  }
}

function turnResult(read: ReadReply, reply: unknown): AdapterTurnResult {
  const { messages, openCalls } = read.conversation;
  const last = messages.at(-1);
  const answer = last?.role === 'assistant' ? last : undefined;
  return {
    content: answer?.content ?? null,
    tool_calls: openCalls,
    usage: read.usage,
    finish_reason: read.finish_reason ?? (openCalls.length > 0 ? 'tool_calls' : 'stop'),
    raw_response: reply,
    ...(answer?.reasoning === undefined ? {} : { reasoning: answer.reasoning }),
    ...(answer?.provider_state === undefined ? {} : { provider_state: answer.provider_state }),
    ...(answer?.files === undefined ? {} : { files: answer.files }),
    ...(answer?.agent === undefined ? {} : { agent: answer.agent }),
    ...(answer?.step === undefined ? {} : { step: answer.step }),
    ...(read.cost_usd === null ? {} : { cost_usd: read.cost_usd }),
    ...(read.model === null ? {} : { model: read.model }),
    ...(messages.length > 1 ? { messages } : {}),
  };
}

function traceResult(read: ReadReply, reply: unknown, asked: readonly Message[]): AdapterTurnResult {
  const { messages } = read.conversation;
  const usage = usageOfTurn(read, asked);
  const trace: AgentTrace = {
    messages,
    final_content: read.final_content ?? finalContent(messages),
    finish_reason: read.finish_reason ?? 'stop',
    model: read.model ?? undefined,
    input_tokens: usage?.input_tokens ?? null,
    output_tokens: usage?.output_tokens ?? null,
    cost_usd: read.cost_usd,
    ...recordedTime(read, reply),
  };
  return {
    content: trace.final_content ?? null,
    tool_calls: [],
    usage,
    finish_reason: trace.finish_reason ?? 'stop',
    raw_response: reply,
    ...(read.cost_usd === null ? {} : { cost_usd: read.cost_usd }),
    trace,
  };
}

/** An agent may answer `{"error": {"status": 503, "message": "..."}}` if its model or another service failed. */
function reportedOutage(reply: unknown): string | undefined {
  if (!isRecord(reply) || !isRecord(reply.error)) return undefined;
  const { status, message } = reply.error;
  if (typeof status !== 'number' || status < 400 || status > 599) return undefined;
  return typeof message === 'string' && message !== '' ? `${status} ${message}` : `status ${status}`;
}

/** An agent with a memory returns all its messages in each turn: tokens of answers that it gave before are counted already. */
function usageOfTurn(read: ReadReply, asked: readonly Message[]): ReadReply['usage'] {
  if (read.isUsageOfReply) return read.usage;
  const { messages } = read.conversation;
  const count = (of: readonly Message[], role: Message['role']) => of.filter((message) => message.role === role).length;
  const known = count(asked, 'assistant');
  if (count(messages, 'user') === 0 || known === 0) return read.usage;
  const isWhole = count(messages, 'user') >= count(asked, 'user') && count(messages, 'assistant') >= known;
  const before = messages.slice(
    0,
    messages.findLastIndex(({ role }) => role === 'user'),
  );
  return read.conversation.usageAfter(isWhole ? known : count(before, 'assistant'));
}

/** A conversation that tells its own time was not held now. */
function recordedTime(read: ReadReply, reply: unknown): Pick<AgentTrace, 'latency_seconds' | 'timestamp'> {
  const tellsLatency = isRecord(reply) && 'latency_seconds' in reply;
  return {
    ...(tellsLatency || read.latency_seconds !== null ? { latency_seconds: read.latency_seconds } : {}),
    ...(read.timestamp === null ? {} : { timestamp: read.timestamp }),
  };
}

function missingFields(reply: Record<string, unknown>): string {
  const message = isRecord(reply.error) ? reply.error.message : reply.error;
  if (typeof message === 'string') return `it reported an error: ${quoteOutput(message)}`;
  const keys = Object.keys(reply);
  const found = keys.length === 0 ? 'an empty object' : `only ${quoteOutput(keys.join(', '))}`;
  return `expected "content", "tool_calls" or "messages", but found ${found}`;
}

function nestedTooDeeply({ callee }: AgentReplySource): AdapterError {
  return unreadable(callee, `it is nested more than ${MAX_NESTING} levels deep`);
}

export function unreadable(callee: string, problem: string): AdapterError {
  return new AdapterError('bad_response', `${callee} gave an answer that cannot be used: ${problem}.`);
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}
