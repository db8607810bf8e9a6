import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type RunScenarioOptions, runScenario } from '../../../packages/salvo/src/app/runs/run-scenario.ts';
import { startAnsweringServer } from '../../loopback/answering-server.ts';
import { completion } from '../../loopback/openai-wire.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { AGENT_FILE, AGENTS, ASKED, baseUrls, observedAgent, plain, startModel } from './observed-fixture.ts';

/** Nobody answers there. */
const NOWHERE = 'http://127.0.0.1:9';
const REPLAY = { cassettes: 'replay' } as const;

function inThisProcess(name: string, url: string) {
  return observedAgent(baseUrls(url), ({ messages, bases }) => {
    const run = AGENTS[name];
    if (!run) throw new Error(`There is no agent ${name}.`);
    return run(plain(messages), { bases });
  });
}

/** Runs on a cassette of a folder. */
function onCassette(folder: string, options: Partial<RunScenarioOptions>) {
  const scenario = { name: 'orders', ...ASKED, ...options.scenario };
  return runScenario({ trials: 1, cwd: folder, env: {}, modelCassette: 'c.jsonl', ...options, scenario });
}

const linesOf = async (folder: string) =>
  (await readFile(join(folder, 'c.jsonl'), 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

/** A model whose stream never ends. */
async function startEndlessServer(text: string) {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port }: { port?: number } = Object(server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Everything that the answers of the model decide. */
function resultsOf({ trials }: Awaited<ReturnType<typeof runScenario>>): unknown {
  const ofOneRun = new Set(['trace_id', 'latency_seconds', 'started_seconds', 'timestamp']);
  return JSON.parse(JSON.stringify(trials, (key, value) => (ofOneRun.has(key) ? undefined : value)));
}

describe('an observed agent on a cassette', () => {
  test.each(Object.keys(AGENTS))('on %s has the same verdict and trace when its model is gone', async (name) => {
    const folder = temporaryFolder();
    const recorded = await (async () => {
      await using model = await startModel();
      return await onCassette(folder, { agent: inThisProcess(name, model.url) });
    })();
    expect(recorded.trials).toMatchObject([{ status: 'passed' }]);
    const replayed = await onCassette(folder, { agent: inThisProcess(name, NOWHERE), ...REPLAY });
    expect(resultsOf(replayed)).toEqual(resultsOf(recorded));
    expect(replayed.trials[0]?.trace).toMatchObject({ observed: { by: 'model', model_calls: 2 }, input_tokens: 200 });
    const lines = await linesOf(folder);
    const exchanges = lines.filter(({ kind }) => kind === 'exchange');
    expect(exchanges).toHaveLength(2);
    expect(exchanges[0].http.content_type.includes('event-stream')).toBe(name.endsWith('-stream'));
    expect(JSON.stringify(lines)).not.toContain('secret');
  });

  test('that is a program needs neither key nor network, and more trials than recorded are refused', async () => {
    const folder = temporaryFolder();
    const command = [process.execPath, AGENT_FILE, 'as-program', 'keys-of-env'];
    const env = ['OPENAI_API_KEY'];
    const program = { type: 'exec', command, env, observe: 'model', cassette: 'c.jsonl' } as const;
    const options = {
      ...{ settings: { adapters: { program } }, modelCassette: undefined },
      scenario: { name: 'orders', adapter: 'program', model: 'chat-stream' },
    };
    const recorded = await (async () => {
      await using model = await startModel();
      return await onCassette(folder, {
        ...options,
        env: { ...baseUrls(model.url), OPENAI_API_KEY: 'sk-of-a-user-0123456' },
      });
    })();
    expect(recorded.trials).toMatchObject([{ status: 'passed' }]);
    expect(JSON.stringify(await linesOf(folder))).not.toContain('sk-of-a-user');
    const noKey = { env: { PATH: process.env.PATH, OPENAI_API_KEY: '' } };
    expect(resultsOf(await onCassette(folder, { ...options, ...REPLAY, ...noKey }))).toEqual(resultsOf(recorded));
    await expect(onCassette(folder, { ...options, ...REPLAY, ...noKey, trials: 2 })).rejects.toMatchObject({
      code: 'CASSETTE_TRIALS_MISSING',
    });
  });

  test('has its trials apart, with their costs and times', async () => {
    const folder = temporaryFolder();
    const scenario = { name: 'orders', assertions: [] };
    const options = { scenario, trials: 3, concurrency: 3 };
    const recorded = await (async () => {
      await using server = await startAnsweringServer((_, number) => completion({ content: `No. ${number}` }));
      return await onCassette(folder, { ...options, agent: inThisProcess('chat', server.url) });
    })();
    const file = join(folder, 'c.jsonl');
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replaceAll(/"latency_seconds":[\d.]+/g, '"latency_seconds":7'));
    const replayed = await onCassette(folder, {
      ...options,
      ...REPLAY,
      concurrency: 1,
      agent: inThisProcess('chat', NOWHERE),
    });
    expect(resultsOf(replayed)).toEqual(resultsOf(recorded));
    expect(new Set(replayed.trials.map(({ trace }) => trace?.final_content)).size).toBe(3);
    for (const { trace } of replayed.trials) expect(trace?.latency_seconds).toBeGreaterThanOrEqual(7);
  });

  test('is not scored if it asks for something else, and the error says where it differs', async () => {
    const folder = temporaryFolder();
    await using server = await startAnsweringServer(() => completion({ content: 'One.' }));
    await onCassette(folder, { agent: inThisProcess('chat', server.url) });
    const before = server.requests();
    const said: string[] = [];
    const agent = observedAgent(baseUrls(server.url), async ({ messages, bases }) => {
      const answer = await AGENTS.chat?.(plain(messages), { bases }).catch((error: Error) => error.message);
      said.push(answer ?? '');
      return 'I go on without a model.';
    });
    const messages = [{ role: 'user' as const, content: 'Look up three orders.' }];
    const { trials } = await onCassette(folder, { ...REPLAY, agent, scenario: { name: 'orders', messages } });
    expect(trials).toMatchObject([{ status: 'unscored', error_code: 'ADAPTER_NOT_RECORDED' }]);
    expect(trials[0]?.error_message).toContain(
      'differs in messages[1].content: recorded "Look up two orders.", now "Look up three orders.". To record it again',
    );
    expect(said).toEqual([expect.stringMatching(/^404 .*is not on the cassette/)]);
    expect(server.requests()).toBe(before);
  });

  test('is recorded without attempts that failed for another reason than the request', async () => {
    const folder = temporaryFolder();
    const twice = (url: string) =>
      observedAgent(baseUrls(url), async ({ messages, bases }) => {
        const ask = () => AGENTS.chat?.(plain(messages), { bases });
        return (await ask()?.catch(() => undefined)) ?? ask();
      });
    await using server = await startAnsweringServer((_, number) =>
      number === 1 ? { status: 429, json: {} } : completion({ content: 'One.' }),
    );
    const scenario = { name: 'orders', assertions: [] };
    await onCassette(folder, { agent: twice(server.url), scenario });
    expect((await linesOf(folder)).filter(({ kind }) => kind === 'exchange')).toMatchObject([
      { http: { status: 200 } },
    ]);
    const { trials } = await onCassette(folder, { ...REPLAY, agent: twice(NOWHERE), scenario });
    expect(trials).toMatchObject([{ trace: { error: null, final_content: 'One.' } }]);
  });

  test('replays a stream that it broke off, and one that it never waited for is named', async () => {
    const folder = temporaryFolder();
    const chunk = { model: 'gpt-4o-mini', choices: [{ index: 0, delta: { content: 'Enough.' } }] };
    const breakOff = (url: string) =>
      observedAgent(baseUrls(url), async ({ bases }) => {
        const post = { method: 'POST', body: '{"model":"gpt-4o-mini","stream":true,"messages":[]}' };
        const response = await fetch(`${bases.OPENAI_BASE_URL}/chat/completions`, post);
        // Leaving the loop closes the connection.
        for await (const bytes of response.body ?? [])
          return `It said ${JSON.parse(String(Buffer.from(bytes)).slice(6)).choices[0].delta.content}`;
        return 'Nothing came.';
      });
    const scenario = { name: 'orders', assertions: [{ type: 'output_contains' as const, value: 'Enough' }] };
    const recorded = await (async () => {
      await using server = await startEndlessServer(`data: ${JSON.stringify(chunk)}\n\n`);
      return await onCassette(folder, { agent: breakOff(server.url), scenario });
    })();
    expect(recorded.warnings).toEqual([]);
    expect((await linesOf(folder)).filter(({ kind }) => kind === 'exchange')).toMatchObject([
      { http: { status: 200, broken_off: true } },
    ]);
    const replayed = await onCassette(folder, { ...REPLAY, agent: breakOff(NOWHERE), scenario });
    expect(resultsOf(replayed)).toEqual(resultsOf(recorded));
    expect(replayed.trials).toMatchObject([{ status: 'passed', trace: { final_content: 'It said Enough.' } }]);

    const arrived = new AbortController();
    await using silent = await startAnsweringServer(() => {
      arrived.abort();
      return 'hang';
    });
    const impatient = (url: string) =>
      observedAgent(baseUrls(url), async ({ bases }) => {
        const post = { method: 'POST', body: '{"model":"gpt-4o-mini","messages":[]}', signal: arrived.signal };
        await fetch(`${bases.OPENAI_BASE_URL}/chat/completions`, post).catch(() => {});
        return 'Enough of waiting.';
      });
    const { warnings } = await onCassette(folder, { agent: impatient(silent.url), scenario, cassettes: 'record' });
    expect(warnings).toEqual([
      expect.stringContaining('because the agent hung up before it came: trial 1 of "orders"'),
    ]);
  });

  test('takes as long as its recording says: requests at the same time count once', async () => {
    const folder = temporaryFolder();
    const together = (url: string) =>
      observedAgent(baseUrls(url), async ({ bases }) => {
        const ask = async (number: number) => {
          const body = JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: `No. ${number}` }] });
          await (await fetch(`${bases.OPENAI_BASE_URL}/chat/completions`, { method: 'POST', body })).text();
        };
        await Promise.all([1, 2, 3].map(ask));
        return 'Done.';
      });
    const scenario = { name: 'orders', assertions: [] };
    await using server = await startAnsweringServer(() => completion({ content: 'One.' }));
    await onCassette(folder, { agent: together(server.url), scenario });
    const file = join(folder, 'c.jsonl');
    const text = await readFile(file, 'utf8');
    const secondsWith = async (figures: string) => {
      await writeFile(file, text.replaceAll(/"started_seconds":[\d.]+,"latency_seconds":[\d.]+/g, figures));
      const { trials } = await onCassette(folder, { ...REPLAY, agent: together(NOWHERE), scenario });
      const times = trials[0]?.trace?.turns?.map((turn) => turn.latency_seconds);
      return { trial: trials[0]?.trace?.latency_seconds ?? 0, times };
    };
    // Beside these, the time that the agent itself takes now.
    const atOnce = await secondsWith('"started_seconds":0.5,"latency_seconds":70');
    expect(atOnce.times).toEqual([70, 70, 70]);
    expect(atOnce.trial).toBeGreaterThanOrEqual(70);
    expect(atOnce.trial).toBeLessThan(130);
    // An older recording does not tell when they were sent.
    expect((await secondsWith('"latency_seconds":70')).trial).toBeGreaterThanOrEqual(210);
  });

  test('in a module has a process for each trial, which needs neither key nor network in a replay', async () => {
    const folder = temporaryFolder();
    const module = { type: 'module', path: AGENT_FILE, observe: 'model', cassette: 'c.jsonl' } as const;
    const thanks = { role: 'user' as const, content: 'Thanks!' };
    const options = {
      ...{ settings: { adapters: { module } }, modelCassette: undefined, trials: 2, concurrency: 2 },
      scenario: {
        ...{ name: 'orders', adapter: 'module', model: 'messages-stream' },
        messages: [{ role: 'user' as const, content: 'Look up two orders.' }, thanks],
      },
    };
    const recorded = await (async () => {
      await using model = await startModel();
      return await onCassette(folder, { ...options, env: baseUrls(model.url) });
    })();
    expect(recorded.trials).toMatchObject([{ status: 'passed' }, { status: 'passed' }]);
    expect((await linesOf(folder)).filter(({ kind }) => kind === 'exchange')).toHaveLength(6);
    const replayed = await onCassette(folder, { ...options, ...REPLAY, env: { PATH: process.env.PATH } });
    expect(resultsOf(replayed)).toEqual(resultsOf(recorded));
    // Other trials than those that were recorded are refused before the first one.
    await expect(onCassette(folder, { ...options, ...REPLAY, trials: 3 })).rejects.toMatchObject({
      code: 'CASSETTE_TRIALS_MISSING',
    });
  });

  test('is told of an answer that cannot be kept', async () => {
    const folder = temporaryFolder();
    await using server = await startAnsweringServer(() => ({ contentType: 'audio/mpeg', text: 'la la' }));
    const agent = observedAgent(baseUrls(server.url), async ({ bases }) => {
      const response = await fetch(`${bases.OPENAI_BASE_URL}/audio/speech`, { method: 'POST', body: '{"input":"la"}' });
      return response.text();
    });
    const { warnings } = await onCassette(folder, { agent });
    expect(warnings).toEqual([
      expect.stringMatching(/ is not on the cassette, because it is no text \(audio\/mpeg.*\): trial 1 of "orders"/),
    ]);
    const { trials } = await onCassette(folder, { ...REPLAY, agent });
    expect(trials).toMatchObject([{ error_code: 'ADAPTER_NOT_RECORDED' }]);
  });

  test('may call no model in a trial, which is then recorded and replayed like others', async () => {
    const folder = temporaryFolder();
    const agent = observedAgent({}, async () => 'I know that without a model.');
    const scenario = { name: 'orders', assertions: [{ type: 'output_contains', value: 'know' }] };
    const recorded = await onCassette(folder, { agent, scenario, trials: 2 });
    expect((await linesOf(folder)).slice(1)).toMatchObject([
      { kind: 'trial', trial: 1 },
      { kind: 'trial', trial: 2 },
    ]);
    expect(resultsOf(await onCassette(folder, { ...REPLAY, agent, scenario, trials: 2 }))).toEqual(resultsOf(recorded));
    await expect(onCassette(folder, { ...REPLAY, agent, scenario, trials: 3 })).rejects.toThrow('(it lacks trial 3)');
  });

  test('is refused if only its spans are seen, and the message says what makes it possible', async () => {
    const agent = observedAgent({}, async () => 'Hello', 'otel');
    await expect(onCassette(temporaryFolder(), { agent })).rejects.toThrow('Write `observe: model` into its adapter');
  });
});
