import { describe, expect, it } from 'vitest';
import { expectToSurviveDamage, readValue, readValues } from '../../../../../../test/import-reader.ts';
import { tau2Format } from './tau2.ts';

const greeting = {
  role: 'assistant',
  content: 'Welcome. What do you need?',
  tool_calls: null,
  turn_idx: 0,
  timestamp: '2026-02-01T10:00:00',
  cost: 0,
  usage: null,
};
const question = {
  role: 'user',
  content: 'My phone has no signal.',
  tool_calls: null,
  turn_idx: 1,
  timestamp: '2026-02-01T10:00:03',
  cost: 0.001,
  usage: { prompt_tokens: 900, completion_tokens: 9 },
};
const call = {
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'a1', name: 'find_line', arguments: { phone: '555' }, requestor: 'assistant' }],
  turn_idx: 2,
  timestamp: '2026-02-01T10:00:05',
  cost: 0.02,
  usage: { prompt_tokens: 100, completion_tokens: 10 },
  generation_time_seconds: 1.5,
  raw_data: { model: 'maker-large', choices: [{ message: { reasoning_content: 'I need the line.' } }] },
};
const result = {
  id: 'a1',
  role: 'tool',
  content: '{"line":"L1"}',
  requestor: 'assistant',
  error: false,
  turn_idx: 3,
  timestamp: '2026-02-01T10:00:06',
};
const request = {
  role: 'assistant',
  content: 'Please turn airplane mode off.',
  turn_idx: 4,
  timestamp: '2026-02-01T10:00:08',
  cost: 0.03,
  usage: { prompt_tokens: 120, completion_tokens: 12 },
};
const userCall = {
  role: 'user',
  content: null,
  tool_calls: [{ id: 'u1', name: 'toggle_airplane_mode', arguments: {}, requestor: 'user' }],
  turn_idx: 5,
  timestamp: '2026-02-01T10:00:20',
};
const userResult = {
  id: 'u1',
  role: 'tool',
  content: 'Airplane mode is off.',
  requestor: 'user',
  error: false,
  turn_idx: 6,
  timestamp: '2026-02-01T10:00:21',
};
const thanks = { role: 'user', content: 'It works. ###STOP###', turn_idx: 7, timestamp: '2026-02-01T10:00:25' };

const simulation = {
  id: 'sim-1',
  task_id: 'no_signal_1',
  trial: 0,
  seed: 300,
  start_time: '2026-02-01T10:00:00',
  end_time: '2026-02-01T10:00:25',
  duration: 25,
  termination_reason: 'user_stop',
  agent_cost: 0.05,
  user_cost: 0.01,
  reward_info: {
    reward: 1.0,
    db_check: { db_match: true, db_reward: 1.0 },
    action_checks: [{ action_match: true }, { action_match: false }],
    reward_breakdown: { DB: 1.0, COMMUNICATE: 0.5 },
  },
  messages: [greeting, question, call, result, request, userCall, userResult, thanks],
};
const results = {
  timestamp: '2026-02-01T09:59:00',
  info: {
    num_trials: 4,
    agent_info: { implementation: 'llm_agent', llm: 'maker-large-1' },
    environment_info: { domain_name: 'telecom' },
  },
  tasks: [{ id: 'no_signal_1' }],
  simulations: [simulation],
};

