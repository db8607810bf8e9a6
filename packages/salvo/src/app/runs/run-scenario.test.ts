import { readdir } from 'node:fs/promises';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { projectFixture } from '../../../../../test/project-fixture.ts';
import type { AgentFunction } from '../../adapters/agent/agent-function.ts';
import { defineScenario } from '../../scenario/code/define-scenario.ts';
import type { Trace } from '../../trace/trace.ts';
import { type RunScenarioOptions, runScenario } from './run-scenario.ts';

const orders = new Map([
  ['A1', 'shipped'],
  ['A2', 'lost'],
]);

/** Looks an order up and repeats what the tool says. */
const agent: AgentFunction = async ({ messages, callTool }) => {
  const id = /A\d/.exec(messages.at(-1)?.content ?? '')?.[0] ?? '';
  const { content } = await callTool('look_up', { id });
  return `The order is: ${content}`;
};

const scenario: RunScenarioOptions['scenario'] = {
  name: 'orders',
  prompt: 'Where is order A1?',
  tools: [
    {
      name: 'look_up',
      parameters: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
      mock_response: ({ id }) => {
        const status = orders.get(String(id));
        if (status === undefined) throw new Error(`no order ${id}`);
        return status;
      },
    },
  ],
  assertions: [
    { type: 'tool_called', tool: 'look_up', arguments: { id: 'A1' } },
    { path: 'response.content', contains: 'shipped' },
  ],
};

