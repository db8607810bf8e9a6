import { describe, expect, it } from 'vitest';
import { expectToSurviveDamage, readValue, readValues } from '../../../../../../test/import-reader.ts';
import { tauBenchFormat } from './tau-bench.ts';

const traj = [
  { role: 'system', content: 'Follow the policy.' },
  { role: 'user', content: 'Cancel my order.' },
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'c1', type: 'function', function: { name: 'cancel_order', arguments: '{"id": "7"}' } }],
  },
  { role: 'tool', tool_call_id: 'c1', name: 'cancel_order', content: 'cancelled' },
  { role: 'assistant', content: 'Done.' },
];
const result = {
  task_id: 12,
  reward: 1.0,
  info: {
    task: { user_id: 'u', actions: [], instruction: 'x', outputs: [] },
    user_cost: 0.01,
    reward_info: { reward: 1.0, info: { r_actions: 1.0, gt_data_hash: 'h' } },
  },
  traj,
  trial: 3,
};

describe('tau-bench results', () => {
  it('are trials of a task, with the reward of the benchmark', () => {
    expect(tauBenchFormat.recognises(result)).toBe(true);
    const read = readValue(tauBenchFormat, result);
    expect(read).toMatchObject({
      id: '12/3',
      case: '12',
      trial: 3,
      given: { passed: null, reward: 1, scores: { r_actions: 1 } },
      aside: {},
      losses: [],
    });
    expect(read.trace.tool_calls_made).toMatchObject([
      { name: 'cancel_order', arguments: { id: '7' }, result: 'cancelled' },
    ]);
    expect(read.fields).toMatchObject({ info: { user_cost: 0.01 } });
  });

  it('give pass^1 and pass^2 of their rewards', () => {
    const rewards: [number, number][] = [
      [0, 1],
      [0, 1],
      [1, 1],
      [1, 0],
    ];
    const read = readValues(
      tauBenchFormat,
      ...rewards.map(([task_id, reward], index) => ({ ...result, task_id, reward, trial: index % 2 })),
    );
    const tasks = Object.values(Object.groupBy(read, (conversation) => conversation.case ?? ''));
    const won = tasks.map((trials = []) => trials.filter(({ given }) => given?.reward === 1).length);
    expect(won).toEqual([2, 1]);
  });

  it('keep a trial that failed before its end, whose reward is 0', () => {
    const read = readValue(tauBenchFormat, {
      ...result,
      reward: 0,
      traj: [],
      info: { error: 'the provider was down', traceback: '...' },
    });
    expect(read).toMatchObject({ given: { reward: 0 }, trace: { messages: [], error: 'the provider was down' } });
  });

  it('have a call of the old form, without an id', () => {
    const old = [
      traj[1],
      { role: 'assistant', content: null, function_call: { name: 'cancel_order', arguments: '{}' } },
      { role: 'function', name: 'cancel_order', content: 'ok' },
    ];
    expect(readValue(tauBenchFormat, { ...result, traj: old }).trace.tool_calls_made).toMatchObject([
      { name: 'cancel_order', result: 'ok' },
    ]);
  });

  it('have the calls of agents that write them as text', () => {
    const step = (thought: string, action: object) => ({
      role: 'assistant',
      content: `Thought:\n${thought}\nAction:\n${JSON.stringify(action)}`,
    });
    const { trace } = readValue(tauBenchFormat, {
      ...result,
      traj: [
        traj[1],
        step('Which order?', { name: 'find_order', arguments: { user: 'u' } }),
        { role: 'user', content: 'API output: order 7' },
        step('I can answer.', { name: 'respond', arguments: { content: 'It is order 7.' } }),
        { role: 'user', content: 'API output: is what I want to hear' },
        { role: 'assistant', content: 'Action: not JSON' },
      ],
    });
    expect(trace.messages).toMatchObject([
      { role: 'user' },
      {
        role: 'assistant',
        content: null,
        reasoning: 'Which order?',
        tool_calls: [{ name: 'find_order', arguments: { user: 'u' } }],
      },
      { role: 'tool_result', name: 'find_order', content: 'order 7' },
      { role: 'assistant', content: 'It is order 7.', reasoning: 'I can answer.' },
      { role: 'user', content: 'API output: is what I want to hear' },
      { role: 'assistant', content: 'Action: not JSON' },
    ]);
  });

  it('have no outcome if the reward is no number', () => {
    const read = readValue(tauBenchFormat, { ...result, reward: 'NaN' });
    expect(read.given).toBeNull();
    expect(read.losses).toEqual([{ line: 1, place: 'reward', problem: 'is not a number' }]);
    expect(readValue(tauBenchFormat, { ...result, reward: '0.5' }).given?.reward).toBe(0.5);
  });

  it('survive damage in every place', () => {
    expect(expectToSurviveDamage(tauBenchFormat, result)).toBeGreaterThan(60);
  });
});
