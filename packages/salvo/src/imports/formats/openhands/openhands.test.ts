import { describe, expect, it } from 'vitest';
import {
  callsOf,
  expectToSurviveDamage,
  readValue,
  readValues,
  rolesOf,
} from '../../../../../../test/import-reader.ts';
import type { ImportedConversation } from '../../import-format.ts';
import { openHandsFormat, openHandsOutputFormat } from './openhands.ts';

type Fields = Record<string, unknown>;

const at = (second: number) => `2026-02-01T10:00:${String(second).padStart(2, '0')}.000000`;

const readAll = (events: readonly unknown[]): ImportedConversation[] => readValues(openHandsFormat, ...events);

const read = (events: readonly unknown[]): ImportedConversation => readValue(openHandsFormat, ...events);

const response = {
  id: 'r1',
  model: 'gpt-5',
  usage: { prompt_tokens: 10, completion_tokens: 2 },
  choices: [
    {
      message: {
        tool_calls: [
          { id: 'c1', function: { name: 'execute_bash', arguments: '{"command":"ls","security_risk":"LOW"}' } },
        ],
      },
    },
  ],
};
const metadata = (tool_call_id: string) => ({ tool_call_id, function_name: 'execute_bash', model_response: response });
const metrics = (prompt_tokens: number) => ({
  accumulated_cost: prompt_tokens / 100,
  accumulated_token_usage: { prompt_tokens, completion_tokens: 5, cache_read_tokens: 1 },
});

const events: Fields[] = [
  { id: 0, source: 'agent', timestamp: at(0), action: 'system', args: { content: 'You work.' } },
  {
    id: 1,
    source: 'user',
    timestamp: at(1),
    action: 'message',
    args: { content: 'Go', image_urls: ['https://example.com/a.png'] },
  },
  { id: 2, source: 'user', timestamp: at(1), action: 'recall', args: { query: 'Go' } },
  { id: 3, source: 'environment', timestamp: at(1), observation: 'agent_state_changed', content: '', extras: {} },
  {
    id: 4,
    source: 'agent',
    timestamp: at(3),
    action: 'run',
    args: { command: 'ls', thought: 'I look.' },
    tool_call_metadata: metadata('c1'),
    llm_metrics: metrics(10),
  },
  {
    id: 5,
    source: 'agent',
    timestamp: at(3),
    action: 'run',
    args: { command: 'false', thought: '' },
    tool_call_metadata: metadata('c2'),
    llm_metrics: metrics(10),
  },
  {
    id: 6,
    source: 'agent',
    timestamp: at(4),
    observation: 'run',
    content: 'a.ts',
    cause: 4,
    extras: { metadata: { exit_code: 0 } },
    tool_call_metadata: metadata('c1'),
  },
  {
    id: 7,
    source: 'agent',
    timestamp: at(5),
    observation: 'run',
    content: '',
    cause: 5,
    extras: { metadata: { exit_code: 1 } },
    tool_call_metadata: metadata('c2'),
  },
  { id: 8, source: 'agent', timestamp: at(6), action: 'read', args: { path: 'a.ts' }, llm_metrics: metrics(30) },
  { id: 9, source: 'agent', timestamp: at(7), observation: 'read', content: 'text', cause: 8, extras: {} },
  { id: 10, source: 'agent', timestamp: at(9), action: 'finish', args: { final_thought: 'All done', thought: '' } },
];

