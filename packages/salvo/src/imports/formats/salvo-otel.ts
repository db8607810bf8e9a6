import { contentHash } from '../../text/json/canonical-json.ts';
import { isRecord } from '../../text/json/is-record.ts';
import { changesBetween, type JsonChange, withChanges } from '../../text/json/json-changes.ts';
import { jsonOrUndefined } from '../../text/json/json-in-text.ts';
import { isNestedTooDeeply } from '../../text/json/nesting.ts';
import { type Trace, traceSchema } from '../../trace/trace.ts';
import type { ImportedConversation } from '../import-format.ts';
import { importedConversation } from '../imported-trace.ts';

/** What the attributes of the conventions do not say about a trace, as the changes that lead to it. */
const REST = 'salvo.trace.rest';
/** The hash of the whole trace: who changes a span on its way, or leaves something out, is noticed. */
const HASH = 'salvo.trace.sha256';

type Attributes = Readonly<Record<string, unknown>>;

/**
 * The trace that `salvo export --otel` wrote as spans, to the last field. Undefined if the spans are those of others, or were
 * changed on their way, such as by a collector that removes texts: then they are read like any other spans.
 * @internal Exported for tests of the round trip: readers need the whole conversation.
 */
export function salvoTraceOfSpans(spans: readonly { attributes: Attributes }[]): Trace | undefined {
  const [root, second] = spans.filter(({ attributes }) => attributes[REST] !== undefined);
  if (!root || second) return undefined;
  const changes = changesIn(root.attributes[REST]);
  if (changes === undefined) return undefined;
  const document = restored(told(root.attributes), changes);
  if (document === undefined || isNestedTooDeeply(document)) return undefined;
  if (contentHash(document) !== root.attributes[HASH]) return undefined;
  return traceSchema.safeParse(document).data;
}

