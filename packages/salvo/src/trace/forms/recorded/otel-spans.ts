import { isRecord } from '../../../text/json/is-record.ts';
import { isNestedTooDeeply, MAX_NESTING } from '../../../text/json/nesting.ts';
import { quoteOutput } from '../../../text/output/quote-output.ts';
import { FormError } from '../form-error.ts';
import { type Usage, usageSchema } from '../usage.ts';
import { attributeMap, otlpValue } from './otlp-values.ts';
import { parsed } from './recorded-messages.ts';
import { milliseconds, type RecordedStep, type RecordedTrace, rootsOf } from './recorded-step.ts';
import { type Attributes, type SpanEvent, spanMessages } from './span-messages.ts';

/** A span as SDKs and OTLP write it, under one set of names. */
export interface Span {
  id: string;
  parent: string | null;
  traceId: string | null;
  name: string;
  start: number | null;
  end: number | null;
  attributes: Attributes;
  events: SpanEvent[];
  error: string | null;
}

/** Spans of OpenTelemetry: a list of them, or what OTLP sends (`resourceSpans`). Undefined if it is none. */
export function otelTrace(reply: unknown): RecordedTrace | undefined {
  const spans = Array.isArray(reply) ? spansOfList(reply) : isOtlp(reply) ? otlpSpans(reply) : undefined;
  if (spans === undefined) return undefined;
  const told = spans.filter((span) => kindOf(span) !== 'other');
  const traces = new Set(told.map(({ traceId }) => traceId));
  if (traces.size > 1) throw new FormError('spans:', `are of ${traces.size} traces: pass those of one at a time`);
  const [traceId = null] = traces;
  return traceOfSpans(spans.filter((span) => told.length === 0 || span.traceId === traceId));
}

/** Steps in the words of the conventions: GenAI, OpenInference, Traceloop, `ai.*` of the AI SDK. */
export function traceOfSpans(spans: readonly Span[]): RecordedTrace {
  const steps = spans.map(stepOf);
  return { what: 'the OpenTelemetry trace', steps, roots: rootsOf(steps) };
}

function isOtlp(reply: unknown): reply is Record<string, unknown> {
  return isRecord(reply) && (Array.isArray(reply.resourceSpans) || Array.isArray(reply.resource_spans));
}

function spansOfList(list: readonly unknown[]): Span[] | undefined {
  if (list.length === 0) return undefined;
  if (list.every(isOtlp)) return list.flatMap(otlpSpans);
  return list.every(isSpan) ? list.map(readSpan) : undefined;
}

function isSpan(entry: unknown): entry is Record<string, unknown> {
  if (!isRecord(entry) || typeof entry.name !== 'string' || entry.attributes === undefined) return false;
  return idOf(entry) !== undefined && !('role' in entry);
}

/** The spans in a document of OTLP. Others, such as an empty one, have none. */
export function otlpSpans(document: Record<string, unknown>): Span[] {
  return records(document, ['resourceSpans', 'scopeSpans', 'spans']).map(readSpan);
}

/** The log records in a document of OTLP, as events of the spans that they belong to. */
export function otlpLogs(
  document: Record<string, unknown>,
): (SpanEvent & { spanId: string; traceId: string | null })[] {
  return records(document, ['resourceLogs', 'scopeLogs', 'logRecords']).map((record) => {
    const attributes = attributeMap(record.attributes);
    const body = otlpValue(record.body);
    const name = [record.eventName, record.event_name, attributes['event.name']].find(isText) ?? '';
    return {
      name,
      spanId: hexId(record.spanId ?? record.span_id) ?? '',
      traceId: hexId(record.traceId ?? record.trace_id) ?? null,
      attributes: { ...attributes, ...(isRecord(body) ? body : {}) },
    };
  });
}

function records(
  document: Record<string, unknown>,
  [first = '', ...deeper]: readonly string[],
): Record<string, unknown>[] {
  const snake = first.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const listed = document[first] ?? document[snake] ?? [];
  if (!Array.isArray(listed)) throw new FormError(`${first}:`, 'expected a list');
  const found = listed.map((entry, index) => {
    if (!isRecord(entry)) throw new FormError(`${first}[${index}]:`, 'expected an object');
    return entry;
  });
  return deeper.length === 0 ? found : found.flatMap((entry) => records(entry, deeper));
}

