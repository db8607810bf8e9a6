import { describe, expect, it } from 'vitest';
import {
  callsOf,
  expectToSurviveDamage,
  readValue,
  readValues,
  rolesOf,
} from '../../../../../../test/import-reader.ts';
import type { ImportedConversation } from '../../import-format.ts';
import { copilotFormat } from './copilot.ts';

type Line = Record<string, unknown>;

const at = (second: number) => `2026-02-01T10:00:${String(second).padStart(2, '0')}.000Z`;
const event = (type: string, data: Line, second = 0, more: Line = {}): Line => ({
  type,
  data,
  timestamp: at(second),
  ...more,
});
const request = (toolCallId: string, name: string, given: unknown = {}) => ({
  toolCallId,
  name,
  arguments: given,
  type: 'function',
});

const readAll = (lines: readonly unknown[]): ImportedConversation[] => readValues(copilotFormat, ...lines);

const read = (lines: readonly unknown[]): ImportedConversation => readValue(copilotFormat, ...lines);

describe('copilotFormat, events of the command line', () => {
  const session = [
    event('session.start', {
      sessionId: 's-1',
      copilotVersion: '1.0.4',
      producer: 'copilot-agent',
      context: { cwd: '/repo' },
    }),
    event('session.model_change', { newModel: 'gpt-5.3-codex' }),
    event('system.message', { content: 'You help.', role: 'system' }),
    event(
      'user.message',
      {
        content: 'Fix it',
        transformedContent: '<now> Fix it',
        attachments: [{ type: 'file', path: '/repo/a.ts', displayName: 'a.ts' }],
      },
      1,
    ),
    event('user.message', { content: 'Skill text', source: 'skill-pdf' }, 1),
    event('assistant.turn_start', { turnId: '0' }, 1),
    event(
      'assistant.message',
      {
        messageId: 'm1',
        apiCallId: 'r1',
        chunkIndex: 0,
        chunkCount: 2,
        content: 'I look',
        reasoningText: 'Hm',
        outputTokens: 30,
      },
      3,
    ),
    event(
      'assistant.message',
      {
        messageId: 'm2',
        apiCallId: 'r1',
        chunkIndex: 1,
        chunkCount: 2,
        content: '.',
        toolRequests: [request('c1', 'view', { path: 'a.ts' }), request('c2', 'bash', '{"command":"false"}')],
        outputTokens: 30,
      },
      4,
    ),
    event('assistant.reasoning', { reasoningId: 'x', content: 'Hm' }, 4),
    event('tool.execution_start', { toolCallId: 'c1', toolName: 'view', arguments: { path: 'a.ts' } }, 4),
    event('tool.execution_start', { toolCallId: 'c2', toolName: 'bash' }, 4),
    event('tool.execution_complete', { toolCallId: 'c2', success: false, error: { message: 'no', code: 'denied' } }, 5),
    event(
      'tool.execution_complete',
      { toolCallId: 'c1', success: true, result: { content: 'text', detailedContent: 'diff' } },
      6,
    ),
    event('assistant.message', { messageId: 'm3', content: 'Done', model: 'claude-sonnet-4.6', outputTokens: 5 }, 8),
    event('assistant.turn_end', { turnId: '0' }, 8),
  ];
  const shutdown = (input: number, output: number) =>
    event(
      'session.shutdown',
      {
        totalPremiumRequests: 2,
        modelMetrics: {
          a: { usage: { inputTokens: input, outputTokens: output, cacheReadTokens: 9 } },
          b: { usage: { inputTokens: 1, outputTokens: 1 } },
        },
      },
      20,
    );

  it('counts the tokens of a session that was continued, whatever its totals begin with', () => {
    const said = (id: string, outputTokens: number) =>
      event('assistant.message', { messageId: id, content: 'x', outputTokens });
    const ended = (inputTokens: number, outputTokens: number) =>
      event('session.shutdown', { modelMetrics: { a: { usage: { inputTokens, outputTokens } } } });
    const sum = ({ trace }: ImportedConversation) => [trace.input_tokens, trace.output_tokens];
    expect(sum(read([said('1', 20), ended(100, 20), said('2', 30), ended(150, 30)]))).toEqual([250, 50]);
    expect(sum(read([said('1', 20), ended(100, 20), said('2', 30), ended(250, 50)]))).toEqual([250, 50]);
    expect(sum(read([said('1', 20), ended(100, 20), said('2', 30)]))).toEqual([100, 50]);
  });

  it('gives calls that are only events to the answer before them', () => {
    const start = (toolCallId: string, more: Line = {}) =>
      event('tool.execution_start', { toolCallId, toolName: 'bash', arguments: {}, ...more });
    const end = (toolCallId: string) => event('tool.execution_complete', { toolCallId, success: true, result: 'ok' });
    const said = event('assistant.message', { messageId: 'm1', content: 'I look.' });
    const read1 = read([event('user.message', { content: 'Hi' }), said, start('1'), end('1'), start('2'), end('2')]);
    expect(rolesOf(read1)).toEqual(['user', 'assistant', 'tool_result', 'tool_result']);
    expect(callsOf(read1)).toHaveLength(2);
    const other = read([
      said,
      start('1', { parentToolCallId: 'x' }),
      event('user.message', { content: 'Hi' }),
      start('2'),
    ]);
    expect(rolesOf(other)).toEqual(['assistant', 'assistant', 'user', 'assistant']);
  });

  it('reads an event once', () => {
    const again = (content: string) => event('user.message', { content }, 0, { id: 'e1' });
    const read1 = read([again('Hi'), again('Hi'), event('user.message', { content: 'Hi' }, 1, { id: 'e2' })]);
    expect(rolesOf(read1)).toEqual(['user', 'user']);
    expect(read1.aside).toMatchObject({ lines: { 'repeated event': 1 } });
  });

  it('joins the chunks of an answer, and finds the result of each call', () => {
    const read1 = read([...session, shutdown(100, 20)]);
    expect(rolesOf(read1)).toEqual([
      'system',
      'user',
      'system',
      'assistant',
      'tool_result',
      'tool_result',
      'assistant',
    ]);
    expect(callsOf(read1)).toEqual([
      ['view', 'text', false],
      ['bash', 'no', true],
    ]);
    expect(read1.trace.tool_calls_made[1]).toMatchObject({ arguments: { command: 'false' }, seen: 'requested' });
    expect(read1.trace.messages[1]).toMatchObject({ content: 'Fix it\n[file: a.ts]' });
    expect(read1.trace.messages[3]).toMatchObject({
      content: 'I look.',
      reasoning: 'Hm',
      step: { output_tokens: 30, latency_seconds: 3 },
    });
    expect(read1.trace).toMatchObject({
      input_tokens: 101,
      output_tokens: 21,
      model: 'claude-sonnet-4.6',
      latency_seconds: 7,
    });
    expect(read1).toMatchObject({
      id: 's-1',
      losses: [],
      fields: { copilotVersion: '1.0.4', totalPremiumRequests: 2 },
    });
  });

  it('takes the last of running totals, and only the output where the session has no end', () => {
    expect(read([...session, shutdown(100, 20), shutdown(300, 40)]).trace).toMatchObject({
      input_tokens: 301,
      output_tokens: 41,
    });
    expect(read(session).trace).toMatchObject({ input_tokens: null, output_tokens: 35, total_tokens: null });
    const used = event('assistant.usage', { model: 'a', inputTokens: 7, outputTokens: 2 });
    expect(read([...session, used]).trace).toMatchObject({ input_tokens: 7, output_tokens: 2 });
  });

  it('keeps sub-agents with their names, calls of the user, and why the session ended', () => {
    const read1 = read([
      session[0],
      event('user.message', { content: 'Go' }),
      event('assistant.message', {
        messageId: 'm1',
        content: '',
        toolRequests: [request('c1', 'task', { prompt: 'Search', agent_type: 'explore' })],
      }),
      event('subagent.started', { toolCallId: 'c1', agentName: 'explore' }, 0, { agentId: 'ag' }),
      event('user.message', { content: 'Search' }, 0, { agentId: 'ag' }),
      event('assistant.message', { messageId: 'm2', content: 'Here', parentToolCallId: 'c1' }),
      event('tool.execution_complete', { toolCallId: 'c1', success: true, result: 'Here' }),
      event('tool.user_requested', { toolCallId: 'c2', toolName: 'bash', arguments: { command: 'ls' } }),
      event('tool.execution_complete', {
        toolCallId: 'c2',
        success: true,
        result: { content: 'a' },
        isUserRequested: true,
      }),
      event('session.error', { errorType: 'quota', message: 'No quota' }),
    ]);
    expect(rolesOf(read1).filter((role) => role === 'user')).toHaveLength(1);
    expect(callsOf(read1)).toEqual([
      ['task', 'Here', false],
      ['bash', 'a', false],
    ]);
    expect(read1.trace.messages.map((message) => ('agent' in message ? message.agent : null))).toContain('explore');
    expect(read1.trace.error).toBe('No quota');
    expect(read1.fields.agents).toContainEqual({ name: 'explore', call: 'c1' });
  });

  it('survives damage in any place', () => {
    expect(expectToSurviveDamage(copilotFormat, [...session, shutdown(1, 1)])).toBeGreaterThan(100);
  });

  it('reads sessions of the first versions', () => {
    const read1 = read([
      {
        sessionId: 's-0',
        startTime: at(0),
        timeline: [],
        chatMessages: [
          { role: 'user', content: 'Hi' },
          { role: 'assistant', content: 'Ho' },
        ],
      },
    ]);
    expect(rolesOf(read1)).toEqual(['user', 'assistant']);
    expect(read1).toMatchObject({ id: 's-0', trace: { timestamp: at(0) } });
  });

  it('says what it could not keep, and where', () => {
    const read1 = read([
      session[0],
      4,
      event('user.message', {}),
      event('assistant.message', { content: { a: 1 }, toolRequests: [{}] }),
      { type: 'constructor' },
    ]);
    expect(read1.losses.map(({ line, place }) => [line, place])).toEqual([
      [2, 'it'],
      [3, 'data.content'],
      [4, 'data.content'],
      [4, 'data.toolRequests[0]'],
    ]);
    expect(readAll([])).toEqual([]);
    expect(readAll([session[0]])).toEqual([]);
  });

  it('is certain about its first line', () => {
    expect(copilotFormat.recognises(session[0])).toBe(true);
    for (const other of [
      null,
      [],
      {},
      { type: 'user.message' },
      { type: 'x.y', data: {} },
      { requests: [] },
      { requests: [1] },
      { kind: 0, v: {} },
    ]) {
      expect(copilotFormat.recognises(other)).toBe(false);
    }
  });
});
