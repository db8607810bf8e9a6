import { describe, expect, it } from 'vitest';
import { expectToSurviveDamage, readValue, readValues, rolesOf } from '../../../../../../test/import-reader.ts';
import type { ImportedConversation } from '../../import-format.ts';
import { claudeCodeFormat } from './claude-code.ts';

type Line = Record<string, unknown>;

const BASE = { sessionId: 's-1', cwd: '/repo', version: '2.1.0', isSidechain: false };
const at = (second: number) => `2026-02-01T10:00:${String(second).padStart(2, '0')}.000Z`;
const usage = (input: number, output: number) => ({
  ...{ input_tokens: input, cache_creation_input_tokens: 10, cache_read_input_tokens: 100, output_tokens: output },
});

const user = (uuid: string, parentUuid: string | null, content: unknown, more: Line = {}): Line => ({
  ...{ ...BASE, type: 'user', uuid, parentUuid, message: { role: 'user', content } },
  ...more,
});
const answer = (uuid: string, parentUuid: string | null, message: Line, more: Line = {}): Line => ({
  ...{ ...BASE, type: 'assistant', uuid, parentUuid },
  message: { role: 'assistant', model: 'claude-opus-4-5', ...message },
  ...more,
});
const text = (said: string) => ({ type: 'text', text: said });
const use = (id: string, name: string, input: Line = {}) => ({ type: 'tool_use', id, name, input });
const result = (id: string, content: unknown, more: Line = {}) => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
  ...more,
});

const readAll = (lines: readonly unknown[]): ImportedConversation[] => readValues(claudeCodeFormat, ...lines);

const read = (lines: readonly unknown[]): ImportedConversation => readValue(claudeCodeFormat, ...lines);

