import { describe, expect, it } from 'vitest';
import { expectToSurviveDamage, readValue, readValues, rolesOf } from '../../../../../../test/import-reader.ts';
import type { ImportedConversation } from '../../import-format.ts';
import { codexFormat } from './codex.ts';

type Line = Record<string, unknown>;

const at = (second: number) => `2026-02-01T10:00:${String(second).padStart(2, '0')}.000Z`;
const line = (type: string, payload: Line, second = 0): Line => ({ timestamp: at(second), type, payload });
const item = (payload: Line, second = 0) => line('response_item', payload, second);
const event = (payload: Line, second = 0) => line('event_msg', payload, second);
const message = (role: string, text: string): Line => ({
  ...{ type: 'message', role, content: [{ type: role === 'assistant' ? 'output_text' : 'input_text', text }] },
});
const call = (call_id: string, name: string, given: Line): Line => ({
  ...{ type: 'function_call', name, call_id, arguments: JSON.stringify(given) },
});
const output = (call_id: string, given: unknown): Line => ({ type: 'function_call_output', call_id, output: given });
const tokens = (input: number, out: number, last: [number, number]) =>
  event({
    type: 'token_count',
    info: {
      total_token_usage: { input_tokens: input, cached_input_tokens: 3, output_tokens: out, total_tokens: input + out },
      last_token_usage: { input_tokens: last[0], cached_input_tokens: 0, output_tokens: last[1] },
    },
  });

const readAll = (lines: readonly unknown[]): ImportedConversation[] => readValues(codexFormat, ...lines);

const read = (lines: readonly unknown[]): ImportedConversation => readValue(codexFormat, ...lines);