describe('openHandsFormat', () => {
  it('joins the calls of one response, and finds results by call or by cause', () => {
    const read1 = read(events);
    expect(rolesOf(read1)).toEqual([
      'system',
      'user',
      'assistant',
      'tool_result',
      'tool_result',
      'assistant',
      'tool_result',
      'assistant',
    ]);
    expect(callsOf(read1)).toEqual([
      ['execute_bash', 'a.ts', false],
      ['execute_bash', '', true],
      ['read', 'text', false],
      ['finish', null, false],
    ]);
    expect(read1.trace.tool_calls_made[0]?.arguments).toEqual({ command: 'ls', security_risk: 'LOW' });
    expect(read1.trace).toMatchObject({
      input_tokens: 30,
      output_tokens: 5,
      cost_usd: 0.3,
      model: 'gpt-5',
      final_content: 'All done',
      latency_seconds: 8,
    });
    expect(read1.aside).toEqual({ lines: { recall: 1, agent_state_changed: 1 } });
    expect(read1.trace.messages[1]).toMatchObject({ files: [{ url: 'https://example.com/a.png' }] });
  });

  it('counts each response once where no event tells the sum', () => {
    const without = events.map(({ llm_metrics: _, ...event }) => event);
    expect(read(without).trace).toMatchObject({ input_tokens: 10, output_tokens: 2, cost_usd: null });
  });

  it('reads the events of the SDK', () => {
    const text = (said: string) => [{ type: 'text', text: said }];
    const event = (kind: string, more: Fields) => ({ kind, source: 'agent', timestamp: at(1), id: kind, ...more });
    const action = (id: string, more: Fields = {}) =>
      event('ActionEvent', {
        thought: [],
        tool_name: 'terminal',
        tool_call_id: id,
        tool_call: { id, name: 'terminal', arguments: '{"command":"ls"}' },
        llm_response_id: 'r1',
        ...more,
      });
    const observe = (id: string, observation: Fields) =>
      event('ObservationEvent', { tool_name: 'terminal', tool_call_id: id, observation });
    const read1 = read([
      event('SystemPromptEvent', { system_prompt: { type: 'text', text: 'You work.' } }),
      event('MessageEvent', {
        source: 'user',
        llm_message: {
          role: 'user',
          content: [...text('Go'), { type: 'image', image_urls: ['https://example.com/a.png'] }],
        },
      }),
      action('c1', { thought: text('I look.'), reasoning_content: 'Hm' }),
      action('c2'),
      observe('c1', { kind: 'TerminalObservation', content: text('a.ts'), exit_code: 0 }),
      event('AgentErrorEvent', { tool_name: 'terminal', tool_call_id: 'c2', error: 'bad' }),
      action('c3', { llm_response_id: 'r2' }),
      event('UserRejectObservation', { tool_name: 'terminal', tool_call_id: 'c3', rejection_reason: 'no' }),
      event('ACPToolCallEvent', { tool_call_id: 'p1', title: 'Edit', status: 'pending', raw_input: { a: 1 } }),
      event('ACPToolCallEvent', { tool_call_id: 'p1', title: 'Edit', status: 'completed', raw_output: 'ok' }),
      event('ConversationStateUpdateEvent', {
        key: 'stats',
        value: { usage_to_metrics: { agent: metrics(20), condenser: metrics(2) } },
      }),
      event('MessageEvent', { llm_message: { role: 'assistant', content: text('Done') } }),
      event('ConversationErrorEvent', { source: 'environment', code: 'X', detail: 'no money' }),
    ]);
    expect(callsOf(read1)).toEqual([
      ['terminal', 'a.ts', false],
      ['terminal', 'bad', true],
      ['terminal', 'no', false],
      ['Edit', 'ok', false],
    ]);
    expect(read1.trace.tool_calls_made[2]?.seen).toBe('requested');
    expect(read1.trace.messages[2]).toMatchObject({ content: 'I look.', reasoning: 'Hm' });
    expect(read1.trace).toMatchObject({
      input_tokens: 22,
      output_tokens: 10,
      final_content: 'Done',
      error: 'no money',
    });
  });

  it('says what it could not keep, and where', () => {
    const read1 = read([
      events[1],
      3,
      { kind: 'NewEvent', source: 'agent', timestamp: at(0), llm_message: {} },
      { source: 'agent', action: 5 },
      { source: 'agent', observation: 'error', content: 'boom' },
    ]);
    expect(read1.losses.map(({ line, place }) => [line, place])).toEqual([
      [2, 'it'],
      [3, 'it.kind'],
    ]);
    expect(read1.trace.messages.at(-1)).toEqual({ role: 'system', content: 'boom' });
    expect(readAll([])).toEqual([]);
    expect(() => readAll([3])).toThrow('line 1, it is no event');
  });

  it('is certain about its first event', () => {
    for (const value of [events[0], events[3], events]) expect(openHandsFormat.recognises(value)).toBe(true);
    for (const other of [
      null,
      [],
      {},
      { action: 'run' },
      { kind: 0, source: 1, timestamp: 1 },
      { observation: 'x', action: 'y' },
    ]) {
      expect(openHandsFormat.recognises(other)).toBe(false);
    }
  });
});

describe('openHandsOutputFormat', () => {
  const row = {
    instance_id: 'repo-1',
    metadata: { llm_config: { model: 'gpt-5-mini' }, dataset: 'swe' },
    history: events,
    metrics: { accumulated_cost: 2, token_usages: [{ prompt_tokens: 3, completion_tokens: 4 }] },
    test_result: { git_patch: 'diff', report: { resolved: true } },
    odd: 1,
  };
  const readRow = (value: unknown) => [...openHandsOutputFormat.read([{ value, line: 9 }])];

  it('reads a row with its outcome and its figures', () => {
    const [read1] = readRow(row);
    expect(read1).toMatchObject({
      id: 'repo-1',
      case: 'repo-1',
      suite: 'swe',
      line: 9,
      given: { passed: true },
      aside: { odd: 1 },
    });
    expect(read1?.trace).toMatchObject({ input_tokens: 3, output_tokens: 4, cost_usd: 2 });
    expect(read1?.fields).not.toHaveProperty('history');
  });

  it('reads pairs of an action and what was observed, and gives no outcome that the row does not have', () => {
    const [read1] = readRow({ ...row, history: [[events[8], events[9]]], test_result: { git_patch: '' } });
    expect(read1?.trace.tool_calls_made).toMatchObject([{ name: 'read', result: 'text' }]);
    expect(read1?.given).toBeNull();
  });

  it('survives damage in any place', () => {
    expect(expectToSurviveDamage(openHandsOutputFormat, row)).toBeGreaterThan(100);
    expect(expectToSurviveDamage(openHandsFormat, events)).toBeGreaterThan(100);
  });

  it('is certain about its rows', () => {
    expect(openHandsOutputFormat.recognises(row)).toBe(true);
    for (const other of [null, {}, { instance_id: 'x' }, { instance_id: 'x', history: [{ role: 'user' }] }]) {
      expect(openHandsOutputFormat.recognises(other)).toBe(false);
    }
    expect(() => readRow(4)).toThrow('is no row');
  });
});
