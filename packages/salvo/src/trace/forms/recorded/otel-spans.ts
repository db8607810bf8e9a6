import { isRecord } from '../../../text/json/is-record.ts';
import { isNestedTooDeeply, MAX_NESTING } from '../../../text/json/nesting.ts';
import { FormError } from '../form-error.ts';
import { attributeMap, otlpValue } from './otlp-values.ts';
import { isText, milliseconds, type RecordedTrace, rootsOf } from './recorded-step.ts';
import type { SpanEvent } from './span-messages.ts';
import { kindOfSpan, type Span, stepOfSpan } from './span-step.ts';

/** Spans of OpenTelemetry: a list of them, or what OTLP sends (`resourceSpans`). Undefined if it is none. */
export function otelTrace(reply: unknown): RecordedTrace | undefined {
  const spans = Array.isArray(reply) ? spansOfList(reply) : isOtlp(reply) ? otlpSpans(reply) : undefined;
  if (spans === undefined) return undefined;
  const told = spans.filter((span) => kindOfSpan(span) !== 'other');
  const traces = new Set(told.map(({ traceId }) => traceId));
  if (traces.size > 1) throw new FormError('spans:', `are of ${traces.size} traces: pass those of one at a time`);
  const [traceId = null] = traces;
  return traceOfSpans(spans.filter((span) => told.length === 0 || span.traceId === traceId));
}

/** Steps in the words of the conventions: GenAI, OpenInference, Traceloop, `ai.*` of the AI SDK. */
export function traceOfSpans(spans: readonly Span[]): RecordedTrace {
  const steps = spans.map(stepOfSpan);
  return { what: 'the OpenTelemetry trace', steps, roots: rootsOf(steps) };
}

export function isOtlp(reply: unknown): reply is Record<string, unknown> {
  return isRecord(reply) && (Array.isArray(reply.resourceSpans) || Array.isArray(reply.resource_spans));
}

function spansOfList(list: readonly unknown[]): Span[] | undefined {
  if (list.length === 0) return undefined;
  if (list.every(isOtlp)) return list.flatMap(otlpSpans);
  return list.every(isSpan) ? list.map(readSpan) : undefined;
}

export function isSpan(entry: unknown): entry is Record<string, unknown> {
  if (!isRecord(entry) || typeof entry.name !== 'string' || entry.attributes === undefined) return false;
  return idOf(entry) !== undefined && !('role' in entry);
}

/** The spans in a document of OTLP. Others, such as an empty one, have none. */
export function otlpSpans(document: Record<string, unknown>): Span[] {
  const scopes = records(document, ['resourceSpans', 'scopeSpans']);
  return scopes
    .flatMap((scope) => records(scope, ['spans']).map((span) => ({ scope: scope.scope, ...span })))
    .map(readSpan);
}

/** A log record that belongs to a span. */
export type LogEvent = SpanEvent & { spanId: string; traceId: string | null };

/** The log records in a document of OTLP, as events of the spans that they belong to. */
export function otlpLogs(document: Record<string, unknown>): LogEvent[] {
  return records(document, ['resourceLogs', 'scopeLogs', 'logRecords']).map(otlpLog);
}

export function otlpLog(record: Record<string, unknown>): LogEvent {
  const attributes = attributeMap(record.attributes);
  const body = otlpValue(record.body);
  const name = [record.eventName, record.event_name, attributes['event.name']].find(isText) ?? '';
  return {
    name,
    spanId: hexId(record.spanId ?? record.span_id) ?? '',
    traceId: hexId(record.traceId ?? record.trace_id) ?? null,
    attributes: { ...attributes, ...(isRecord(body) ? body : {}) },
  };
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

export function readSpan(span: Record<string, unknown>, index: number): Span {
  if (isNestedTooDeeply(span)) throw new FormError(`spans[${index}]:`, `nested more than ${MAX_NESTING} levels deep`);
  const context = isRecord(span.context) ? span.context : isRecord(span.spanContext) ? span.spanContext : {};
  const parentContext = isRecord(span.parentSpanContext) ? span.parentSpanContext : {};
  const id = idOf(span);
  if (id === undefined) throw new FormError(`spans[${index}]:`, 'expected a "spanId"');
  const scope = span.instrumentationScope ?? span.instrumentation_scope ?? span.scope ?? span.instrumentationLibrary;
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
    error: errorOf(span.status ?? { code: span.status_code, message: span.status_message }, read),
    ...(isRecord(scope) && isText(scope.name) ? { scope: scope.name } : {}),
  };
}

function idOf(span: Record<string, unknown>): string | undefined {
  const context = isRecord(span.context) ? span.context : isRecord(span.spanContext) ? span.spanContext : {};
  return hexId(
    span.spanId ?? span.span_id ?? context.span_id ?? context.spanId ?? (isText(span.traceId) ? span.id : undefined),
  );
}

/** Python writes `0x` before ids, and protobuf's own JSON has them in base64. A missing parent is an empty text or zeros. */
export function hexId(id: unknown): string | undefined {
  if (!isText(id)) return undefined;
  const isBase64 = /^(?:[A-Za-z0-9+/]{22}==|[A-Za-z0-9+/]{11}=)$/.test(id);
  const bare = isBase64 ? Buffer.from(id, 'base64').toString('hex') : id.replace(/^0x/, '');
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
