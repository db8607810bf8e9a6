import { createServer, type IncomingHttpHeaders } from 'node:http';
import { json } from 'node:stream/consumers';
import { context, TraceFlags, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import { describe, expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../../packages/salvo/src/adapters/program/free-port.ts';
import { runScenario } from '../../../packages/salvo/src/app/runs/run-scenario.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { ASKED, askModel, baseUrls, startModel } from './observed-fixture.ts';

const {
  exportSpans,
}: { exportSpans: (convention: string, exporter: SpanExporter, parent?: object) => Promise<string> } = await import(
  new URL('../../fixtures/observed/spans.mjs', import.meta.url).href
);

type Protocol = 'a2a' | 'ag-ui';

/** How an agent answers with a text. */
const ANSWERS: Record<Protocol, (text: string) => { type: string; body: string }> = {
  a2a: (text) => {
    const result = { kind: 'message', role: 'agent', parts: [{ kind: 'text', text }] };
    return { type: 'application/json', body: JSON.stringify({ jsonrpc: '2.0', result }) };
  },
  'ag-ui': (delta) => {
    const events = [{ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta }, { type: 'RUN_FINISHED' }];
    return { type: 'text/event-stream', body: events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('') };
  },
};

/** An agent behind a protocol, and the port on which it is observed. */
async function startAgent(type: Protocol, answer: (headers: IncomingHttpHeaders, port: number) => Promise<string>) {
  const port = await freePort();
  const server = createServer(async (request, response) => {
    // Without a card, the address is the agent.
    if (request.method === 'GET') return void response.writeHead(404).end();
    await json(request);
    const { type: contentType, body } = ANSWERS[type](await answer(request.headers, port));
    response.writeHead(200, { 'content-type': contentType }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port: own }: { port?: number } = Object(server.address());
  return { port, url: `http://127.0.0.1:${own}` };
}

const header = (headers: IncomingHttpHeaders, name: string) => ({ [name]: String(headers[name]) });

describe.each(['a2a', 'ag-ui'] as const)('an agent behind %s', (type) => {
  test('is observed by its model, several trials at once, and replayed from a cassette', async () => {
    // The first trial runs alone. Of the others, each waits until another one is there, too.
    let arrived = 0;
    let both = Promise.withResolvers<void>();
    const { url, port } = await startAgent(type, async (headers, at) => {
      arrived += 1;
      if (arrived === 3) both.resolve();
      if (arrived > 1) await both.promise;
      return askModel(at, header(headers, 'x-salvo-trial'));
    });
    const cwd = temporaryFolder();
    const server = { type, url, observe: { model: { port } }, cassette: 'c.jsonl' } as const;
    const run = async (model: string, cassettes: 'record' | 'replay') => {
      arrived = 0;
      both = Promise.withResolvers<void>();
      const { trials } = await runScenario({
        scenario: { name: 'orders', adapter: 'server', ...ASKED },
        ...{ settings: { adapters: { server } }, env: baseUrls(model), trials: 3, concurrency: 3, cwd, cassettes },
      });
      return trials.map(({ status, trace: seen }) => [status, seen?.observed, seen?.final_content]);
    };
    const recorded = await (async () => {
      await using model = await startModel();
      return await run(model.url, 'record');
    })();
    const observed = { by: 'model', model_calls: 2, conversations: 1 };
    expect(recorded).toEqual(Array(3).fill(['passed', observed, 'One of them was paid.']));
    expect(await run('http://127.0.0.1:9', 'replay')).toEqual(recorded);
  });

  test('is observed by its spans, which belong to the trial by their trace id', async () => {
    const { url, port } = await startAgent(type, async (headers, at) => {
      const [, traceId = '', spanId = ''] = String(headers.traceparent).split('-');
      const parent = { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true };
      const exporter = new OTLPTraceExporter({ url: `http://127.0.0.1:${at}/v1/traces` });
      return exportSpans('genai', exporter, trace.setSpanContext(context.active(), parent));
    });
    const server = { type, url, observe: { otel: { port } } } as const;
    const { trials } = await runScenario({
      scenario: { name: 'orders', adapter: 'server', ...ASKED },
      ...{ settings: { adapters: { server } }, env: {}, trials: 2, concurrency: 2 },
    });
    expect(trials.map(({ status, trace: seen }) => [status, seen?.observed?.by])).toEqual(
      Array(2).fill(['passed', 'otel']),
    );
  });
});
