import { readFile, writeFile } from 'node:fs/promises';
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
