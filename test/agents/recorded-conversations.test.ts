import { expect, test } from 'vitest';
import { runScenario } from '../../packages/salvo/src/app/runs/run-scenario.ts';
import { defineScenario } from '../../packages/salvo/src/scenario/code/define-scenario.ts';
import { traceFrom } from '../../packages/salvo/src/trace/trace-from.ts';

const user = { role: 'user', content: 'Cancel A1, please.' };
const call = { id: 'c1', name: 'cancel_order', arguments: { id: 'A1' } };
const calls = { role: 'assistant', content: null, tool_calls: [call] };
const result = { role: 'tool', tool_call_id: 'c1', content: 'cancelled' };
const done = { role: 'assistant', content: 'Order A1 is cancelled.' };

test('conversations from a log are judged by what was said last, and their time is unknown unless they tell it', async () => {
  const recorded = defineScenario({
    prompt: 'See the conversation.',
    trials: 1,
    data: [
      { name: 'ends with the user', messages: [user, calls, result, done, { role: 'user', content: 'STOP' }] },
      {
        name: 'tells its time',
        messages: [user, calls, result, done],
        latency_seconds: 7,
        timestamp: '2025-01-02T03:04:05.000Z',
      },
    ],
    agent: ({ row }) => row,
    assertions: [
      { type: 'output_not_contains', value: 'As an AI' },
      { type: 'latency_limit', max_seconds: 60, weight: 0 },
    ],
  });
  const run = await runScenario({ scenario: recorded, env: {} });
  const [ended, told] = run.trials;
  expect(ended?.trace).toMatchObject({ final_content: 'Order A1 is cancelled.', latency_seconds: null });
  expect(ended?.trace).not.toHaveProperty('turns');
  expect(ended?.eval_results).toMatchObject([
    { passed: true },
    { status: 'unscored', details: expect.stringContaining('the time is unknown') },
  ]);
  expect(told?.trace).toMatchObject({ latency_seconds: 7, timestamp: '2025-01-02T03:04:05.000Z' });
  expect(told?.eval_results[1]).toMatchObject({ passed: true, details: 'took 7 s, at most 60 s allowed' });
});

test('a gate on time is unknown if the time of one trial is', async () => {
  const recorded = defineScenario({
    prompt: 'See the conversation.',
    trials: 1,
    max_latency_seconds: { p95: 5 },
    data: [
      { name: 'no time', messages: [user, done] },
      { name: 'told', messages: [user, done], latency_seconds: 1 },
    ],
    agent: ({ row }) => row,
    assertions: [{ type: 'output_contains', value: 'cancelled' }],
  });
  const { summary } = await runScenario({ scenario: recorded, env: {} });
  expect(summary).toMatchObject({ latency_p50: null, latency_p95: null });
  expect(summary.gates.at(-1)).toMatchObject({
    gate: 'max_latency_seconds',
    value: null,
    met: null,
    unknown: 'no_time',
  });
});

test('a trace that is read again in a run keeps its time', async () => {
  const told = traceFrom({ messages: [user, done], latency_seconds: 7, timestamp: '2025-01-02T03:04:05.000Z' });
  const again = defineScenario({
    prompt: 'See the conversation.',
    trials: 1,
    data: [{ name: 'exported', trace: told }],
    agent: ({ row }) => ({ ...row.trace }),
    assertions: [{ type: 'output_contains', value: 'cancelled' }],
  });
  const { trials } = await runScenario({ scenario: again, env: {} });
  expect(trials[0]?.trace).toMatchObject({ latency_seconds: 7, timestamp: '2025-01-02T03:04:05.000Z' });
});

test('an agent that returns its whole thread in each turn is counted once, and its time is measured', async () => {
  const thread: object[] = [];
  const answers = (content: string) => ({
    type: 'ai',
    content,
    usage_metadata: { input_tokens: 10, output_tokens: 20 },
  });
  const { trials } = await runScenario({
    scenario: {
      name: 'thread',
      trials: 1,
      messages: [
        { role: 'user', content: 'One?' },
        { role: 'user', content: 'Two?' },
      ],
      assertions: [{ type: 'output_contains', value: 'done' }],
    },
    agent: ({ messages }) => {
      thread.push({ type: 'human', content: messages.at(-1)?.content }, answers('thinking'), answers('done'));
      return { messages: [...thread] };
    },
    env: {},
  });
  expect(trials[0]?.trace).toMatchObject({ turn_count: 4, input_tokens: 40, output_tokens: 80 });
  expect(trials[0]?.trace?.latency_seconds).toEqual(expect.any(Number));
  expect(trials[0]?.trace?.turns?.map(({ output_tokens }) => output_tokens)).toEqual([40, 40]);
});
