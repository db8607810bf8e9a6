import { isRecord } from '../../../text/json/is-record.ts';

type Fields = Record<string, unknown>;

/** A span of Jaeger, Zipkin or a table of Phoenix with the names that OpenTelemetry has for its fields. */
export function plainSpan(span: Fields): Fields {
  if (typeof span.spanID === 'string' && typeof span.operationName === 'string') return jaegerSpan(span);
  if (isRecord(span.tags) && typeof span.id === 'string' && span.attributes === undefined) return zipkinSpan(span);
  if (typeof span['context.span_id'] === 'string') return tableSpan(span);
  return span;
}

/** The spans of a document of Jaeger, or of a tool that writes them as it does; undefined if it is none. */
export function listedSpans(document: Fields): unknown[] | undefined {
  const { data, spans } = document;
  if (Array.isArray(spans) && (spans.length > 0 || 'traceID' in document)) return spans;
  if (!Array.isArray(data) || !data.every((each) => isRecord(each) && Array.isArray(each.spans))) return undefined;
  return data.flatMap((each) => (isRecord(each) && Array.isArray(each.spans) ? each.spans : []));
}

/** Times are in microseconds. */
function jaegerSpan(span: Fields): Fields {
  const references = Array.isArray(span.references) ? span.references.filter(isRecord) : [];
  const parent = references.find(({ refType }) => refType === 'CHILD_OF') ?? references[0];
  const tags = Array.isArray(span.tags) ? span.tags.filter(isRecord) : [];
  const tag = (key: string): unknown => tags.find((each) => each.key === key)?.value;
  const isError = tag('otel.status_code') === 'ERROR' || tag('error') === true;
  const logs = Array.isArray(span.logs) ? span.logs.filter(isRecord) : [];
  return {
    traceId: span.traceID,
    spanId: span.spanID,
    parentSpanId: parent?.spanID ?? span.parentSpanID,
    name: span.operationName,
    ...microseconds(span.startTime, span.duration),
    attributes: tags,
    events: logs.map(({ fields }) => ({ name: nameOf(fields), attributes: fields })),
    status: isError ? { code: 2, message: tag('otel.status_description') } : {},
    scope: { name: tag('otel.scope.name') ?? tag('otel.library.name') },
  };
}

function nameOf(fields: unknown): unknown {
  const list = Array.isArray(fields) ? fields.filter(isRecord) : [];
  return list.find(({ key }) => key === 'event' || key === 'event.name')?.value;
}

function zipkinSpan({ tags, ...span }: Fields): Fields {
  const error = isRecord(tags) ? tags.error : undefined;
  return {
    traceId: span.traceId,
    spanId: span.id,
    parentSpanId: span.parentId,
    name: typeof span.name === 'string' ? span.name : 'a span',
    ...microseconds(span.timestamp, span.duration),
    attributes: tags,
    status: error === undefined ? {} : { code: 2, message: error },
  };
}

function microseconds(start: unknown, duration: unknown): Fields {
  if (typeof start !== 'number') return {};
  return {
    startTime: start / 1000,
    ...(typeof duration === 'number' ? { endTime: (start + duration) / 1000 } : {}),
  };
}

/** A row, whose columns have the names of fields within each other. */
function tableSpan(span: Fields): Fields {
  const prefix = 'attributes.';
  const attributes = Object.entries(span).flatMap(([name, value]) =>
    name.startsWith(prefix) && value !== null ? [[name.slice(prefix.length), value] as const] : [],
  );
  const kind = span.span_kind;
  return {
    ...span,
    spanId: span['context.span_id'],
    traceId: span['context.trace_id'],
    attributes: {
      ...(typeof kind === 'string' ? { 'openinference.span.kind': kind } : {}),
      ...Object.fromEntries(attributes),
    },
  };
}