/** The trial that `salvo export --otel` wrote as spans, as the JSON lines of `salvo export` would have it. */
export function salvoConversationOfSpans(
  spans: readonly { traceId: string | null; attributes: Attributes }[],
  line: number,
): ImportedConversation | undefined {
  const trace = salvoTraceOfSpans(spans);
  const root = spans.find(({ attributes }) => attributes[REST] !== undefined);
  if (!trace || !root) return undefined;
  const own = Object.entries(root.attributes).filter(([name]) => name.startsWith('salvo.') && name !== REST);
  const fields: Record<string, unknown> = Object.fromEntries(own.map(([name, value]) => [name.slice(6), value]));
  const suite = textOrNull(fields.scenario);
  const { trial, passed, score, status } = fields;
  const isScored = typeof passed === 'boolean' && status !== 'unscored';
  const reward = typeof score === 'number' ? score : null;
  return importedConversation({
    ...{ line, trace, id: root.traceId, suite, case: textOrNull(fields.case) ?? suite, fields },
    trial: typeof trial === 'number' && Number.isSafeInteger(trial) ? trial : null,
    given: isScored ? { passed, reward: Number.isFinite(reward) ? reward : null, scores: {} } : null,
  });
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** The attributes that must be added to those of the conventions, so that the trace can be restored from both. */
export function attributesOfRest(trace: Trace, attributes: Attributes): Record<string, string> {
  const whole: unknown = JSON.parse(JSON.stringify(trace));
  // What was before is in the other attributes.
  const changes = changesBetween(told(attributes), whole).map(({ path, after }) => ({ path, after }));
  return { [REST]: JSON.stringify(changes), [HASH]: contentHash(whole) };
}

function changesIn(rest: unknown): JsonChange[] | undefined {
  const list = typeof rest === 'string' ? jsonOrUndefined(rest) : undefined;
  if (!Array.isArray(list) || isNestedTooDeeply(list)) return undefined;
  const isChange = (entry: unknown) => isRecord(entry) && typeof entry.path === 'string';
  return list.every(isChange) ? list : undefined;
}

function restored(document: unknown, changes: readonly JsonChange[]): unknown {
  try {
    return withChanges(document, changes);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/**
 * What the attributes of the conventions say, in the fields of a trace. Spans that were exported earlier depend on it: for the
 * same attributes it must always return the same, so it uses none of the readers of other forms, which become better.
 */
function told(attributes: Attributes): Record<string, unknown> {
  const sent = listIn(attributes['gen_ai.input.messages']);
  const messages = withToolNames([...sent, ...listIn(attributes['gen_ai.output.messages'])].map(messageOf));
  return {
    messages,
    tool_calls_made: callsIn(messages),
    final_content: messages.findLast(({ role }) => role === 'assistant')?.content ?? null,
    model: attributes['gen_ai.response.model'] ?? null,
    provider: attributes['gen_ai.provider.name'] ?? null,
    input_tokens: attributes['gen_ai.usage.input_tokens'] ?? null,
    output_tokens: attributes['gen_ai.usage.output_tokens'] ?? null,
    tool_errors: [],
    retries: [],
    max_turns_hit: false,
  };
}

function listIn(value: unknown): Record<string, unknown>[] {
  const list = typeof value === 'string' ? jsonOrUndefined(value) : undefined;
  return Array.isArray(list) && !isNestedTooDeeply(list) ? list.filter(isRecord) : [];
}

function messageOf({ role, parts, name }: Record<string, unknown>): Record<string, unknown> {
  const all = Array.isArray(parts) ? parts.filter(isRecord) : [];
  const first = (type: string) => all.find((part) => part.type === type);
  const files = all.filter(({ type }) => type === 'blob' || type === 'uri' || type === 'file').map(fileOf);
  const withFiles = files.length === 0 ? {} : { files };
  if (role === 'tool') {
    const { id, response } = first('tool_call_response') ?? {};
    const is_error = isRecord(response);
    return {
      role: 'tool_result',
      tool_call_id: id,
      content: is_error ? response.error : response,
      ...withFiles,
      is_error,
    };
  }
  const text = first('text')?.content;
  if (role !== 'assistant') return { role, content: text ?? '', ...withFiles };
  const reasoning = first('reasoning')?.content;
  const tool_calls = all.filter(({ type }) => type === 'tool_call').map(callOf);
  return {
    ...{ role, content: text ?? null, ...withFiles, tool_calls },
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(name === undefined ? {} : { agent: name }),
  };
}

function callOf({ id, name, arguments: args }: Record<string, unknown>): Record<string, unknown> {
  return typeof args === 'string' ? { id, name, arguments: {}, raw_arguments: args } : { id, name, arguments: args };
}

function fileOf({ type, mime_type, content, uri }: Record<string, unknown>): Record<string, unknown> {
  if (type === 'file') return { media_type: mime_type };
  return { media_type: mime_type, ...(type === 'blob' ? { data: content } : { url: uri }) };
}

function callsOf(message: Record<string, unknown>): Record<string, unknown>[] {
  return Array.isArray(message.tool_calls) ? message.tool_calls : [];
}

/** A result has the name of the tool of its call. */
function withToolNames(messages: readonly Record<string, unknown>[]): Record<string, unknown>[] {
  const names = new Map<unknown, unknown>();
  return messages.map((message) => {
    for (const { id, name } of callsOf(message)) names.set(id, name);
    return message.role === 'tool_result' ? { ...message, name: names.get(message.tool_call_id) } : message;
  });
}

/** The calls with their results, each by its id, as they are in a trial in which Salvo answered them. */
function callsIn(messages: readonly Record<string, unknown>[]): Record<string, unknown>[] {
  const calls: Record<string, unknown>[] = [];
  const open = new Map<unknown, Record<string, unknown>>();
  let turn = 0;
  for (const message of messages) {
    if (message.role === 'assistant') turn += 1;
    for (const { id, name, arguments: args } of callsOf(message)) {
      const call = { id, name, arguments: args, turn, result: null, is_error: false, seen: 'observed' };
      open.set(id, call);
      calls.push(call);
    }
    const { tool_call_id, content: result, is_error } = message;
    if (message.role === 'tool_result') Object.assign(open.get(tool_call_id) ?? {}, { result, is_error });
  }
  return calls;
}
