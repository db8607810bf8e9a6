import { describe, expect, it } from 'vitest';
import { expectToSurviveDamage } from '../../../../../test/import-reader.ts';
import type { ImportedConversation } from '../import-format.ts';
import { atifFormat } from './atif.ts';

type Fields = Record<string, unknown>;

const call = (id: string, name: string, given: Fields) => ({ tool_call_id: id, function_name: name, arguments: given });

function trajectory(steps: unknown[], more: Fields = {}): Fields {
  const agent = { name: 'terminus', version: '2', model_name: 'gpt-5' };
  return { schema_version: 'ATIF-v1.7', session_id: 's-1', agent, steps, ...more };
}

function read(value: unknown): ImportedConversation {
  const [conversation] = atifFormat.read([{ value, line: 3 }]);
  if (!conversation) throw new Error('nothing was read');
  return conversation;
}

describe('atifFormat', () => {
  const steps = [
    { step_id: 1, source: 'system', message: 'You work.' },
    { step_id: 2, source: 'user', message: 'Go', timestamp: '2026-02-01T10:00:00Z' },
    {
      ...{ step_id: 3, source: 'agent', message: '', reasoning_content: 'Hm', timestamp: '2026-02-01T10:00:05Z' },
      tool_calls: [call('c1', 'bash', { command: 'ls' }), call('c2', 'bash', { command: 'pwd' })],
      observation: {
        results: [
          { source_call_id: 'c2', content: '/repo' },
          { source_call_id: 'c1', content: [{ type: 'text', text: 'a.ts' }] },
        ],
      },
      metrics: { prompt_tokens: 100, completion_tokens: 10, cached_tokens: 60, cost_usd: 0.01 },
    },
    {
      step_id: 4,
      source: 'agent',
      model_name: 'gpt-5-mini',
      message: [{ type: 'text', text: 'Done' }],
      metrics: { prompt_tokens: 120, completion_tokens: 5, cost_usd: 0.02 },
    },
  ];

  it('reads steps with their calls, results and figures', () => {
    const { trace, ...rest } = read(trajectory(steps, { mood: 'good' }));
    expect(trace.messages.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool_result',
      'tool_result',
      'assistant',
    ]);
    expect(trace.tool_calls_made.map(({ result }) => result)).toEqual(['a.ts', '/repo']);
    expect(trace).toMatchObject({
      input_tokens: 220,
      output_tokens: 15,
      cost_usd: 0.03,
      model: 'gpt-5-mini',
      final_content: 'Done',
      latency_seconds: 5,
    });
    expect(trace.messages[2]).toMatchObject({
      reasoning: 'Hm',
      step: { model: 'gpt-5', cache_read_tokens: 60, latency_seconds: 5 },
    });
    expect(rest).toMatchObject({ id: 's-1', line: 3, given: null, losses: [], aside: { mood: 'good' } });
  });

  it('believes the figures of the whole, and does not count copied steps', () => {
    const final_metrics = { total_prompt_tokens: 9, total_completion_tokens: 8, total_cost_usd: 7 };
    expect(read(trajectory(steps, { final_metrics })).trace).toMatchObject({
      input_tokens: 9,
      output_tokens: 8,
      cost_usd: 7,
    });
    const copied = [{ ...steps[2], is_copied_context: true }, steps[3]];
    expect(read(trajectory(copied)).trace).toMatchObject({ input_tokens: 120, output_tokens: 5 });
  });

  it('reads the steps of sub-agents before their result, and keeps references to files', () => {
    const inner = {
      ...trajectory([
        { source: 'user', message: 'Search' },
        { source: 'agent', message: 'Here', tool_calls: [call('x1', 'grep', {})] },
      ]),
      trajectory_id: 'in',
      agent: { name: 'explore' },
    };
    const outer = {
      ...{
        source: 'agent',
        message: 'I ask.',
        tool_calls: [call('c1', 'task', { prompt: 'Search' }), call('c2', 'task', {})],
      },
      observation: {
        results: [
          { source_call_id: 'c1', content: 'Here', subagent_trajectory_ref: [{ trajectory_id: 'in' }] },
          {
            source_call_id: 'c2',
            content: 'There',
            subagent_trajectory_ref: [{ session_id: 'out', trajectory_path: 'b.json' }],
          },
        ],
      },
    };
    const { trace, fields } = read(trajectory([outer], { subagent_trajectories: [inner] }));
    expect(trace.messages.map(({ role }) => role)).toEqual(['assistant', 'assistant', 'tool_result', 'tool_result']);
    expect(trace.messages[1]).toMatchObject({ agent: 'explore', tool_calls: [{ name: 'grep' }] });
    expect(fields.agents).toEqual([
      { name: 'explore', call: 'c1', id: 'in' },
      { name: 'sub-agent', call: 'c2', id: 'out', path: 'b.json' },
    ]);
    expect(fields.subagent_trajectories).toBeUndefined();
  });

  it('says what it could not keep, and where', () => {
    const { losses, trace } = read(
      trajectory([
        steps[1],
        4,
        { source: 'ghost' },
        { source: 'agent', message: 5, tool_calls: [{}], observation: { results: [null, { content: 'x' }] } },
      ]),
    );
    expect(losses.map(({ place }) => place)).toEqual([
      ...[
        'steps[1]',
        'steps[2].source',
        'steps[3].message',
        'steps[3].tool_calls[0]',
        'steps[3].observation.results[0]',
      ],
    ]);
    expect(trace.messages.at(-1)).toMatchObject({ role: 'tool_result', content: 'x' });
    expect([...atifFormat.read([{ value: trajectory([]), line: 1 }])]).toEqual([]);
    expect(() => read({ steps: 'none' })).toThrow('steps:');
  });

  it('survives damage in any place', () => {
    expect(expectToSurviveDamage(atifFormat, trajectory(steps))).toBeGreaterThan(50);
  });

  it('is recognised by its version', () => {
    expect(atifFormat.recognises(trajectory([]))).toBe(true);
    for (const other of [null, [], {}, { schema_version: 1, steps: [] }, { schema_version: 'ATIF-v1.0' }]) {
      expect(atifFormat.recognises(other)).toBe(false);
    }
  });
});