function readSpan(span: Record<string, unknown>, index: number): Span {
  if (isNestedTooDeeply(span)) throw new FormError(`spans[${index}]:`, `nested more than ${MAX_NESTING} levels deep`);
  const context = isRecord(span.context) ? span.context : isRecord(span.spanContext) ? span.spanContext : {};
  const parentContext = isRecord(span.parentSpanContext) ? span.parentSpanContext : {};
  const id = idOf(span);
  if (id === undefined) throw new FormError(`spans[${index}]:`, 'expected a "spanId"');
  const events = Array.isArray(span.events) ? span.events.filter(isRecord) : [];
  const read = events.map(({ name, attributes }) => ({
    name: isText(name) ? name : '',
    attributes: attributeMap(attributes),
  }));
  return {
    id,
    parent: hexId(span.parentSpanId ?? span.parent_span_id ?? span.parent_id ?? parentContext.spanId) ?? null,
    traceId: hexId(span.traceId ?? span.trace_id ?? context.trace_id ?? context.traceId) ?? null,
    name: typeof span.name === 'string' ? span.name : 'a span',
    ...timesOf(span),
    attributes: attributeMap(span.attributes),
    events: read,
    error: errorOf(span.status, read),
  };
}

function idOf(span: Record<string, unknown>): string | undefined {
  const context = isRecord(span.context) ? span.context : isRecord(span.spanContext) ? span.spanContext : {};
  return hexId(
    span.spanId ?? span.span_id ?? context.span_id ?? context.spanId ?? (isText(span.traceId) ? span.id : undefined),
  );
}

/** Python writes `0x` before ids. A missing parent is an empty text or zeros. */
function hexId(id: unknown): string | undefined {
  if (!isText(id)) return undefined;
  const bare = id.replace(/^0x/, '');
  return /^0*$/.test(bare) ? undefined : bare;
}

function timesOf(span: Record<string, unknown>): Pick<Span, 'start' | 'end'> {
  const start = time(span.startTimeUnixNano ?? span.start_time_unix_nano ?? span.startTime ?? span.start_time);
  const end = time(span.endTimeUnixNano ?? span.end_time_unix_nano ?? span.endTime ?? span.end_time);
  // The console exporter of JavaScript has microseconds.
  if (start === null && typeof span.timestamp === 'number' && typeof span.duration === 'number') {
    return { start: span.timestamp / 1000, end: (span.timestamp + span.duration) / 1000 };
  }
  return { start, end };
}

/** Nanoseconds as a number or as text, `[seconds, nanoseconds]`, or a date. */
function time(given: unknown): number | null {
  if (Array.isArray(given)) {
    const [seconds, nanoseconds] = given;
    return typeof seconds === 'number' && typeof nanoseconds === 'number'
      ? milliseconds(seconds * 1000 + nanoseconds / 1e6)
      : null;
  }
  if (typeof given === 'string' && /^\d{1,20}$/.test(given)) return milliseconds(Number(given) / 1e6);
  return typeof given === 'number' && given > 1e14 ? milliseconds(given / 1e6) : milliseconds(given);
}

function errorOf(status: unknown, events: readonly SpanEvent[]): string | null {
  const { code, status_code, message, description } = isRecord(status) ? status : {};
  if (![2, 'STATUS_CODE_ERROR', 'ERROR'].some((error) => error === (code ?? status_code))) return null;
  const exception = events.find(({ name }) => name === 'exception')?.attributes['exception.message'];
  return [message, description, exception].find(isText) ?? 'an error';
}

const MODEL_OPERATIONS: ReadonlySet<unknown> = new Set(['chat', 'text_completion', 'generate_content']);
const OPENINFERENCE = new Map<unknown, RecordedStep['kind']>([
  ['LLM', 'model'],
  ['TOOL', 'tool'],
  ['GUARDRAIL', 'guard'],
  ['EVALUATOR', 'evaluator'],
]);

