import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Adapter } from '../../packages/salvo/src/adapters/adapter.ts';
import { runFiles } from '../../packages/salvo/src/app/runs/run.ts';
import { runScenario } from '../../packages/salvo/src/app/runs/run-scenario.ts';
import { evaluate } from '../../packages/salvo/src/testing/vitest.ts';
import { CASSETTE, oneScenario, startModels, variables } from '../cli/cassette-fixture.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const NO_KEYS = { HOME: '/nowhere' };

test('runFiles records and replays, and its record says so', async () => {
  await using server = await startModels();
  await using project = await oneScenario();
  const place = { cwd: project.root, files: ['s.yaml'], modelCassette: CASSETTE };
  const modes = [];
  for (const env of [variables(server), NO_KEYS]) {
    await using run = await runFiles({ ...place, env });
    modes.push(run.run.options.cassette?.mode);
    expect(run.outcome.scenarios[0]?.summary.trials_passed).toBe(1);
  }
  expect(modes).toEqual(['record', 'replay']);
  await expect(runFiles({ ...place, env: NO_KEYS, trials: 4 })).rejects.toMatchObject({
    code: 'CASSETTE_TRIALS_MISSING',
    message: expect.stringContaining('Run fewer with `trials`'),
  });
});

describe('runScenario', () => {
  const scenario = { name: 'adding', prompt: 'Add 1 and 2.', assertions: [{ type: 'output_contains', value: '3' }] };
  const model = (sendTurn: Adapter['sendTurn']): Adapter => ({
    providerName: () => 'own',
    isOneModelCall: true,
    sendTurn,
  });
  const answer = (content: string) => ({
    ...{ content, tool_calls: [], finish_reason: 'stop', raw_response: null },
    usage: { input_tokens: 1, output_tokens: 1 },
  });

  test('replays an adapter of the caller that is one model call', async () => {
    const cwd = temporaryFolder();
    const options = { scenario, trials: 2, cwd, env: {}, modelCassette: 'c.jsonl' };
    const words = ['1 or 3', '2 or 3'];
    const recorded = await runScenario({ ...options, agent: model(async () => answer(words.shift() ?? '')) });
    const never = model(() => Promise.reject(new Error('It must not be called.')));
    const replayed = await runScenario({ ...options, agent: never, cassettes: 'replay' });
    const answers = ({ trials }: typeof recorded) => trials.map(({ trace }) => trace?.final_content);
    expect(answers(recorded).sort()).toEqual(['1 or 3', '2 or 3']);
    expect(answers(replayed)).toEqual(recorded.trials.map(({ trace }) => trace?.final_content));
  });

  test.each([
    ['a function', () => '3'],
    ['a whole agent', { providerName: () => 'own', sendTurn: async () => answer('3') }],
  ])('refuses %s, whose calls Salvo does not see', async (_, agent) => {
    const cwd = temporaryFolder();
    const running = runScenario({ scenario, agent, cwd, env: {}, modelCassette: 'c.jsonl' });
    await expect(running).rejects.toThrow('calls its model itself');
    expect(existsSync(join(cwd, 'c.jsonl'))).toBe(false);
  });
});

describe('tests', () => {
  test('of one file share a cassette, and replay it when they run again', async () => {
    await using server = await startModels();
    await using project = await oneScenario();
    const modelCassette = project.path('tests.jsonl');
    const options = { cwd: project.root, store: false, trials: 1, modelCassette, env: variables(server) };
    const subject = (name: string) => ({ name, prompt: 'Refund order A-1.', assertions: [] });
    for (const name of ['one', 'two']) await evaluate(subject(name), options);
    const requests = server.requests();
    expect(requests).toBe(4);
    const again = { ...options, env: { ...NO_KEYS, SALVO_CASSETTES: 'replay' } };
    for (const name of ['one', 'two']) {
      const { trials } = await evaluate(subject(name), again);
      expect(trials[0]?.trace?.error).toBeNull();
    }
    await expect(evaluate(subject('three'), again)).rejects.toMatchObject({ code: 'CASSETTE_TRIALS_MISSING' });
    await expect(evaluate(subject('one'), { ...again, env: { SALVO_CASSETTES: 'once' } })).rejects.toThrow(
      'SALVO_CASSETTES',
    );
    expect(server.requests()).toBe(requests);
  });

  test('without a cassette do not care for the variable', async () => {
    const options = { prompt: 'Say hello.', store: false, trials: 1, env: { SALVO_CASSETTES: 'replay' } };
    const { trials } = await evaluate(() => 'Hello', options);
    expect(trials[0]?.trace?.final_content).toBe('Hello');
  });
});