describe('runScenario', () => {
  test('runs an agent function against function mocks, and returns trials with traces and results', async () => {
    const run = await runScenario({ scenario, agent, trials: 2, env: {} });
    expect(run).toMatchObject({ verdict: 'PASS', exitCode: 0 });
    expect(run.summary).toMatchObject({ name: 'orders', verdict: 'PASS', trials_passed: 2, adapter: 'agent' });
    expect(run.trials.map(({ trial_number, status }) => [trial_number, status])).toEqual([
      [1, 'passed'],
      [2, 'passed'],
    ]);
    const [first] = run.trials;
    expect(first?.eval_results.map(({ assertion_type, passed }) => [assertion_type, passed])).toEqual([
      ['tool_called', true],
      ['jmespath', true],
    ]);
    expect(first?.trace).toMatchObject({
      final_content: 'The order is: shipped',
      provider: 'function',
      tool_calls_made: [{ name: 'look_up', arguments: { id: 'A1' }, result: 'shipped', is_error: false }],
    });
    expectTypeOf(run.trials[0]?.trace).toEqualTypeOf<Trace | null | undefined>();
  });

  test('runs every row of data as a case, with the same functions as mocks', async () => {
    const table = {
      ...scenario,
      data: [
        { id: 'A1', status: 'shipped' },
        { id: 'A2', status: 'lost' },
      ],
      prompt: 'Where is order {{id}}?',
      assertions: [{ path: 'response.content', contains: '{{status}}' }],
    };
    const run = await runScenario({ scenario: table, agent, trials: 1, env: {} });
    expect(run.summary).toMatchObject({ verdict: 'PASS', cases: [{ case: '1' }, { case: '2' }] });
    expect(run.trials.map((trial) => [trial.case, trial.trace?.final_content])).toEqual([
      ['1', 'The order is: shipped'],
      ['2', 'The order is: lost'],
    ]);
  });

  test('reads and writes no file, and needs no project', async () => {
    await using fixture = await projectFixture({ 'salvo.yaml': 'this is: [not valid' });
    const run = await runScenario({ scenario, agent, trials: 1, cwd: fixture.root, env: {} });
    expect(run.verdict).toBe('PASS');
    expect(await readdir(fixture.root)).toEqual(['salvo.yaml']);
  });

  test('what a function mock throws is a tool error, which the agent can react to', async () => {
    const run = await runScenario({ scenario: { ...scenario, prompt: 'Where is A9?' }, agent, trials: 1, env: {} });
    expect(run.trials[0]?.trace).toMatchObject({
      final_content: 'The order is: no order A9',
      tool_errors: [{ kind: 'mocked_error', message: 'no order A9' }],
    });
    expect(run).toMatchObject({ verdict: 'FAIL', exitCode: 1 });
  });

  test('functions and plain answers can be mixed, each with its own condition', async () => {
    const run = await runScenario({
      scenario: {
        prompt: 'Where are A1 and A2?',
        tools: [
          {
            name: 'look_up',
            mock_responses: [
              { when: { id: 'A1' }, respond: { status: 'shipped' } },
              { when: { id: 'A2' }, respond: async ({ id }) => ({ status: orders.get(String(id)) }) },
              { error: 'unknown order' },
            ],
          },
        ],
        assertions: [{ type: 'tool_called', tool: 'look_up', times: 3 }],
      },
      agent: async ({ callTool }) => {
        const answers = [];
        for (const id of ['A1', 'A2', 'A3']) answers.push((await callTool('look_up', { id })).content);
        return answers.join(' ');
      },
      trials: 1,
      env: {},
    });
    expect(run.trials[0]?.trace?.final_content).toBe('{"status":"shipped"} {"status":"lost"} unknown order');
    expect(run.verdict).toBe('PASS');
  });

  test('a named adapter of the settings is called like one of salvo.yaml, and judges too', async () => {
    const run = await runScenario({
      scenario: {
        prompt: 'Say hello.',
        script: [{ content: 'Hello.' }],
        assertions: [{ type: 'judge', criteria: [{ name: 'polite', description: 'Is it polite?' }], k: 1 }],
      },
      settings: {
        default_adapter: 'scripted',
        judge: { adapter: 'house', model: 'judge' },
        adapters: {
          house: {
            type: 'scripted',
            script: [{ content: '{"polite": {"score": 0.9, "reasoning": "yes"}}' }],
          },
        },
      },
      trials: 1,
      env: {},
    });
    expect(run.trials[0]).toMatchObject({ status: 'passed', judge_cost_usd: null });
    expect(run.summary.judges).toMatchObject([{ judge_model: 'judge', trials_judged: 1 }]);
  });

  test('an agent may be an adapter, which its caller closes', async () => {
    let closed = false;
    const run = await runScenario({
      scenario: { prompt: 'Say hello.', assertions: [{ type: 'output_contains', value: 'Hello' }] },
      agent: {
        providerName: () => 'mine',
        sendTurn: async () => ({
          content: 'Hello.',
          tool_calls: [],
          usage: null,
          finish_reason: 'stop',
          raw_response: null,
        }),
        close: async () => {
          closed = true;
        },
      },
      env: {},
    });
    expect(run.summary).toMatchObject({ verdict: 'PASS', trials_planned: 3, trials_passed: 3 });
    expect(run.trials[0]?.trace?.provider).toBe('mine');
    expect(closed).toBe(false);
  });

  test('an agent that throws has crashed', async () => {
    const broken = () => Promise.reject(new Error('no battery'));
    const run = await runScenario({ scenario, agent: broken, trials: 1, retries: 0, env: {} });
    expect(run).toMatchObject({ verdict: 'FAIL', exitCode: 1 });
    expect(run.trials[0]).toMatchObject({ status: 'crashed', error_message: expect.stringContaining('no battery') });
  });

  test('an agent whose provider failed leaves its trials unscored, which is no failure of the scenario', async () => {
    const broken = () => Promise.reject(Object.assign(new Error('slow down'), { status: 429 }));
    const run = await runScenario({ scenario, agent: broken, trials: 1, retries: 0, env: {} });
    expect(run).toMatchObject({ verdict: 'UNSCORED', exitCode: 3 });
    expect(run.trials[0]?.error_message).toContain('slow down');
  });

  test('a check that gives only a score passes from pass_at; one that gives a verdict is believed', async () => {
    const checks = (assertions: RunScenarioOptions['scenario']['assertions']) =>
      runScenario({ scenario: { prompt: 'hi', assertions }, agent: () => 'Hello.', trials: 1, env: {} });
    const passed = await checks([
      { id: 'enough', check: () => 0.8 },
      { id: 'own limit', check: () => ({ score: 0.5 }), pass_at: '50%' },
      { id: 'said so', check: () => ({ score: 0.1, passed: true }) },
    ]);
    expect(passed.trials[0]).toMatchObject({ status: 'passed', score: expect.closeTo(1.4 / 3) });
    const failed = await checks([
      { id: 'too low', check: () => 0.79 },
      { id: 'own limit', check: () => 0.9, pass_at: 1 },
      { id: 'said so', check: () => ({ score: 1, passed: false }) },
      { id: 'fine', check: () => true },
    ]);
    expect(failed.verdict).toBe('FAIL');
    expect(failed.trials[0]?.eval_results.map((each) => [each.assertion_id, each.passed, each.details])).toEqual([
      ['too low', false, expect.stringMatching(/^\(\) => 0?\.79 gave 0.79 for "Hello\." \(it passes from 0.8\)$/)],
      ['own limit', false, expect.stringContaining('gave 0.9 for "Hello." (it passes from 1)')],
      ['said so', false, expect.stringContaining('gave false for "Hello."')],
      ['fine', true, '() => true gave true for "Hello."'],
    ]);
  });

  test('a scenario is checked as a file would be, and all problems are thrown at once, by their paths', async () => {
    const wrong = { ...scenario, threshold: 2, tools: [{ name: 'a b' }], assertions: [{ type: 'tool_caled' }] };
    const error = await runScenario({ scenario: wrong, agent, env: {} }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'OBJECT_INVALID' });
    const [title, ...problems] = String(error).split('\n');
    expect(title).toContain('The scenario is not valid:');
    expect(problems.map((line) => line.trim().split(': ')[0])).toEqual([
      'tools[0].name',
      'threshold',
      'assertions[0].type',
    ]);
    await expect(runScenario({ scenario, agent, settings: { concurrency: 0 }, env: {} })).rejects.toMatchObject({
      message: expect.stringMatching(/^The settings are not valid:\n {2}concurrency: /),
    });
  });

  test('the same seed gives the same trials', async () => {
    const once = () =>
      runScenario({
        scenario: {
          prompt: 'Say yes or no.',
          adapter: 'scripted',
          script: { variants: [{ turns: [{ content: 'yes' }] }, { turns: [{ content: 'no' }] }] },
          assertions: [{ type: 'output_contains', value: 'yes' }],
        },
        trials: 20,
        seed: 7,
        env: {},
      });
    const [first, second] = await Promise.all([once(), once()]);
    expect(first.trials.map(({ status }) => status)).toEqual(second.trials.map(({ status }) => status));
    expect(new Set(first.trials.map(({ status }) => status))).toEqual(new Set(['passed', 'failed']));
  });
});