describe('codexFormat', () => {
  const session = [
    line('session_meta', {
      id: 'th-1',
      timestamp: at(0),
      cwd: '/repo',
      cli_version: '0.140.0',
      base_instructions: { text: 'You code.' },
    }),
    item(message('user', '<environment_context>\n  <cwd>/repo</cwd>\n</environment_context>')),
    line('turn_context', { model: 'gpt-5-codex', cwd: '/repo' }),
    item(message('user', 'Fix it'), 1),
    event({ type: 'user_message', message: 'Fix it' }, 1),
    event({ type: 'token_count', info: null }),
    event({ type: 'agent_reasoning', text: 'Look first.' }, 2),
    item({ type: 'reasoning', summary: [{ type: 'summary_text', text: 'Look first.' }], encrypted_content: 'gAAA' }, 2),
    event({ type: 'agent_message', message: 'I look.' }, 3),
    item(message('assistant', 'I look.'), 3),
    item(call('c1', 'exec_command', { cmd: 'ls' }), 4),
    item(call('c2', 'exec_command', { cmd: 'false' }), 4),
    item(output('c1', 'Chunk ID: 1\nProcess exited with code 0\nOutput:\na.ts\nExit code: 9'), 5),
    item(output('c2', 'Chunk ID: 2\nProcess exited with code 1\nOutput:\n'), 6),
    tokens(100, 10, [100, 10]),
    tokens(100, 10, [100, 10]),
    item({ type: 'reasoning', summary: [], encrypted_content: 'gAAB' }, 7),
    item({ type: 'custom_tool_call', call_id: 'c3', name: 'apply_patch', input: '*** Begin Patch' }, 8),
    item({ type: 'custom_tool_call_output', call_id: 'c3', output: '{"output":"no","metadata":{"exit_code":1}}' }, 9),
    tokens(250, 30, [150, 20]),
    item(message('assistant', 'Fixed.'), 10),
    tokens(450, 35, [200, 5]),
    event({ type: 'task_complete', last_agent_message: 'Fixed.' }, 10),
  ];

  it('reads items, and not again the events that repeat them', () => {
    const read1 = read(session);
    expect(rolesOf(read1)).toEqual([
      ...[
        'system',
        'system',
        'user',
        'assistant',
        'tool_result',
        'tool_result',
        'assistant',
        'tool_result',
        'assistant',
      ],
    ]);
    expect(read1.trace.tool_calls_made.map(({ name, is_error }) => [name, is_error])).toEqual([
      ['exec_command', false],
      ['exec_command', true],
      ['apply_patch', true],
    ]);
    expect(read1.trace).toMatchObject({
      input_tokens: 450,
      output_tokens: 35,
      model: 'gpt-5-codex',
      latency_seconds: 9,
      error: null,
    });
    expect(read1.trace.messages[3]).toMatchObject({
      ...{ content: 'I look.', reasoning: 'Look first.' },
      step: { model: 'gpt-5-codex', input_tokens: 100, output_tokens: 10, latency_seconds: 3 },
    });
    expect(read1).toMatchObject({ id: 'th-1', losses: [], fields: { cwd: '/repo', cli_version: '0.140.0' } });
  });

  it('adds the tokens of a program that was started anew', () => {
    expect(read([...session, tokens(40, 4, [40, 4])]).trace).toMatchObject({ input_tokens: 490, output_tokens: 39 });
  });

  it('reads the forms of the first versions', () => {
    const items = [
      message('user', 'Hi'),
      { type: 'local_shell_call', call_id: 'c1', status: 'completed', action: { type: 'exec', command: ['ls'] } },
      output('c1', { content: 'no', success: false }),
    ];
    const lines = read([{ id: 'th-0', timestamp: at(0), instructions: null }, { record_type: 'state' }, ...items]);
    const document = read([{ session: { id: 'th-0', timestamp: at(0), instructions: '' }, items }]);
    for (const read1 of [lines, document]) {
      expect(rolesOf(read1)).toEqual(['user', 'assistant', 'tool_result']);
      expect(read1.trace.tool_calls_made).toMatchObject([{ name: 'local_shell', result: 'no', is_error: true }]);
      expect(read1.id).toBe('th-0');
    }
    expect(lines.aside).toEqual({ lines: { state: 1 } });
  });

  it('reads events where a file has no items', () => {
    const read1 = read([
      line('session_meta', { id: 'th-2', model: 'o4-mini' }),
      event({ type: 'user_message', message: 'Go' }, 1),
      event({ type: 'agent_reasoning', text: 'Hm' }, 2),
      event({ type: 'exec_command_begin', call_id: 'c1', command: ['ls'], cwd: '/' }, 3),
      event({ type: 'exec_command_end', call_id: 'c1', stdout: 'a', stderr: 'b', exit_code: 2 }, 4),
      event(
        { type: 'mcp_tool_call_begin', call_id: 'c2', invocation: { server: 's', tool: 'find', arguments: { q: 1 } } },
        5,
      ),
      event({ type: 'mcp_tool_call_end', call_id: 'c2', result: { Ok: { content: [] } } }, 6),
      event({ type: 'agent_message', message: 'Done' }, 7),
    ]);
    expect(rolesOf(read1)).toEqual(['user', 'assistant', 'tool_result', 'assistant', 'tool_result', 'assistant']);
    expect(read1.trace.tool_calls_made).toMatchObject([
      { name: 'shell', result: 'ab', is_error: true },
      { name: 'find', arguments: { q: 1 }, is_error: false },
    ]);
    expect(read1.trace).toMatchObject({ model: 'o4-mini', final_content: 'Done' });
  });

  it('keeps sub-agents, searches, images, compactions and why a turn ended early', () => {
    const source = { subagent: { thread_spawn: { parent_thread_id: 'th-1', agent_nickname: 'Ada', depth: 1 } } };
    const read1 = read([
      line('session_meta', { id: 'th-3', source }),
      line('session_meta', { id: 'th-1' }),
      item({
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_text', text: 'See' },
          { type: 'input_image', image_url: 'https://example.com/a.png' },
        ],
      }),
      item({ type: 'web_search_call', id: 'w1', status: 'completed', action: { type: 'search', query: 'q' } }),
      line('compacted', { message: 'So far', replacement_history: [message('user', 'See')] }),
      item({ type: 'ghost_snapshot', ghost_commit: {} }),
      event({ type: 'turn_aborted', reason: 'interrupted' }),
    ]);
    expect(read1).toMatchObject({ id: 'th-3', fields: { agent: 'Ada', parent: 'th-1', compactions: 1 } });
    expect(read1.trace.messages[0]).toMatchObject({ files: [{ url: 'https://example.com/a.png' }] });
    expect(read1.trace.messages[1]).toMatchObject({ agent: 'Ada', tool_calls: [{ name: 'web_search' }] });
    expect(read1.trace.messages.at(-1)).toEqual({ role: 'system', content: 'So far' });
    expect(read1.trace.error).toBe('the turn was aborted: interrupted');
    expect(read1.aside.lines).toMatchObject({ 'response_item/ghost_snapshot': 1 });
  });

  it('reads what codex exec prints', () => {
    const ended = (item: Line) => ({ type: 'item.completed', item });
    const read1 = read([
      { type: 'thread.started', thread_id: 'th-4' },
      { type: 'turn.started' },
      ended({ id: 'i0', type: 'reasoning', text: 'Hm' }),
      { type: 'item.started', item: { id: 'i1', type: 'command_execution', command: 'ls' } },
      ended({
        id: 'i1',
        type: 'command_execution',
        command: 'ls',
        aggregated_output: 'a',
        exit_code: 1,
        status: 'failed',
      }),
      ended({
        id: 'i2',
        type: 'mcp_tool_call',
        server: 's',
        tool: 'find',
        arguments: { q: 1 },
        result: { content: [] },
      }),
      ended({ id: 'i3', type: 'agent_message', text: 'Done' }),
      { type: 'turn.completed', usage: { input_tokens: 9, cached_input_tokens: 4, output_tokens: 2 } },
      { type: 'turn.failed', error: { message: 'no money' } },
    ]);
    expect(read1.trace.tool_calls_made).toMatchObject([
      { name: 'shell', arguments: { command: 'ls' }, result: 'a', is_error: true },
      { name: 's.find', arguments: { q: 1 }, is_error: false },
    ]);
    expect(read1.trace).toMatchObject({ input_tokens: 9, output_tokens: 2, final_content: 'Done', error: 'no money' });
    expect(read1.id).toBe('th-4');
  });

  it('is certain about its first line', () => {
    expect(codexFormat.recognises(session[0])).toBe(true);
    expect(codexFormat.recognises({ id: 'x', timestamp: at(0), instructions: null })).toBe(true);
    for (const other of [
      null,
      [],
      'x',
      {},
      { type: 'message', role: 'user' },
      { type: 'session_meta' },
      { id: 'x', messages: [] },
    ]) {
      expect(codexFormat.recognises(other)).toBe(false);
    }
  });

  it('survives damage in any place', () => {
    expect(expectToSurviveDamage(codexFormat, session)).toBeGreaterThan(100);
  });

  it('says what it could not keep, and where', () => {
    const read1 = read([
      session[0],
      item(message('user', 'Hi')),
      null,
      item({ type: 'telepathy', call_id: 'c9' }),
      item({ type: 'function_call', call_id: 'c1' }),
      item({ type: 'message', role: 'user', content: { deep: true } }),
      line('__proto__', {}),
    ]);
    expect(read1.losses.map(({ line: where, place }) => [where, place])).toEqual([
      [3, 'it'],
      [4, 'payload.type'],
      [5, 'payload.name'],
      [6, 'payload.content'],
    ]);
    expect(readAll([])).toEqual([]);
    expect(readAll([line('turn_context', {})])).toEqual([]);
    expect(() => readAll([7])).toThrow('line 1, it is no object');
  });
});
