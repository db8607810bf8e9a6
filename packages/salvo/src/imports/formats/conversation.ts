import { isRecord } from '../../text/json/is-record.ts';
import { Conversation } from '../../trace/forms/conversation.ts';
import { FormError } from '../../trace/forms/form-error.ts';
import { type ReadReply, readReply } from '../../trace/forms/read-reply.ts';
import type { Trace } from '../../trace/trace.ts';
import type { ImportedConversation, ImportFormat } from '../import-format.ts';
import { importedConversation, importedTrace } from '../imported-trace.ts';
import { PLAIN_NAMES, plainFacts } from './plain-facts.ts';
import { lossOf, placeAt, type ReadingPlace, readEachMessage } from './read-each.ts';
import { fieldsWithout, isoTimeOf, textOf } from './record-fields.ts';
import { exchangeIn, exchangeReply, systemMessages } from './request-and-response.ts';
import { shareGptMessage, shareGptTurns } from './sharegpt.ts';

type Fields = Record<string, unknown>;

/** Where a record may have its messages. They are not among its fields. */
const MESSAGES: ReadonlySet<string> = new Set([
  ...['messages', 'contents', 'conversations', 'conversation', 'steps', 'choices', 'candidates', 'events', 'history'],
  ...['input', 'output', 'inputs', 'outputs', 'request', 'response', 'body', 'result', 'modelInput', 'modelOutput'],
  ...[
    'lastMessage',
    'state',
    'trace',
    'parts',
    'content',
    'prompt',
    'completion',
    'newItems',
    'tool_calls',
    'toolCalls',
  ],
]);
/** Fields of requests and responses, and those that the readers of messages know. */
const KNOWN: ReadonlySet<string> = new Set([
  ...[
    ...MESSAGES,
    ...PLAIN_NAMES,
    'object',
    'type',
    'role',
    'model',
    'modelId',
    'modelVersion',
    'provider',
    'usage',
    'error',
  ],
  ...['usageMetadata', 'usage_metadata', 'totalUsage', 'tools', 'functions', 'tool_choice', 'toolChoice', 'toolConfig'],
  ...[
    'parallel_tool_calls',
    'response_format',
    'system',
    'instructions',
    'system_instruction',
    'systemInstruction',
    'config',
  ],
  ...[
    'temperature',
    'top_p',
    'max_tokens',
    'max_completion_tokens',
    'max_output_tokens',
    'seed',
    'stop',
    'n',
    'stream',
  ],
  ...[
    'generationConfig',
    'inferenceConfig',
    'stop_reason',
    'stopReason',
    'stop_sequence',
    'finish_reason',
    'finishReason',
  ],
  ...[
    'final_content',
    'input_tokens',
    'output_tokens',
    'cost_usd',
    'total_cost_usd',
    'latency_seconds',
    'metrics',
    'task',
  ],
  ...['method', 'url', 'status', 'status_code', 'schemaType', 'schemaVersion', 'operation', 'accountId', 'region'],
  ...['text', 'toolResults', 'reasoning', 'reasoning_content', 'refusal', 'service_tier', 'system_fingerprint', 'name'],
]);

/** A conversation in each record: messages of any provider or SDK, a request with its response, or a question with its answer. */
export const conversationFormat: ImportFormat = {
  name: 'conversation',
  title: 'conversations',
  unit: 'record',
  recognises: (value) => (Array.isArray(value) ? isRecord(value[0]) : isRecord(value) && hasMessages(value)),
  *read(records) {
    for (const { value, line } of records) yield readConversation(value, line);
  },
};

/** A list in it may be one of conversations, as in the page of a list. */
function hasMessages(value: Fields): boolean {
  return Object.entries(value).some(
    ([name, part]) => MESSAGES.has(name) || name === 'attributes' || (Array.isArray(part) && isRecord(part[0])),
  );
}

function readConversation(value: unknown, line: number): ImportedConversation {
  const at = placeAt(line);
  const record = isRecord(value) ? value : {};
  const { timestamp, ...facts } = plainFacts(record, line, at.losses);
  const texts = textsIn(record);
  const trace = traceOf(replyOf(value, texts), at, timestamp);
  return importedConversation({
    line,
    ...facts,
    // A text does not say which tools were called before it.
    trace: texts ? { ...trace, tools_seen: 'unknown' } : trace,
    fields: fieldsWithout(record, MESSAGES),
    aside: fieldsWithout(record, KNOWN),
    losses: at.losses,
  });
}

/** A question and its answer as texts. */
function textsIn(record: Fields): object[] | undefined {
  const { response, completion } = record;
  const answer = [response, completion].find((text) => typeof text === 'string');
  if (answer === undefined || 'messages' in record) return undefined;
  const question = textOf(record, 'task', 'prompt', 'question', 'instruction');
  return [...(question === null ? [] : [{ role: 'user', content: question }]), { role: 'assistant', content: answer }];
}

/** The record in a form that is read like the reply of an agent. */
function replyOf(value: unknown, texts: object[] | undefined): unknown {
  if (!isRecord(value)) return value;
  if (texts) return { messages: [...systemMessages(value), ...texts], ...metricsOf(value) };
  const turns = shareGptTurns(value);
  if (turns) return { messages: [...systemMessages(value), ...turns.map(shareGptMessage)], ...metricsOf(value) };
  const exchange = exchangeIn(value);
  if (exchange) return exchangeReply(exchange);
  if (Array.isArray(value.prompt) && Array.isArray(value.completion)) return [...value.prompt, ...value.completion];
  for (const name of ['messages', 'contents', 'conversations'] as const) {
    const list = value[name];
    if (!Array.isArray(list) || list.length === 0) continue;
    const system = systemMessages(value);
    return name === 'messages' && system.length === 0 ? value : { ...value, messages: [...system, ...list] };
  }
  return value;
}

function metricsOf({ model, usage, cost_usd, latency_seconds, finish_reason }: Fields): Fields {
  return { model, usage, cost_usd, latency_seconds, finish_reason };
}

/** The trace of a reply. If a message of a list is in no form that Salvo knows, it is a loss, and the others are read. */
export function traceOf(reply: unknown, at: ReadingPlace, timestamp: string | null): Trace {
  try {
    const read = readReply(reply, 'call');
    if (!read) throw new FormError('it', 'has neither a list of messages nor the result of an SDK');
    return importedTrace(read.conversation, {
      ...factsOf(read),
      timestamp: read.timestamp ?? timestamp ?? firstTime(reply),
    });
  } catch (error) {
    if (!(error instanceof FormError)) throw error;
    const list = isRecord(reply) ? reply.messages : reply;
    if (!Array.isArray(list)) throw error;
    const conversation = new Conversation('call');
    const before = at.losses.length;
    readEachMessage(list, conversation, { at, name: 'messages' });
    if (conversation.messages.length === 0) throw error;
    // All messages were read: what is wrong is beside them.
    if (at.losses.length === before) at.losses.push(lossOf(error, at.line));
    return importedTrace(conversation, { timestamp, model: isRecord(reply) ? textOf(reply, 'model') : null });
  }
}

/** When the first message was written. */
function firstTime(reply: unknown): string | null {
  const list = isRecord(reply) ? reply.messages : reply;
  const first: unknown = Array.isArray(list) ? list[0] : undefined;
  return isRecord(first) ? isoTimeOf(first.timestamp) : null;
}

function factsOf({ model, usage, cost_usd, latency_seconds, final_content, finish_reason }: ReadReply) {
  return { model, usage, cost_usd, latency_seconds, final_content, finish_reason };
}