function kindOf({ attributes }: Span): RecordedStep['kind'] {
  const operation = attributes['gen_ai.operation.name'];
  if (operation === 'execute_tool') return 'tool';
  if (MODEL_OPERATIONS.has(operation)) return 'model';
  const inference = OPENINFERENCE.get(attributes['openinference.span.kind']);
  if (inference) return inference;
  const operationId = attributes['ai.operationId'];
  const aiSdk = isText(operationId) ? operationId : '';
  if (aiSdk === 'ai.toolCall') return 'tool';
  if (/^ai\.\w+\.do(?:Generate|Stream)$/.test(aiSdk)) return 'model';
  if (attributes['traceloop.span.kind'] === 'tool') return 'tool';
  return attributes['llm.request.type'] !== undefined && attributes['llm.request.type'] !== 'embedding'
    ? 'model'
    : 'other';
}

function stepOf(span: Span, index: number): RecordedStep {
  const { attributes } = span;
  const kind = kindOf(span);
  const first = (...names: string[]) => names.map((name) => attributes[name]).find(isText) ?? null;
  const tool = kind === 'tool' ? toolOf(attributes) : undefined;
  return {
    id: span.id,
    parent: span.parent,
    kind,
    name:
      (kind === 'tool' && first('gen_ai.tool.name', 'ai.toolCall.name', 'tool.name', 'traceloop.entity.name')) ||
      span.name,
    place: `spans[${index}] ("${quoteOutput(span.name, { length: 60 })}")`,
    ...(tool ?? spanMessages(attributes, span.events)),
    start: span.start,
    end: span.end,
    model: first('gen_ai.response.model', 'ai.response.model', 'llm.model_name', 'gen_ai.request.model', 'ai.model.id'),
    usage: kind === 'model' ? usageOf(attributes) : null,
    cost_usd: null,
    error: span.error,
    callId: kind === 'tool' ? first('gen_ai.tool.call.id', 'ai.toolCall.id', 'tool_call.id', 'tool.call.id') : null,
  };
}

const TOOL_FIELDS = [
  ['gen_ai.tool.call.arguments', 'gen_ai.tool.call.result'],
  ['ai.toolCall.args', 'ai.toolCall.result'],
  ['ai.toolCall.input', 'ai.toolCall.output'],
  ['input.value', 'output.value'],
  ['traceloop.entity.input', 'traceloop.entity.output'],
] as const;

function toolOf(attributes: Attributes): Pick<RecordedStep, 'input' | 'output' | 'fields'> {
  const fields = TOOL_FIELDS.find((names) => names.some((name) => attributes[name] !== undefined)) ?? TOOL_FIELDS[0];
  const [input = null, output = null] = fields.map((name) => attributes[name]);
  return { input: parsed(input, fields[0]), output: parsed(output, fields[1]), fields };
}

function usageOf(attributes: Attributes): Usage | null {
  const tokens = (...names: string[]): number | undefined => {
    const value = names.map((name) => attributes[name]).find((each) => each !== undefined && each !== null);
    return value === undefined || !Number.isFinite(Number(value)) || Number(value) < 0 ? undefined : Number(value);
  };
  const given = {
    input_tokens: tokens(
      'gen_ai.usage.input_tokens',
      'gen_ai.usage.prompt_tokens',
      'llm.token_count.prompt',
      'ai.usage.inputTokens',
      'ai.usage.promptTokens',
    ),
    output_tokens: tokens(
      'gen_ai.usage.output_tokens',
      'gen_ai.usage.completion_tokens',
      'llm.token_count.completion',
      'ai.usage.outputTokens',
      'ai.usage.completionTokens',
    ),
    cache_read_tokens: tokens(
      'gen_ai.usage.cache_read.input_tokens',
      'gen_ai.usage.cache_read_input_tokens',
      'llm.token_count.prompt_details.cache_read',
      'ai.usage.cachedInputTokens',
    ),
    cache_write_tokens: tokens(
      'gen_ai.usage.cache_creation.input_tokens',
      'gen_ai.usage.cache_creation_input_tokens',
      'llm.token_count.prompt_details.cache_write',
    ),
  };
  return usageSchema.safeParse(given).data ?? null;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
