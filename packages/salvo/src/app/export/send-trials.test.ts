import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { startLoopback } from '../../../../../test/loopback/loopback-server.ts';
import { sampleExport } from '../../../../../test/sample-export.ts';
import { wholeTraces } from '../../../../../test/whole-traces.ts';
import { newSpanSession, receiveOtlp } from '../../adapters/observe/otlp-receiver.ts';
import { salvoTraceOfSpans } from '../../imports/formats/salvo-otel.ts';
import { langfuseEvents } from '../../report/export/langfuse-trial.ts';
import { otlpRequest } from '../../report/export/otlp-trace.ts';
import { langfuseDestination, otlpDestination } from './destinations.ts';
import { type SendOptions, sendTrials } from './send-trials.ts';

type Environment = Record<string, string>;

function options(env: Environment = {}, changes: Partial<SendOptions> = {}): SendOptions & { waited: number[] } {
  const waited: number[] = [];
  const never = new AbortController().signal;
  const sleep = async (seconds: number): Promise<void> => void waited.push(seconds);
  return { env, stop: never, abort: never, sleep, random: () => 0, waited, ...changes };
}

async function* trialsOf(count: number, entries: readonly string[] = ['{"a":1}']): AsyncGenerator<readonly string[]> {
  for (let index = 0; index < count; index += 1) yield entries;
}

const LANGFUSE = { LANGFUSE_PUBLIC_KEY: 'pk-lf-12345678', LANGFUSE_SECRET_KEY: 'sk-lf-87654321' };

