import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gunzip, inflate } from 'node:zlib';
import { errorMessage } from '../../text/errors/salvo-error.ts';
import { isRecord } from '../../text/json/is-record.ts';
import { jsonOrUndefined } from '../../text/json/json-in-text.ts';
import { isNestedTooDeeply } from '../../text/json/nesting.ts';
import { type LogEvent, otlpLogs, otlpSpans } from '../../trace/forms/recorded/otel-spans.ts';
import type { Span } from '../../trace/forms/recorded/span-step.ts';
import { MAX_ANSWER_BYTES } from '../call/guarded-fetch.ts';
import { bodyOf, refuse } from './loopback-server.ts';
import { decodeOtlp } from './otlp-messages.ts';

/** More spans of one turn are refused. */
const MAX_SPANS = 100_000;

/** What was received while an agent worked on one turn. */
export interface SpanSession {
  spans: Span[];
  logs: LogEvent[];
  /** Documents that could not be read. */
  problems: string[];
  /** Called when something came. */
  onReceived: () => void;
}

export function newSpanSession(): SpanSession {
  return { spans: [], logs: [], problems: [], onReceived: () => {} };
}

/** Which session spans of a trace belong to. */
interface SessionsOfSpans {
  ofTrace(traceId: string | null): SpanSession | undefined;
  all(): SpanSession[];
}

/** Receives one request of an exporter: OTLP over HTTP, as protobuf or JSON, maybe compressed. */
export async function receiveOtlp(
  incoming: IncomingMessage,
  response: ServerResponse,
  sessions: SessionsOfSpans,
): Promise<void> {
  const signal = /\/v1\/traces$/.test(incoming.url ?? '')
    ? 'traces'
    : /\/v1\/logs$/.test(incoming.url ?? '')
      ? 'logs'
      : null;
  const isJson = /json/.test(incoming.headers['content-type'] ?? '');
  const problem = (status: number, words: string): Promise<void> => {
    for (const session of sessions.all()) session.problems.push(words);
    return refuse(response, status, words);
  };
  const body = await bodyOf(incoming).catch(() => null);
  if (body === null) return;
  // Metrics are not needed, and an exporter that is refused would complain.
  if (signal === null) return accepted(response, isJson);
  if (body === undefined) return problem(413, `an exporter sent more than ${MAX_ANSWER_BYTES / 1024 ** 2} MB at once`);
  try {
    const plain = await decompressed(body, incoming.headers['content-encoding']);
    const document = isJson ? jsonDocument(plain) : decodeOtlp(plain, signal);
    if (signal === 'traces') keepSpans(otlpSpans(document), sessions);
    else keepLogs(otlpLogs(document), sessions);
  } catch (error) {
    return problem(400, `an exporter sent ${signal} that cannot be read: ${errorMessage(error)}`);
  }
  return accepted(response, isJson);
}

/** An empty `ExportTraceServiceResponse`. */
async function accepted(response: ServerResponse, isJson: boolean): Promise<void> {
  response.writeHead(200, { 'content-type': isJson ? 'application/json' : 'application/x-protobuf' });
  response.end(isJson ? '{}' : undefined);
}

async function decompressed(body: Buffer, encoding: string | undefined): Promise<Buffer> {
  const limit = { maxOutputLength: MAX_ANSWER_BYTES };
  if (encoding === 'gzip') return promisify(gunzip)(body, limit);
  if (encoding === 'deflate') return promisify(inflate)(body, limit);
  if (encoding === undefined || encoding === 'identity') return body;
  throw new Error(`the content-encoding ${encoding} is unknown`);
}

function jsonDocument(body: Buffer): Record<string, unknown> {
  const document = jsonOrUndefined(body.toString('utf8'));
  if (!isRecord(document)) throw new Error('expected a JSON object');
  if (isNestedTooDeeply(document)) throw new Error('it is nested too deeply');
  return document;
}

function keepSpans(spans: readonly Span[], sessions: SessionsOfSpans): void {
  for (const [traceId, ofTrace] of Map.groupBy(spans, (span) => span.traceId)) {
    const session = sessions.ofTrace(traceId);
    if (!session) {
      for (const each of sessions.all()) each.problems.push('spans came that belong to none of the trials under way');
      continue;
    }
    if (session.spans.length + ofTrace.length > MAX_SPANS) throw new Error(`more than ${MAX_SPANS} spans in one turn`);
    for (const span of ofTrace) session.spans.push(span);
    session.onReceived();
  }
}

function keepLogs(logs: readonly LogEvent[], sessions: SessionsOfSpans): void {
  for (const log of logs) {
    // Other logs of the agent are none of ours.
    if (!log.name.startsWith('gen_ai.') || log.spanId === '') continue;
    const session = sessions.ofTrace(log.traceId);
    if (session && session.logs.length < MAX_SPANS) session.logs.push(log);
    session?.onReceived();
  }
}

/** The spans of a session, with the log records that belong to them as events. */
export function spansWithLogs({ spans, logs }: SpanSession): Span[] {
  const bySpan = Map.groupBy(logs, ({ spanId }) => spanId);
  return spans.map((span) => ({ ...span, events: [...span.events, ...(bySpan.get(span.id) ?? [])] }));
}

/** Whether all spans are there that others are a part of. `parent` is the id that the agent was given. */
export function isWholeTrace({ spans }: SpanSession, parent: string): boolean {
  const ids = new Set(spans.map(({ id }) => id));
  return (
    spans.length > 0 && spans.every((span) => span.parent === null || span.parent === parent || ids.has(span.parent))
  );
}
