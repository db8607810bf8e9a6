import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { context, TraceFlags, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import { describe, expect, test } from 'vitest';
import { freePort } from '../../../packages/salvo/src/adapters/program/free-port.ts';
import { runScenario } from '../../../packages/salvo/src/app/runs/run-scenario.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { ASKED, askModel, baseUrls, startModel, trialOf } from './observed-fixture.ts';

const {
  exportSpans,
}: { exportSpans: (convention: string, exporter: SpanExporter, parent?: object) => Promise<string> } = await import(
  new URL('../../fixtures/observed/spans.mjs', import.meta.url).href
);

/** An agent behind a URL. */
async function startAgent(answer: (request: IncomingMessage, port: number) => Promise<string>) {
  const port = await freePort();
  const server = createServer(async (request, response) => {
    await json(request);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ content: await answer(request, port) }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port: own } = server.address() as AddressInfo;
  return {
    /** Where its model is, as its user has configured it. */
    port,
    url: `http://127.0.0.1:${own}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const header = (request: IncomingMessage, name: string) => String(request.headers[name]);

describe('a server that is observed', () => {
  test.each(['x-salvo-trial', 'traceparent'])('may answer several trials at once if it passes on %s', async (name) => {
    await using model = await startModel();
    // The first trial runs alone. Of the others, each waits until another one is there, too.
    let arrived = 0;
    const both = Promise.withResolvers<void>();
    await using agent = await startAgent(async (request, port) => {
      arrived += 1;
      if (arrived === 3) both.resolve();
      if (arrived > 1) await both.promise;
      return askModel(port, { [name]: header(request, name) });
    });
    const adapters = { server: { type: 'http', url: agent.url, observe: { model: { port: agent.port } } } } as const;
    const run = await runScenario({
      scenario: { name: 'orders', adapter: 'server', ...ASKED },
      ...{ settings: { adapters }, env: baseUrls(model.url), trials: 3, concurrency: 3 },
    });
    expect(run.trials.map(({ status }) => status)).toEqual(['passed', 'passed', 'passed']);
    expect(run.trials.map(({ trace: each }) => each?.observed)).toEqual(
      Array(3).fill({ by: 'model', model_calls: 2, conversations: 1 }),
    );
    expect(run.summary.trials_alone).toBe(undefined);
  });

  test('answers one trial at a time if it passes nothing on, and the summary says so', async () => {
    await using model = await startModel();
    let working = 0;
    let most = 0;
    await using agent = await startAgent(async (_, port) => {
      working += 1;
      most = Math.max(most, working);
      const answer = await askModel(port, {});
      working -= 1;
      return answer;
    });
    const adapters = { server: { type: 'http', url: agent.url, observe: { model: { port: agent.port } } } } as const;
    const run = await runScenario({
      scenario: { name: 'orders', adapter: 'server', ...ASKED },
      ...{ settings: { adapters }, env: baseUrls(model.url), trials: 4, concurrency: 4 },
    });
    expect(run.trials.map(({ status }) => status)).toEqual(Array(4).fill('passed'));
    expect(most).toBe(1);
    expect(run.summary.trials_alone).toBeGreaterThanOrEqual(3);
  });

  test.each([['x-salvo-trial'], [null]])('has its trials apart on a cassette if it passes on %s', async (name) => {
    const cwd = temporaryFolder();
    await using agent = await startAgent((request, port) =>
      askModel(port, name === null ? {} : { [name]: header(request, name) }),
    );
    const adapters = { server: { type: 'http', url: agent.url, observe: { model: { port: agent.port } } } } as const;
    const run = (url: string, cassettes: 'record' | 'replay') =>
      runScenario({
        scenario: { name: 'orders', adapter: 'server', ...ASKED },
        ...{ settings: { adapters }, env: baseUrls(url), trials: 3, concurrency: 3, cwd },
        ...{ modelCassette: 'c.jsonl', cassettes },
      });
    const callsOf = ({ trials }: Awaited<ReturnType<typeof run>>) =>
      trials.map(({ status, trace: each }) => [status, each?.tool_calls_made.map(({ id }) => id)]);
    const recorded = await (async () => {
      await using model = await startModel();
      return callsOf(await run(model.url, 'record'));
    })();
    expect(recorded.map(([status]) => status)).toEqual(['passed', 'passed', 'passed']);
    expect(new Set(recorded.flat(2)).size).toBe(7);
    expect(callsOf(await run('http://127.0.0.1:9', 'replay'))).toEqual(recorded);
  });

  test('is told where its model should be, if nothing was recorded', async () => {
    await using agent = await startAgent(async () => 'I need no model.');
    const adapters = { server: { type: 'http', url: agent.url, observe: { model: { port: agent.port } } } } as const;
    const { details } = await trialOf({ scenario: { adapter: 'server' }, settings: { adapters }, env: {} });
    expect(details[0]).toContain(
      `Check that the server calls its model at http://127.0.0.1:${agent.port} (OpenAI: http://127.0.0.1:${agent.port}/v1)`,
    );
  });

  test('needs a port that is free', async () => {
    await using agent = await startAgent(async () => '');
    const taken = Number(new URL(agent.url).port);
    const adapters = { server: { type: 'http', url: agent.url, observe: { model: { port: taken } } } } as const;
    await expect(trialOf({ scenario: { adapter: 'server' }, settings: { adapters }, env: {} })).rejects.toMatchObject({
      code: 'ADAPTER_NOT_READY',
      outcome: 'wrong_input',
      message: expect.stringContaining(`the port ${taken} is in use`),
    });
  });

  test('sends spans that belong to the trial by their trace id, also late', async () => {
    await using agent = await startAgent(async (request, port) => {
      const [, traceId = '', spanId = ''] = header(request, 'traceparent').split('-');
      const parent = trace.setSpanContext(context.active(), {
        traceId,
        spanId,
        traceFlags: TraceFlags.SAMPLED,
        isRemote: true,
      });
      const exporter = new OTLPTraceExporter({ url: `http://127.0.0.1:${port}/v1/traces` });
      // After the answer.
      setImmediate(() => exportSpans('genai', exporter, parent));
      return 'One of them was paid.';
    });
    const adapters = { server: { type: 'http', url: agent.url, observe: { otel: { port: agent.port } } } } as const;
    const run = await runScenario({
      scenario: { name: 'orders', adapter: 'server', ...ASKED },
      ...{ settings: { adapters }, env: {}, trials: 2, concurrency: 2 },
    });
    expect(run.trials.map(({ status }) => status)).toEqual(['passed', 'passed']);
    expect(run.trials.map(({ trace: each }) => each?.observed)).toEqual(
      Array(2).fill({ by: 'otel', model_calls: 2, conversations: 1 }),
    );
  });
});