describe('trials that are sent to a receiver of OpenTelemetry', () => {
  it('arrive in a real receiver as they were, compressed or not', async () => {
    const trace = wholeTraces['tools that Salvo answered'] ?? expect.fail();
    const entries = otlpRequest(sampleExport({ trace })).resourceSpans.map((each) => JSON.stringify(each));
    for (const env of [{}, { OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip' }]) {
      const session = newSpanSession();
      const encodings: unknown[] = [];
      const server = createServer((incoming, response) => {
        encodings.push(incoming.headers['content-encoding']);
        void receiveOtlp(incoming, response, { ofTrace: () => session, all: () => [session] });
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      await sendTrials(trialsOf(1, entries), otlpDestination(`http://127.0.0.1:${port}`, env), options());
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      expect(session.problems).toEqual([]);
      expect(salvoTraceOfSpans(session.spans)).toEqual(trace);
      expect(encodings).toEqual(['OTEL_EXPORTER_OTLP_COMPRESSION' in env ? 'gzip' : undefined]);
    }
  });

  it('go to the path of traces, with the headers of the environment, in batches', async () => {
    const headers = { OTEL_EXPORTER_OTLP_HEADERS: 'x-team=a%20b, authorization=Bearer%20abcdefgh1234' };
    const expected = {
      expect: (request: { path: string; headers: object }) => {
        expect(request.path).toBe('/base/v1/traces');
        expect(request.headers).toMatchObject({ 'x-team': 'a b', authorization: 'Bearer abcdefgh1234' });
      },
      reply: { json: { partialSuccess: {} } },
    };
    await using server = await startLoopback([expected, expected, expected]);
    const sent: number[] = [];
    const destination = otlpDestination(`${server.url}/base/`, headers);
    await sendTrials(trialsOf(250), destination, options(headers, { onSent: (trials) => sent.push(trials) }));
    expect(sent).toEqual([100, 200, 250]);
    expect(server.requests.map(({ body }) => (body as { resourceSpans: [] }).resourceSpans.length)).toEqual([
      100, 100, 50,
    ]);
  });

  it('are split at a size, and an address with the whole path is used as it is', async () => {
    const answer = { expect: ({ path }: { path: string }) => expect(path).toBe('/v1/traces'), reply: { json: {} } };
    await using server = await startLoopback([answer, answer]);
    const destination = otlpDestination(`${server.url}/v1/traces`, {});
    await sendTrials(trialsOf(1, [`"${'a'.repeat(2_000_000)}"`, `"${'b'.repeat(2_000_000)}"`]), destination, options());
  });

  it('are sent again after 429 and 503, as late as the server asks', async () => {
    await using server = await startLoopback([
      { reply: { status: 429, json: { message: 'slow' }, headers: { 'retry-after': '7' } } },
      { reply: { status: 503, json: {} } },
      { reply: 'reset' },
      { reply: { json: {} } },
    ]);
    const given = options();
    expect(await sendTrials(trialsOf(1), otlpDestination(server.url, {}), given)).toBe(1);
    expect(given.waited).toEqual([7, 1, 2]);
  });

  it('are given up if the server asks for a long wait, refuses them, or fails too often', async () => {
    await using server = await startLoopback([
      { reply: { status: 429, json: {}, headers: { 'retry-after': '3600' } } },
      { reply: { status: 400, json: { message: 'no such tenant' } } },
      ...Array.from({ length: 5 }, () => ({ reply: { status: 503, json: {} } })),
    ]);
    const to = otlpDestination(server.url, {});
    const failure = { code: 'EXPORT_NOT_SENT', outcome: 'unscored' };
    await expect(sendTrials(trialsOf(1), to, options())).rejects.toMatchObject(failure);
    await expect(sendTrials(trialsOf(1), to, options())).rejects.toThrow(
      /status 400: no such tenant\. 0 trials were sent/,
    );
    await expect(sendTrials(trialsOf(1), to, options())).rejects.toThrow('status 503');
  });

  it('that were refused in part are an error with the reason of the server', async () => {
    const partialSuccess = { rejectedSpans: '3', errorMessage: 'too old' };
    await using server = await startLoopback([{ reply: { json: { partialSuccess } } }]);
    const sending = sendTrials(trialsOf(2), otlpDestination(server.url, {}), options());
    await expect(sending).rejects.toThrow(/did not take 3 parts of the 2 trials that were sent:\n {2}too old/);
  });

  it('are counted when the user stops it', async () => {
    await using server = await startLoopback([{ reply: { json: {} } }]);
    const stop = new AbortController();
    const given = options({}, { stop: stop.signal, onSent: () => stop.abort() });
    const sending = sendTrials(trialsOf(300), otlpDestination(server.url, {}), given);
    await expect(sending).rejects.toThrow(/^Stopped\. 100 trials were sent to .*and the rest was not\..*they replace/);
  });

  it('are not sent to an address that is none, or has a password, or with headers that are none', () => {
    expect(() => otlpDestination('http://', {})).toThrow('is not a URL');
    for (const make of [
      () => otlpDestination('http://me:hunter22@host', {}),
      () => langfuseDestination('http://me:hunter22@host', LANGFUSE),
    ]) {
      expect(make).toThrow(/has a user name or a password/);
      expect(make).not.toThrow(/hunter22/);
    }
    for (const headers of ['hunter22', '=hunter22', 'a b=hunter22', 'a=%zzhunter22', 'a=hunter%0a22']) {
      const make = () => otlpDestination('http://host', { OTEL_EXPORTER_OTLP_HEADERS: headers });
      expect(make).toThrow('OTEL_EXPORTER_OTLP_HEADERS is not a list of headers');
      expect(make).not.toThrow(/hunter/);
    }
  });
});

describe('trials that are sent to Langfuse', () => {
  it('have the keys of the project, and what was refused of them is reported', async () => {
    const events = langfuseEvents(sampleExport());
    const ids = events.map(({ id }) => id);
    const successes = ids.slice(1).map((id) => ({ id, status: 201 }));
    const errors = [{ id: ids[0], status: 400, message: 'Invalid request data', error: 'name is too long' }];
    await using server = await startLoopback([
      {
        expect: ({ path, headers, body }) => {
          expect(path).toBe('/api/public/ingestion');
          expect(headers.authorization).toBe(`Basic ${btoa('pk-lf-12345678:sk-lf-87654321')}`);
          expect((body as { batch: { id: string }[] }).batch.map(({ id }) => id)).toEqual(ids);
        },
        reply: { status: 207, json: { successes, errors } },
      },
    ]);
    const sending = sendTrials(
      trialsOf(
        1,
        events.map((event) => JSON.stringify(event)),
      ),
      langfuseDestination(server.url, LANGFUSE),
      options(LANGFUSE),
    );
    await expect(sending).rejects.toThrow(
      /did not take 1 part of the 1 trial.*\n.*status 400: Invalid request data: name is too long/,
    );
  });

  it('never print a key, even if the server does', async () => {
    const echo = `wrong key sk-lf-87654321 in Basic ${btoa('pk-lf-12345678:sk-lf-87654321')}`;
    await using server = await startLoopback([{ reply: { status: 401, json: { message: echo } } }]);
    const sending = sendTrials(
      trialsOf(1),
      langfuseDestination(`${server.url}?key=hunter22`, LANGFUSE),
      options(LANGFUSE),
    );
    const message = await sending.catch((error: Error) => error.message);
    expect(message).toContain('status 401');
    expect(message).not.toMatch(/87654321|hunter22/);
    expect(message).not.toContain(btoa('pk-lf-12345678:sk-lf-87654321'));
  });

  it('need both keys', () => {
    expect(() => langfuseDestination('https://example.com', { LANGFUSE_PUBLIC_KEY: 'pk' })).toThrow(
      'LANGFUSE_SECRET_KEY',
    );
  });
});