describe('a scenario of defineScenario', () => {
  const log: string[] = [];
  const counting = defineScenario({
    prompt: 'Add {{a}} and {{b}}.',
    data: [
      { name: 'small', a: 1, b: 2 },
      { name: 'large', a: 100, b: 200 },
    ],
    setup: () => ({ offset: 1000 }),
    setupTrial: ({ row, trialNumber }) => ({ calls: 0, id: `${row.name} ${trialNumber}` }),
    tools: [
      {
        name: 'add',
        mock_response: (_, { row, hooks }) => {
          hooks.trial.calls += 1;
          return row.a + row.b + hooks.scenario.offset;
        },
      },
    ],
    agent: async ({ callTool, row, hooks }) => `${row.name}: ${(await callTool('add')).content} in ${hooks.trial.id}`,
    assertions: [
      { type: 'output_contains', value: '{{name}}' },
      ({ output, row, hooks }) => ({ passed: output.includes(String(row.a + row.b)) && hooks.trial.calls === 1 }),
    ],
    teardownTrial: ({ hooks }) => void log.push(hooks.trial.id),
    teardown: () => Promise.reject(new Error('busy')),
  });

  test('gives its functions the row, and what its hooks made', async () => {
    const run = await runScenario({ scenario: counting, trials: 1, env: {} });
    expect(run.trials.map(({ status, trace }) => [status, trace?.final_content])).toEqual([
      ['passed', 'small: 1003 in small 1'],
      ['passed', 'large: 1300 in large 1'],
    ]);
    expect(log.sort()).toEqual(['large 1', 'small 1']);
    expect(run).toMatchObject({ verdict: 'PASS', warnings: ['teardown of the scenario (scenario) failed: busy'] });
  });

  test('cannot be scored if its setup fails', async () => {
    const scenario = { ...counting, setup: () => Promise.reject(new Error('no database')) };
    const run = await runScenario({ scenario, trials: 2, env: {} });
    expect(run).toMatchObject({ verdict: 'UNSCORED', exitCode: 3, summary: { trials_unscored: 4, trials_failed: 0 } });
    expect(run.trials[0]).toMatchObject({
      status: 'unscored',
      error_code: 'SETUP_FAILED',
      error_message: 'setup of the scenario failed: no database',
      trace: null,
    });
  });

  test('cannot be scored by a function that throws or gives no score', async () => {
    const broken = [() => Promise.reject(new Error('oops')), () => JSON.parse('"yes"')];
    const run = await runScenario({ scenario: { ...counting, assertions: broken }, trials: 1, env: {} });
    expect(run.trials[0]?.eval_results.map(({ status, details }) => [status, details])).toEqual([
      ['unscored', 'oops'],
      ['unscored', expect.stringContaining('"check 2" returned "yes": return true or false')],
    ]);
  });

  test('tears down a trial whose agent crashed or was too slow', async () => {
    log.length = 0;
    const crashing = { ...counting, agent: () => Promise.reject(new Error('crash')) };
    expect((await runScenario({ scenario: crashing, trials: 1, env: {} })).trials[0]?.status).toBe('crashed');
    const slow = { ...counting, timeout_seconds: 0.05, agent: () => new Promise<string>(() => {}) };
    expect((await runScenario({ scenario: slow, trials: 1, env: {} })).trials[0]?.status).toBe('unscored');
    expect(log).toHaveLength(4);
  });
});

test('a scenario with `skip` is skipped, and neither its agent nor its hooks run', async () => {
  const never = () => {
    throw new Error('called');
  };
  const run = await runScenario({ scenario: { ...scenario, skip: 'not now', agent: never, setup: never }, env: {} });
  expect(run).toMatchObject({ verdict: 'SKIPPED', exitCode: 3, trials: [], summary: { skipped: 'not now' } });
});