describe('tau2 results', () => {
  it('are trials of a task with the reward of the benchmark, which says nothing about passing', () => {
    const read = readValue(tau2Format, results);
    expect(read).toMatchObject({
      id: 'sim-1',
      suite: 'telecom',
      case: 'no_signal_1',
      trial: 0,
      given: { passed: null, reward: 1, scores: { DB: 1, COMMUNICATE: 0.5, db_match: true, action_checks: 0.5 } },
      losses: [],
    });
    expect(read.fields).toMatchObject({ seed: 300, user_cost: 0.01 });
    expect(read.fields).not.toHaveProperty('messages');
  });

  it('have the calls of the agent with their results, thoughts and figures', () => {
    const { trace } = readValue(tau2Format, results);
    expect(trace.tool_calls_made).toMatchObject([
      { id: 'a1', name: 'find_line', arguments: { phone: '555' }, result: '{"line":"L1"}', seen: 'reported' },
    ]);
    expect(trace).toMatchObject({
      model: 'maker-large-1',
      cost_usd: 0.05,
      input_tokens: 220,
      output_tokens: 22,
      latency_seconds: 5,
      timestamp: '2026-02-01T10:00:00.000Z',
      finish_reason: 'user_stop',
      max_turns_hit: false,
      error: null,
    });
    expect(trace.messages[2]).toMatchObject({
      reasoning: 'I need the line.',
      step: { latency_seconds: 1.5, cost_usd: 0.02, model: 'maker-large', input_tokens: 100 },
    });
  });

  it('keep the calls of the user beside the conversation: the agent neither made nor saw them', () => {
    const { trace, aside } = readValue(tau2Format, results);
    expect(trace.messages.map(({ role }) => role)).toEqual([
      'assistant',
      'user',
      'assistant',
      'tool_result',
      'assistant',
      'user',
    ]);
    expect(aside).toEqual({
      user_tool_calls: [
        {
          after_messages: 5,
          id: 'u1',
          name: 'toggle_airplane_mode',
          arguments: {},
          result: 'Airplane mode is off.',
          is_error: false,
        },
      ],
    });
  });

  it('count a reward that differs from 1 by rounding as 1, as the benchmark does', () => {
    const rewardOf = (reward: unknown) =>
      readValue(tau2Format, { ...results, simulations: [{ ...simulation, reward_info: { reward } }] }).given?.reward;
    expect([0.9999999, 1.0000001, 0.99, 0, true, 'NaN', null].map(rewardOf)).toEqual([
      1,
      1,
      0.99,
      0,
      1,
      undefined,
      undefined,
    ]);
  });

  it('have no outcome where the benchmark has none: the simulation did not run to an end', () => {
    const read = readValue(tau2Format, { ...simulation, termination_reason: 'infrastructure_error', messages: [] });
    expect(read.given).toBeNull();
    expect(read.trace.error).toBe('the simulation ended with infrastructure_error');
    const stopped = readValue(tau2Format, { ...simulation, termination_reason: 'max_steps' });
    expect(stopped.given?.reward).toBe(1);
    expect(stopped.trace).toMatchObject({ max_turns_hit: true, error: null });
  });

  it('are read from a simulation in a file of its own, and from a record with fewer fields', () => {
    expect(tau2Format.recognises(simulation)).toBe(true);
    expect(readValue(tau2Format, simulation)).toMatchObject({ case: 'no_signal_1', suite: null });
    const short = { task_id: 3, trial: 2, reward: 0, domain: 'airline', messages: simulation.messages };
    expect(tau2Format.recognises(short)).toBe(true);
    expect(readValue(tau2Format, short)).toMatchObject({
      case: '3',
      trial: 2,
      suite: 'airline',
      given: { passed: null, reward: 0 },
    });
  });

  it('have several results of tools in one message', () => {
    const two = { ...call, tool_calls: [...call.tool_calls, { id: 'a2', name: 'find_plan', arguments: {} }] };
    const bundle = { role: 'tool', tool_messages: [{ ...result, id: 'a2', content: 'plan', error: true }, result] };
    const { trace } = readValue(tau2Format, { ...simulation, messages: [question, two, bundle] });
    expect(trace.tool_calls_made.map(({ result: answer, is_error }) => [answer, is_error])).toEqual([
      ['{"line":"L1"}', false],
      ['plan', true],
    ]);
  });

  it('read what is readable: a bad message is a loss, a bad simulation does not hide the others', () => {
    const odd = { ...simulation, messages: [question, { role: 'wizard', content: 'x' }, request] };
    const { trace, losses } = readValue(tau2Format, { ...results, simulations: [odd] });
    expect(trace.messages).toHaveLength(2);
    expect(losses).toMatchObject([{ line: 1, place: 'simulations[0].messages[1].role' }]);
    const reading = tau2Format
      .read([{ line: 1, value: { ...results, simulations: [null, simulation, 5] } }])
      [Symbol.iterator]();
    expect(reading.next().value).toMatchObject({ id: 'sim-1' });
    expect(() => reading.next()).toThrow('simulations[0]: expected a simulation, which is an object (and 1 more of 3)');
  });

  it('say where the conversations are if the file has only an index, or only sound', () => {
    expect(() => readValues(tau2Format, { ...results, simulations: [], simulation_index: [{ id: 'sim-1' }] })).toThrow(
      'in the folder "simulations"',
    );
    expect(() => readValues(tau2Format, { ...simulation, messages: null, ticks: [] })).toThrow(
      'ticks of a spoken conversation',
    );
    expect(readValues(tau2Format, { ...results, simulations: [] })).toEqual([]);
  });

  it('survive damage in every place', () => {
    expect(expectToSurviveDamage(tau2Format, results)).toBeGreaterThan(200);
  });
});
