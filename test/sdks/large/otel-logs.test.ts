import { fileURLToPath } from 'node:url';
import { ROOT_CONTEXT, type Span, trace } from '@opentelemetry/api';
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { OTLPExporterBase } from '@opentelemetry/otlp-exporter-base';
import { convertLegacyHttpOptions, createOtlpHttpExportDelegate } from '@opentelemetry/otlp-exporter-base/node-http';
import { ProtobufLogsSerializer } from '@opentelemetry/otlp-transformer';
import { BatchLogRecordProcessor, LoggerProvider, type ReadableLogRecord } from '@opentelemetry/sdk-logs';
import { expect, test } from 'vitest';
import { observedAgent, trialOf } from '../../agents/observed/observed-fixture.ts';

type Attributes = Record<string, string | number>;
const SPANS_FILE = fileURLToPath(new URL('../../fixtures/observed/spans.mjs', import.meta.url));
const { exportSpans }: SpansFixture = await import(SPANS_FILE);

interface SpansFixture {
  exportSpans: (
    convention: string,
    exporter: OTLPTraceExporter,
    parent: undefined,
    tell: (span: Span, name: string, attributes: Attributes) => void,
  ) => Promise<string>;
}

const EXPORTERS = {
  JSON: (url: string) => new OTLPLogExporter({ url }),
  // As the exporter for protobuf is made of the same parts.
  'gzipped protobuf': (url: string) => {
    const options = JSON.parse(JSON.stringify({ url, compression: 'gzip' }));
    const headers = { 'Content-Type': 'application/x-protobuf' };
    const config = convertLegacyHttpOptions(options, 'LOGS', 'v1/logs', headers);
    return new OTLPExporterBase<ReadableLogRecord[]>(createOtlpHttpExportDelegate(config, ProtobufLogsSerializer));
  },
};

/** Values that are JSON are sent as what they are. */
function nested(attributes: Attributes) {
  const entries = Object.entries(attributes).map(([name, value]) => {
    return [name, typeof value === 'string' && /^[[{]/.test(value) ? JSON.parse(value) : value];
  });
  return Object.fromEntries(entries);
}

/**
 * Where instrumentations put what an event says: the deprecated events have a body, which may be nested; the current one
 * has attributes, which this SDK allows to be texts only.
 */
const PLACES: Record<string, (name: string, said: Attributes) => object> = {
  'genai-events': (eventName, said) => ({ eventName, body: nested(said) }),
  'genai-details': (eventName, attributes) => ({ eventName, attributes }),
};

const CASES = Object.keys(EXPORTERS).flatMap((format) => Object.keys(PLACES).map((events) => [events, format]));

test.each(CASES)('the log records of %s become messages, sent as %s', async (convention, format) => {
  const exporterFor = Object.entries(EXPORTERS).find(([name]) => name === format)?.[1];
  const recordOf = PLACES[convention];
  if (!exporterFor || !recordOf) throw new Error('There is no such case.');
  const agent = observedAgent(
    {},
    async ({ bases }) => {
      const exporter = exporterFor(bases.OTEL_EXPORTER_OTLP_LOGS_ENDPOINT ?? '');
      const provider = new LoggerProvider({ processors: [new BatchLogRecordProcessor(exporter)] });
      const logger = provider.getLogger('test');
      // An agent has other logs, too.
      logger.emit({ body: 'started', attributes: { 'event.name': 'shop.started' } });
      const spans = new OTLPTraceExporter({ url: bases.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? '' });
      const answer = await exportSpans(convention, spans, undefined, (span, name, said) => {
        logger.emit({ ...recordOf(name, said), context: trace.setSpan(ROOT_CONTEXT, span) });
      });
      await provider.shutdown();
      return answer;
    },
    'otel',
  );
  const { trace: seen, trial } = await trialOf({ agent });
  expect(trial).toMatchObject({ status: 'passed', error_message: null });
  expect(seen).toMatchObject({ model: 'gpt-4o-mini', input_tokens: 200, output_tokens: 40, tools_seen: 'observed' });
  expect(seen.messages).toMatchObject([
    { role: 'user', content: 'Look up two orders.' },
    {
      role: 'assistant',
      tool_calls: [
        { id: 'call_1', name: 'lookup_order', arguments: { order_id: 'A-1001' } },
        { id: 'call_2', name: 'lookup_order', arguments: { order_id: 'B-2002' } },
      ],
    },
    { role: 'tool_result', tool_call_id: 'call_1', content: '{"order_id":"A-1001","paid":49.9}', is_error: false },
    { role: 'tool_result', tool_call_id: 'call_2', content: 'no such order', is_error: true },
    { role: 'assistant', content: 'One of them was paid.' },
  ]);
});
