import { isRecord } from '../../text/json/is-record.ts';
import { isNestedTooDeeply, MAX_NESTING } from '../../text/json/nesting.ts';
import { FormError } from '../../trace/forms/form-error.ts';
import { listedSpans, plainSpan } from '../../trace/forms/recorded/foreign-spans.ts';
import {
  hexId,
  isOtlp,
  isSpan,
  type LogEvent,
  otlpLog,
  otlpLogs,
  otlpSpans,
  readSpan,
  traceOfSpans,
} from '../../trace/forms/recorded/otel-spans.ts';
import { attributeMap } from '../../trace/forms/recorded/otlp-values.ts';
import { isText } from '../../trace/forms/recorded/recorded-step.ts';
import type { SpanEvent } from '../../trace/forms/recorded/span-messages.ts';
import type { Span } from '../../trace/forms/recorded/span-step.ts';
import type { FileRecord, ImportedConversation, ImportFormat } from '../import-format.ts';
import { type GivenScore, givenScores } from './given-scores.ts';
import { recordedConversation } from './recorded-conversation.ts';
import { salvoConversationOfSpans } from './salvo-otel.ts';

type Fields = Record<string, unknown>;

const NO_TRACE = 'spans without the id of a trace';

/**
 * Spans of OpenTelemetry: what OTLP sends, as one document, a list or lines of them; and lists or lines of spans, as SDKs,
 * Jaeger, Zipkin and Phoenix write them.
 */
export const otelFormat: ImportFormat = {
  name: 'otel',
  title: 'OpenTelemetry spans',
  unit: 'parts',
  recognises: (value) => (Array.isArray(value) ? value.length > 0 && isPart(value[0]) : isPart(value)),
  partsOf,
  *read(records) {
    yield conversationOf(records);
  },
};

function isPart(value: unknown): boolean {
  if (!isRecord(value)) return false;
  if (isOtlp(value) || isLogs(value) || isSpan(plainSpan(value)) || isLog(value)) return true;
  const [first] = listedSpans(value) ?? [];
  return first === undefined ? isAttributes(value) : isRecord(first) && isSpan(plainSpan(first));
}

function isLogs(value: Fields): boolean {
  return Array.isArray(value.resourceLogs) || Array.isArray(value.resource_logs);
}

/** A log record by itself, as a console exporter writes it. */
function isLog(value: Fields): boolean {
  const name = value.eventName ?? value.event_name ?? attributeMap(value.attributes)['event.name'];
  return isText(name) && name.startsWith('gen_ai.') && isText(value.traceId ?? value.trace_id);
}

/** The attributes of a span by themselves, as some logs have them. */
function isAttributes(value: Fields): boolean {
  return isText(value['gen_ai.operation.name']) || isText(value['gen_ai.output.messages']);
}

function* partsOf({ value, line }: FileRecord): Generator<{ key: string; part: FileRecord }> {
  const entries = Array.isArray(value) ? value : [value];
  for (const [index, entry] of entries.entries()) {
    if (!isRecord(entry)) continue;
    if (isOtlp(entry) || isLogs(entry)) {
      for (const { key, document } of documentParts(entry)) yield { key, part: { value: document, line } };
      continue;
    }
    const spans = isSpan(plainSpan(entry)) ? [entry] : listedSpans(entry);
    if (spans) {
      for (const span of spans)
        if (isRecord(span)) yield { key: traceIdOf(plainSpan(span)), part: { value: span, line } };
    } else if (isLog(entry)) yield { key: traceIdOf(entry), part: { value: entry, line } };
    else if (isAttributes(entry)) {
      yield {
        key: `line ${line}, ${index + 1}`,
        part: { value: { name: 'a span', spanId: 'f', attributes: entry }, line },
      };
    }
  }
}

function traceIdOf(span: Fields): string {
  const context = isRecord(span.context) ? span.context : isRecord(span.spanContext) ? span.spanContext : {};
  return hexId(span.traceId ?? span.trace_id ?? context.trace_id ?? context.traceId) ?? NO_TRACE;
}