describe('claudeCodeFormat', () => {
  const session = [
    { type: 'file-history-snapshot', messageId: 'u1', snapshot: {} },
    user('u1', null, 'Run the tests', { timestamp: at(0) }),
    answer(
      'a1',
      'u1',
      { id: 'm1', content: [{ type: 'thinking', thinking: 'I look.', signature: 'x' }], usage: usage(5, 1) },
      { timestamp: at(2) },
    ),
    answer(
      'a2',
      'a1',
      { id: 'm1', content: [use('t1', 'Bash', { command: 'npm test' })], usage: usage(5, 1) },
      { timestamp: at(3) },
    ),
    answer(
      'a3',
      'a2',
      { id: 'm1', content: [use('t2', 'Read', { path: 'a' })], usage: usage(5, 40) },
      { timestamp: at(4) },
    ),
    user('r1', 'a2', [result('t1', 'Exit code 1', { is_error: true })], {
      timestamp: at(6),
      toolUseResult: 'Error: Exit code 1',
    }),
    user('r2', 'a3', [result('t2', [text('file')])], { timestamp: at(7), toolUseResult: { file: {} } }),
    answer(
      'a4',
      'r2',
      { id: 'm2', content: [text('One test fails.')], usage: usage(7, 20), stop_reason: 'end_turn' },
      { timestamp: at(9) },
    ),
    { ...BASE, type: 'system', subtype: 'turn_duration', durationMs: 9000, uuid: 'y1', parentUuid: 'a4' },
    { type: 'summary', summary: 'Tests', leafUuid: 'a4' },
  ];

  it('joins the lines of an answer, counts its tokens once, and keeps results of parallel calls', () => {
    const read1 = read(session);
    const { trace } = read1;
    expect(rolesOf(read1)).toEqual(['user', 'assistant', 'tool_result', 'tool_result', 'assistant']);
    expect(trace.tool_calls_made.map(({ name, result: said, is_error }) => [name, said, is_error])).toEqual([
      ['Bash', 'Exit code 1', true],
      ['Read', 'file', false],
    ]);
    expect([trace.input_tokens, trace.output_tokens]).toEqual([115 + 117, 60]);
    expect(trace).toMatchObject({
      latency_seconds: 9,
      model: 'claude-opus-4-5',
      finish_reason: 'end_turn',
      error: null,
    });
    expect(trace.messages[1]).toMatchObject({ reasoning: 'I look.', step: { latency_seconds: 4, output_tokens: 40 } });
    expect(read1).toMatchObject({ id: 's-1', losses: [], fields: { cwd: '/repo', summary: 'Tests' } });
    expect(read1.aside).toEqual({ lines: { 'file-history-snapshot': 1, 'system/turn_duration': 1, summary: 1 } });
  });

  it('is certain about its first line', () => {
    for (const line of session) expect(claudeCodeFormat.recognises(line)).toBe(true);
    expect(claudeCodeFormat.recognises({ type: 'queue-operation', operation: 'enqueue', sessionId: 's' })).toBe(true);
    expect(claudeCodeFormat.recognises([session[1]])).toBe(true);
    for (const other of [
      null,
      [],
      {},
      { role: 'user', content: 'x' },
      { type: 'message', role: 'user' },
      { type: 'user' },
    ]) {
      expect(claudeCodeFormat.recognises(other)).toBe(false);
    }
  });

  it('follows the way to the last message, and counts what was abandoned', () => {
    const read1 = read([
      user('u1', null, 'First'),
      answer('a1', 'u1', { id: 'm1', content: [text('Yes')] }),
      user('u2', 'a1', 'Wrong way'),
      answer('a2', 'u2', { id: 'm2', content: [text('Wrong')] }),
      user('u3', 'a1', 'Right way'),
      answer('a3', 'u3', { id: 'm3', content: [text('Right')] }),
      user('u1', null, 'First'),
      user('u2', 'a1', 'Wrong way'),
      answer('a3', 'u3', { id: 'm3', content: [text('Right')] }),
    ]);
    expect(read1.trace.messages.map(({ content }) => content)).toEqual(['First', 'Yes', 'Right way', 'Right']);
    expect(read1.fields).toMatchObject({ abandoned_branches: 1 });
    expect(read1.aside).toEqual({ lines: { 'abandoned user': 1, 'abandoned assistant': 1, 'repeated line': 3 } });
  });

  it('goes on over a compaction, and keeps lines that know no others', () => {
    const read1 = read([
      user('u1', null, 'First'),
      answer('a1', 'u1', { id: 'm1', content: [text('Yes')] }),
      { ...BASE, type: 'system', subtype: 'compact_boundary', uuid: 'c', parentUuid: null, logicalParentUuid: 'a1' },
      user('u2', 'c', 'The session so far', { isCompactSummary: true }),
      user('u3', 'u2', '<caveat>', { isMeta: true }),
      user('u4', 'u3', 'Next', { origin: { kind: 'human' } }),
      user('u5', 'u4', '<task-notification>', { origin: { kind: 'task-notification' } }),
      answer('a2', 'gone', { id: 'm2', content: [text('Done')] }),
    ]);
    expect(rolesOf(read1)).toEqual(['user', 'assistant', 'system', 'system', 'user', 'system', 'assistant']);
    expect(read1.fields).toMatchObject({ compactions: 1 });
  });

  it('ends on parents in a circle, and reads a doubled line once', () => {
    const circle = [user('u1', 'u2', 'A'), user('u2', 'u1', 'B'), user('u2', 'u1', 'B')];
    expect(read(circle).trace.messages.map(({ content }) => content)).toEqual(['A', 'B']);
    expect(read(circle).aside).toEqual({ lines: { 'repeated line': 1 } });
  });

  it('keeps sub-agents in the same file with their name and their call', () => {
    const side = { isSidechain: true };
    const read1 = read([
      user('u1', null, 'Find it'),
      answer('a1', 'u1', { id: 'm1', content: [use('t1', 'Task', { prompt: 'Search', subagent_type: 'Explore' })] }),
      user('x1', null, 'Search', side),
      answer('x2', 'x1', { id: 'm2', content: [use('t2', 'Grep')], usage: usage(1, 1) }, side),
      user('x3', 'x2', [result('t2', 'found')], side),
      answer('x4', 'x3', { id: 'm3', content: [text('In a.ts')], usage: usage(1, 1) }, side),
      user('r1', 'a1', [result('t1', 'In a.ts')]),
      answer('a2', 'r1', { id: 'm4', content: [text('Found in a.ts')], usage: usage(1, 1) }),
    ]);
    expect(rolesOf(read1).filter((role) => role === 'user')).toHaveLength(1);
    expect(read1.trace.tool_calls_made.map(({ name, result: said }) => [name, said])).toEqual([
      ['Task', 'In a.ts'],
      ['Grep', 'found'],
    ]);
    expect(read1.trace.messages.filter((message) => 'agent' in message && message.agent === 'Explore')).toHaveLength(2);
    expect(read1.fields.agents).toEqual([{ name: 'Explore', call: 't1' }]);
    expect(read1.trace.output_tokens).toBe(3);
  });

  it('reads what sub-agents with files of their own say as progress, and their files', () => {
    const inner = answer('x2', 'x1', { id: 'm2', content: [use('t2', 'Grep')] });
    const read1 = read([
      user('u1', null, 'Find it'),
      answer('a1', 'u1', { id: 'm1', content: [use('t1', 'Agent', { prompt: 'Search', subagent_type: 'Explore' })] }),
      {
        ...BASE,
        type: 'progress',
        uuid: 'p1',
        parentToolUseID: 't1',
        data: { type: 'agent_progress', agentId: 'ab', message: inner },
      },
      { ...BASE, type: 'progress', uuid: 'p2', data: { type: 'hook_progress' } },
      user('r1', 'a1', [result('t1', 'In a.ts')], {
        toolUseResult: { agentId: 'ab', totalTokens: 900, totalToolUseCount: 1 },
      }),
    ]);
    expect(read1.trace.tool_calls_made.map(({ name }) => name)).toEqual(['Agent', 'Grep']);
    expect(read1.fields.agents).toEqual([{ name: 'Explore', call: 't1', id: 'ab', tokens: 900, calls: 1 }]);

    const own = { isSidechain: true, agentId: 'ab' };
    const file = read([
      user('x1', null, 'Search', own),
      answer('x2', 'x1', { id: 'm', content: [text('In a.ts')] }, own),
    ]);
    expect(rolesOf(file)).toEqual(['user', 'assistant']);
    expect(file).toMatchObject({ id: 's-1/ab', fields: { agentId: 'ab' } });
  });

  it('keeps messages that were queued, images, errors of the provider and costs of old versions', () => {
    const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } };
    const read1 = read([
      user('u1', null, [text('Look'), image]),
      {
        ...BASE,
        type: 'attachment',
        uuid: 'q1',
        parentUuid: 'u1',
        attachment: { type: 'queued_command', prompt: 'And hurry' },
      },
      { ...BASE, type: 'attachment', uuid: 'q2', parentUuid: 'q1', attachment: { type: 'todo_reminder' } },
      answer('a1', 'q2', { id: 'm1', content: [text('Done')] }, { costUSD: 0.5 }),
      answer(
        'a2',
        'a1',
        { id: 'e1', model: '<synthetic>', content: [text('API Error: 529')], usage: usage(0, 0) },
        { isApiErrorMessage: true },
      ),
    ]);
    expect(rolesOf(read1)).toEqual(['user', 'user', 'assistant', 'assistant']);
    expect(read1.trace.messages[0]).toMatchObject({ files: [{ media_type: 'image/png' }] });
    expect(read1.trace).toMatchObject({
      error: 'API Error: 529',
      cost_usd: 0.5,
      model: 'claude-opus-4-5',
      input_tokens: null,
    });
  });

  it('takes the figures of the messages of the Agent SDK from their results', () => {
    const events = [
      { type: 'system', subtype: 'init', session_id: 's-2', model: 'claude-sonnet-4-5' },
      {
        type: 'assistant',
        session_id: 's-2',
        uuid: '1',
        parent_tool_use_id: null,
        message: {
          id: 'm1',
          role: 'assistant',
          model: 'claude-sonnet-4-5',
          content: [use('t1', 'Agent', { prompt: 'Go', subagent_type: 'Plan' })],
          usage: usage(1, 1),
        },
      },
      {
        type: 'assistant',
        session_id: 's-2',
        uuid: '2',
        parent_tool_use_id: 't1',
        message: { id: 'm2', role: 'assistant', model: 'claude-haiku-4-5', content: [text('Plan')] },
      },
      {
        type: 'result',
        subtype: 'success',
        session_id: 's-2',
        is_error: false,
        result: 'End',
        duration_ms: 2000,
        total_cost_usd: 0.25,
        usage: { input_tokens: 20, output_tokens: 30, cache_read_input_tokens: 5 },
        uuid: '3',
      },
    ];
    const read1 = read([events]);
    expect(read1.trace).toMatchObject({
      input_tokens: 25,
      output_tokens: 30,
      cost_usd: 0.25,
      latency_seconds: 2,
      final_content: 'End',
    });
    expect(read1.fields.agents).toEqual([{ name: 'Plan', call: 't1' }]);
  });

  it('says what it could not keep, and where', () => {
    const read1 = read([
      user('u1', null, 'Hello'),
      5,
      { ...BASE, type: 'reply', uuid: 'z', message: { role: 'assistant', content: 'lost' } },
      answer('a1', 'u1', { id: 'm1', content: [{ type: 'hologram' }, text('Hi')], usage: 'many' }),
      user('u2', 'a1', undefined),
      { ...BASE, type: '__proto__' },
    ]);
    expect(read1.losses.map(({ line, place }) => [line, place])).toEqual([
      [2, 'it'],
      [3, 'type'],
      [4, 'message.content[0]'],
      [5, 'message.content'],
    ]);
    expect(read1.trace.final_content).toBe('Hi');
    expect(Object.entries(read1.aside.lines ?? {})).toContainEqual(['__proto__', 1]);
  });

  it('yields nothing for a session without messages, and refuses a file of which nothing is left', () => {
    expect(readAll([])).toEqual([]);
    expect(readAll([session[0]])).toEqual([]);
    expect(() => readAll([7])).toThrow('line 1, it is no object');
  });

  it('survives damage in any place', () => {
    expect(expectToSurviveDamage(claudeCodeFormat, session)).toBeGreaterThan(100);
  });

  it('reads a long session in time that grows with its length only', () => {
    const lines: Line[] = [];
    for (let turn = 0; turn < 3_000; turn += 1) {
      lines.push(user(`u${turn}`, turn === 0 ? null : `a${turn - 1}`, 'Go'));
      lines.push(answer(`a${turn}`, `u${turn}`, { id: `m${turn}`, content: [text('Ok')] }));
    }
    expect(read(lines).trace.turn_count).toBe(3_000);
  });
});
