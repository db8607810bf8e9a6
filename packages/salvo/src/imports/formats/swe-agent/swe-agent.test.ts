import { describe, expect, it } from 'vitest';
import { expectToSurviveDamage, readValue, readValues } from '../../../../../../test/import-reader.ts';
import type { ImportedConversation } from '../../import-format.ts';
import { sweAgentFormat } from './swe-agent.ts';

type Fields = Record<string, unknown>;

const readAll = (value: unknown): ImportedConversation[] => readValues(sweAgentFormat, value);

const read = (value: unknown): ImportedConversation => readValue(sweAgentFormat, value);

const calls = ({ trace }: ImportedConversation) =>
  trace.tool_calls_made.map(({ name, arguments: given, result }) => [name, given, result]);
const info = {
  exit_status: 'submitted',
  submission: 'diff',
  model_stats: { instance_cost: 0.4, tokens_sent: 900, tokens_received: 80, api_calls: 3 },
};
const start = [
  { role: 'system', content: 'You fix.', agent: 'main', message_type: 'system_prompt' },
  { role: 'user', content: 'The issue', agent: 'main', message_type: 'observation' },
];

describe('sweAgentFormat', () => {
  it('reads a history with function calls', () => {
    const history = [
      ...start,
      {
        role: 'assistant',
        content: 'I look.',
        thought: 'I look.',
        action: 'find_file a.py',
        agent: 'main',
        message_type: 'action',
        tool_calls: [
          { id: 'c1', type: 'function', function: { name: 'find_file', arguments: '{"file_name":"a.py"}' } },
        ],
        thinking_blocks: [{ type: 'thinking', thinking: 'Hm' }],
      },
      { role: 'tool', content: 'Found', agent: 'main', message_type: 'observation', tool_call_ids: ['c1'] },
    ];
    const read1 = read({
      history,
      info,
      trajectory: [],
      replay_config: '{"problem_statement":{"id":"repo-1"},"agent":{"model":{"name":"gpt-5"}}}',
      extra: 1,
    });
    expect(calls(read1)).toEqual([['find_file', { file_name: 'a.py' }, 'Found']]);
    expect(read1.trace).toMatchObject({
      input_tokens: 900,
      output_tokens: 80,
      cost_usd: 0.4,
      model: 'gpt-5',
      finish_reason: 'submitted',
      error: null,
    });
    expect(read1.trace.messages[2]).toMatchObject({ reasoning: 'Hm' });
    expect(read1.trace.messages[2]).not.toHaveProperty('agent');
    expect(read1).toMatchObject({ case: 'repo-1', given: null, losses: [], aside: { extra: 1 } });
  });

  it('reads thoughts and actions without function calls, and tells the task from observations', () => {
    const history = [
      ...start,
      {
        role: 'assistant',
        content: 'I look.\n```\nls\n```',
        thought: 'I look.',
        action: 'ls\n',
        message_type: 'action',
      },
      { role: 'user', content: [{ type: 'text', text: 'a.py' }], message_type: 'observation' },
    ];
    const read1 = read({ history, info: { exit_status: 'exit_cost', resolved: false } });
    expect(calls(read1)).toEqual([['bash', { command: 'ls\n' }, 'a.py']]);
    expect(read1.trace.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool_result']);
    expect(read1.trace.error).toBe('exit_cost');
    expect(expectToSurviveDamage(sweAgentFormat, { history, info })).toBeGreaterThan(20);
    expect(read1.given).toEqual({ passed: false, reward: null, scores: {} });
  });

  it('reads steps where there is no history, and each attempt of several', () => {
    const trajectory = [
      { action: 'ls', observation: 'a.py', response: 'I look.', thought: 'I look.', execution_time: 0.5 },
    ];
    expect(calls(read({ trajectory, info }))).toEqual([['bash', { command: 'ls' }, 'a.py']]);
    const attempts = [
      { trajectory, info },
      { trajectory, info },
    ];
    expect(sweAgentFormat.recognises({ attempts })).toBe(true);
    expect(readAll({ attempts }).map(({ trial }) => trial)).toEqual([0, 1]);
  });

  it('reads trajectories of mini-swe-agent, with and without function calls', () => {
    const response = { model: 'claude-sonnet-4-5', usage: { prompt_tokens: 50, completion_tokens: 5 } };
    const text = {
      trajectory_format: 'mini-swe-agent-1',
      instance_id: 'repo-2',
      info: { exit_status: 'Submitted', model_stats: { instance_cost: 0.1, api_calls: 1 } },
      messages: [
        { role: 'system', content: 'You fix.' },
        { role: 'user', content: 'The issue' },
        {
          role: 'assistant',
          content: 'I look.\n```bash\nls\n```\n',
          extra: { response, cost: 0.1, timestamp: 1_770_000_005.5 },
        },
        { role: 'user', content: '<output>a.py</output>', extra: { returncode: 1 } },
        { role: 'assistant', content: 'No command' },
        { role: 'user', content: 'Give a command' },
        { role: 'exit', content: 'diff', extra: {} },
      ],
    };
    const read1 = read(text);
    expect(calls(read1)).toEqual([['bash', { command: 'ls' }, '<output>a.py</output>']]);
    expect(read1.trace.tool_calls_made[0]?.is_error).toBe(true);
    expect(read1.trace.messages.filter(({ role }) => role === 'user')).toHaveLength(2);
    expect(read1).toMatchObject({
      case: 'repo-2',
      trace: { model: 'claude-sonnet-4-5', input_tokens: 50, cost_usd: 0.1, error: null },
    });

    const called: Fields = {
      trajectory_format: 'mini-swe-agent-1.1',
      info: { mini_version: '2.0', exit_status: 'LimitsExceeded' },
      messages: [
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c1', function: { name: 'bash', arguments: '{"command":"ls"}' } }],
          extra: { actions: [{ command: 'ls' }] },
        },
        { role: 'tool', tool_call_id: 'c1', content: 'a.py', extra: { returncode: 0 } },
        {
          object: 'response',
          model: 'gpt-5',
          output: [{ type: 'function_call', call_id: 'c2', name: 'bash', arguments: '{"command":"pwd"}' }],
        },
        { type: 'function_call_output', call_id: 'c2', output: '/repo', extra: {} },
      ],
    };
    expect(calls(read(called))).toEqual([
      ['bash', { command: 'ls' }, 'a.py'],
      ['bash', { command: 'pwd' }, '/repo'],
    ]);
    expect(read(called).trace.error).toBe('LimitsExceeded');
    for (const run of [text, called]) expect(expectToSurviveDamage(sweAgentFormat, run)).toBeGreaterThan(20);
  });

  it('says what it could not keep, and is certain about what it reads', () => {
    const { losses } = read({
      history: [...start, 7, { role: 'assistant', content: 9 }, { role: 'ghost' }],
      info: 'none',
    });
    expect(losses.map(({ place }) => place)).toEqual(['history[2]', 'history[3].content', 'history[4].role']);
    expect(readAll({ history: [], trajectory: [], info })).toEqual([]);
    expect(() => readAll(5)).toThrow('is no trajectory');
    for (const other of [
      null,
      [],
      {},
      { history: [] },
      { messages: [] },
      { history: [{ role: 'user' }] },
      { trajectory: [{ action: 1 }] },
    ]) {
      expect(sweAgentFormat.recognises(other)).toBe(false);
    }
  });
});