/** The resources of a document with the scopes and entries of one trace each. */
function* documentParts(document: Fields): Generator<{ key: string; document: Fields }> {
  for (const [of, scopes, entries] of [
    ['resourceSpans', 'scopeSpans', 'spans'],
    ['resourceLogs', 'scopeLogs', 'logRecords'],
  ] as const) {
    for (const { resource, ...rest } of listIn(document, of)) {
      for (const within of [...listIn(rest, scopes), ...listIn(rest, 'instrumentationLibrarySpans')]) {
        const scope = within.scope ?? within.instrumentationLibrary;
        for (const [key, own] of Map.groupBy(listIn(within, entries), traceIdOf)) {
          yield { key, document: { [of]: [{ resource, [scopes]: [{ scope, [entries]: own }] }] } };
        }
      }
    }
  }
}

function listIn(record: Fields, name: string): Fields[] {
  const list = record[name] ?? record[name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)];
  return Array.isArray(list) ? list.filter(isRecord) : [];
}

interface Gathered {
  spans: Span[];
  logs: LogEvent[];
  lines: number[];
  resource: Fields;
}

function conversationOf(records: readonly FileRecord[]): ImportedConversation {
  const { spans, logs, lines, resource } = gathered(records);
  const bySpan = Map.groupBy(logs, ({ spanId }) => spanId);
  const whole = spans.map((span) => ({ ...span, events: [...span.events, ...(bySpan.get(span.id) ?? [])] }));
  if (whole.length === 0) throw new FormError('the trace', 'has only log records: their spans are not in the file');
  const exported = salvoConversationOfSpans(whole, lines[0] ?? 1);
  if (exported) return exported;
  const trace = traceOfSpans(whole);
  const root = rootOf(whole);
  const events = [...spans.flatMap((span) => span.events), ...logs];
  return recordedConversation({
    trace,
    lines: lines.length > 0 ? lines : records.map(({ line }) => line),
    id: root?.traceId ?? null,
    given: givenScores(events.flatMap(evaluationOf)),
    fields: { ...resource, ...fieldsOf(root), ...(root?.traceId ? { trace_id: root.traceId } : {}) },
  });
}

function gathered(records: readonly FileRecord[]): Gathered {
  const found: Gathered = { spans: [], logs: [], lines: [], resource: {} };
  for (const { value, line } of records) {
    if (!isRecord(value)) continue;
    const isDocument = isOtlp(value);
    // The reader of spans looks at them itself.
    if (!isDocument && isNestedTooDeeply(value)) {
      throw new FormError('the trace', `is nested more than ${MAX_NESTING} levels deep on line ${line}`);
    }
    const spans = isDocument ? otlpSpans(value) : isSpan(plainSpan(value)) ? [readSpan(plainSpan(value), 0)] : [];
    const logs = isLogs(value) ? otlpLogs(value) : spans.length === 0 && isLog(value) ? [otlpLog(value)] : [];
    for (const span of spans) {
      found.spans.push(span);
      found.lines.push(line);
    }
    for (const log of logs) found.logs.push(log);
    const [resource] = isDocument ? [...listIn(value, 'resourceSpans')] : [value];
    if (Object.keys(found.resource).length === 0 && isRecord(resource?.resource)) {
      found.resource = attributeMap(resource.resource.attributes);
    }
  }
  return found;
}

/** The first span that is in no other. */
function rootOf(spans: readonly Span[]): Span | undefined {
  const ids = new Set(spans.map(({ id }) => id));
  return spans.find(({ parent }) => parent === null || !ids.has(parent)) ?? spans[0];
}

/** The attributes of the first span that are no messages. */
function fieldsOf(root: Span | undefined): Fields {
  if (!root) return {};
  const isMessages = (name: string): boolean =>
    /^(?:gen_ai\.(?:input|output|prompt|completion|tool\.definitions|system_instructions)|llm\.|ai\.(?:prompt|response)|(?:in|out)put\b)/.test(
      name,
    );
  const entries = Object.entries(root.attributes).filter(([name]) => !isMessages(name));
  return Object.fromEntries([['name', root.name] as const, ...entries]);
}

/** `gen_ai.evaluation.result`: what somebody judged. */
function evaluationOf({ name, attributes }: SpanEvent): GivenScore[] {
  if (name !== 'gen_ai.evaluation.result') return [];
  const own = attributes['gen_ai.evaluation.name'];
  const value = attributes['gen_ai.evaluation.score.value'];
  const label = attributes['gen_ai.evaluation.score.label'];
  const isScore = typeof value === 'number' || typeof value === 'boolean' || isText(value);
  return [{ name: isText(own) ? own : 'score', value: isScore ? value : null, label: isText(label) ? label : null }];
}
