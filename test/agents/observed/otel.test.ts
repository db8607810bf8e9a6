import { connect } from 'node:http2';
import { fileURLToPath } from 'node:url';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { InMemorySpanExporter, type SpanExporter } from '@opentelemetry/sdk-trace';
import { describe, expect, test } from 'vitest';
import type { Trace } from '../../../packages/salvo/src/trace/trace.ts';
import { traceFrom } from '../../../packages/salvo/src/trace/trace-from.ts';
import { observedAgent, trialOf } from './observed-fixture.ts';

const SPANS_FILE = fileURLToPath(new URL('../../fixtures/observed/spans.mjs', import.meta.url));
const { CONVENTIONS, exportSpans }: SpansFixture = await import(SPANS_FILE);

interface SpansFixture {
  CONVENTIONS: Record<string, unknown>;
  exportSpans: (convention: string, exporter: SpanExporter) => Promise<string>;
}

const MESSAGES = [
  { role: 'user', content: 'Look up two orders.' },
  {
    role: 'assistant',
    content: null,
    tool_calls: ['A-1001', 'B-2002'].map((order_id, at) => ({
      id: `call_${at + 1}`,
      name: 'lookup_order',
      arguments: { order_id },
    })),
  },
  {
    role: 'tool_result',
    tool_call_id: 'call_1',
    name: 'lookup_order',
    content: '{"order_id":"A-1001","paid":49.9}',
    is_error: false,
  },
  { role: 'tool_result', tool_call_id: 'call_2', name: 'lookup_order', content: 'no such order', is_error: true },
  { role: 'assistant', content: 'One of them was paid.', tool_calls: [] },
];

function withoutSteps({ messages }: Trace): unknown {
  return messages.map((message) => (message.role === 'assistant' ? { ...message, step: undefined } : message));
}

const EXPORTERS = {
  protobuf: (url: string) => new ProtobufExporter({ url }),
  JSON: (url: string) => new JsonExporter({ url }),
  // The type of the option is not exported.
  'gzipped protobuf': (url: string) => new ProtobufExporter(JSON.parse(JSON.stringify({ url, compression: 'gzip' }))),
};

describe('observe: otel', () => {
  test.each(Object.keys(CONVENTIONS))('joins the spans of %s to a conversation', async (convention) => {
    const agent = observedAgent(
      {},
      ({ bases }) => exportSpans(convention, EXPORTERS.protobuf(`${bases.OTEL_EXPORTER_OTLP_ENDPOINT}/v1/traces`)),
      'otel',
    );
    const { trace, trial } = await trialOf({ agent });
    expect(trace.error).toBe(null);
    expect(withoutSteps(trace)).toEqual(MESSAGES);
    expect(trace).toMatchObject({
      ...{ model: 'gpt-4o-mini', input_tokens: 200, output_tokens: 40, turn_count: 2, tools_seen: 'observed' },
      observed: { by: 'otel', model_calls: 2, conversations: 1 },
    });
    expect(trace.cost_usd).toBeGreaterThan(0);
    expect(trace.turns).toEqual([1, 2].map((turn) => expect.objectContaining({ turn, input_tokens: 100 })));
    const step = { model: 'gpt-4o-mini', input_tokens: 100, output_tokens: 20, latency_seconds: expect.any(Number) };
    expect(trace.messages.filter(({ role }) => role === 'assistant')).toMatchObject([{ step }, { step }]);
    expect(trial.status).toBe('passed');
  });

  test.each(Object.entries(EXPORTERS))('receives %s', async (_, exporterFor) => {
    const agent = observedAgent(
      {},
      ({ bases }) => exportSpans('genai', exporterFor(`${bases.OTEL_EXPORTER_OTLP_ENDPOINT}/v1/traces`)),
      'otel',
    );
    const { trace } = await trialOf({ agent });
    expect(withoutSteps(trace)).toEqual(MESSAGES);
  });

  test('says that an exporter insists on gRPC, which is not received', async () => {
    const agent = observedAgent(
      {},
      async ({ bases }) => {
        const client = connect(bases.OTEL_EXPORTER_OTLP_ENDPOINT ?? '');
        const closed = new Promise((resolve) => client.once('close', resolve));
        client.on('error', () => {});
        client
          .request({
            ':method': 'POST',
            ':path': '/opentelemetry.proto.collector.trace.v1.TraceService/Export',
            'content-type': 'application/grpc',
          })
          .on('error', () => {})
          .end();
        await closed;
        return 'One of them was paid.';
      },
      'otel',
    );
    const { trial, details } = await trialOf({ agent });
    expect(trial).toMatchObject({ status: 'unscored', error_code: 'TOOLS_UNKNOWN' });
    expect(details[0]).toContain('an exporter sent its spans by gRPC, which is not received');
  });

  test('a program is led to the receiver by variables', async () => {
    const adapters = {
      program: {
        type: 'exec' as const,
        command: [process.execPath, SPANS_FILE, 'as-program'],
        observe: 'otel' as const,
      },
    };
    const { trace } = await trialOf({
      scenario: { adapter: 'program' },
      settings: { adapters },
      env: { PATH: process.env.PATH },
    });
    expect(withoutSteps(trace)).toEqual(MESSAGES);
  });

  test.each(Object.keys(CONVENTIONS))(
    'a list of spans of %s that an agent returns is read in the same way',
    async (convention) => {
      const exporter = new InMemorySpanExporter();
      let spans: object[] = [];
      exporter.shutdown = async () => {
        spans = exporter.getFinishedSpans().map((span) => ({
          ...{ name: span.name, attributes: span.attributes, events: span.events, status: span.status },
          ...{ startTime: span.startTime, endTime: span.endTime, parentSpanContext: span.parentSpanContext },
          spanContext: span.spanContext(),
        }));
      };
      await exportSpans(convention, exporter);
      expect(withoutSteps(traceFrom(spans))).toEqual(MESSAGES);
    },
  );
});
