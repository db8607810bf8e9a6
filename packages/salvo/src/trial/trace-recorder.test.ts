import { describe, expect, test } from 'vitest';
import type { AdapterTurnResult } from '../adapters/adapter.ts';
import { traceSchema } from '../trace/trace.ts';
import { TraceRecorder } from './trace-recorder.ts';

const header = { model: 'm', provider: 'p', scenario_hash: 'hash', timestamp: '2026-01-01T00:00:00.000Z' };
const recorderOf = (elapsedSeconds = () => 0) => new TraceRecorder(header, elapsedSeconds);
const end = { latencySeconds: 2, maxTurnsHit: false };

const turn = (changes: Partial<AdapterTurnResult> = {}): AdapterTurnResult => ({
  content: 'Done.',
  tool_calls: [],
  usage: { input_tokens: 10, output_tokens: 5 },
  finish_reason: 'stop',
  raw_response: null,
  ...changes,
});
const call = { id: 'c1', name: 'look', arguments: { at: 'it' } };
const seen = { content: 'seen', is_error: false, problem: null };

describe('a trace', () => {
  test('has when each answer was asked for and what it took, also of one that never came', () => {
    let seconds = 0;
    const recorder = recorderOf(() => seconds);
    const later = (pause: number, act: () => void) => {
      seconds += pause;
      act();
    };
    recorder.send([{ role: 'user', content: 'Please.' }]);
    recorder.ask();
    later(2, () => recorder.agentToolCall(call, seen));
    later(1, () => recorder.turn(turn({ content: null, tool_calls: [call] }), 0.1));
    later(4, () => recorder.toolCall(call, seen));
    recorder.ask();
    seconds += 8;
    expect(recorder.finish(end).turns).toEqual([
      { turn: 1, started_seconds: 0, latency_seconds: 3, input_tokens: 10, output_tokens: 5, cost_usd: 0.1 },
      { turn: 3, started_seconds: 7, latency_seconds: 8, input_tokens: null, output_tokens: null, cost_usd: null },
    ]);
  });

  test('has what was sent, said and called, with the figures added up', () => {
    const recorder = recorderOf();
    recorder.send([{ role: 'user', content: 'Please.' }]);
    recorder.retry({ attempt: 1, reason: 'slow down', status: 429, delay_seconds: 1 });
    recorder.turn(turn({ content: null, tool_calls: [call], finish_reason: 'tool_calls' }), 0.1);
    recorder.toolCall(call, seen);
    recorder.turn(turn(), 0.1);
    const trace = recorder.finish(end);
    expect(traceSchema.parse(trace)).toEqual(trace);
    expect(trace).toMatchObject({
      ...header,
      messages: [
        { role: 'user' },
        { role: 'assistant' },
        { role: 'tool_result', content: 'seen' },
        { content: 'Done.' },
      ],
      tool_calls_made: [{ ...call, turn: 1, result: 'seen' }],
      retries: [{ turn: 1, attempt: 1 }],
      turn_count: 2,
      input_tokens: 20,
      output_tokens: 10,
      total_tokens: 30,
      cost_usd: 0.2,
      final_content: 'Done.',
      finish_reason: 'stop',
      error: null,
    });
  });

  test('has no final answer if the agent was stopped while it called tools', () => {
    const recorder = recorderOf();
    recorder.turn(turn({ content: 'Let me look.', tool_calls: [call] }), 0.1);
    recorder.toolCall(call, seen);
    expect(recorder.finish({ ...end, maxTurnsHit: true }).final_content).toBeNull();
  });

  test('of a conversation that was recorded elsewhere has no time but the one that is told', () => {
    const recorder = recorderOf();
    recorder.ask();
    const trace = { messages: [{ role: 'assistant' as const, content: 'Done.', tool_calls: [] }] };
    recorder.turn(turn({ trace }), 0.1, { latency_seconds: null, timestamp: '2025-01-01T00:00:00.000Z' });
    const { latency_seconds, timestamp, turns } = recorder.finish(end);
    expect({ latency_seconds, timestamp, turns }).toEqual({
      latency_seconds: null,
      timestamp: '2025-01-01T00:00:00.000Z',
      turns: undefined,
    });
  });

  test('without any turn is a valid trace', () => {
    expect(recorderOf().finish(end)).toMatchObject({
      ...{ messages: [], turn_count: 0, cost_usd: 0, final_content: null, finish_reason: 'none' },
    });
  });

  test('says in its error and finish reason what stopped it', () => {
    const recorder = recorderOf();
    recorder.turn(turn({ tool_calls: [call] }), 0.1);
    recorder.toolCall(call, seen);
    const trace = recorder.finish({
      ...end,
      stopped: { reason: 'timeout', code: 'TRIAL_TIMEOUT', message: 'too late' },
    });
    expect(trace).toMatchObject({
      finish_reason: 'timeout',
      error: 'too late',
      error_code: 'TRIAL_TIMEOUT',
      final_content: null,
    });
  });

  test('lists tool errors with their kind', () => {
    const recorder = recorderOf();
    recorder.turn(turn({ tool_calls: [call] }), 0.1);
    const problem = { kind: 'unknown_tool' as const, message: 'no such tool' };
    recorder.toolCall(call, { content: 'no such tool', is_error: true, problem });
    expect(recorder.finish(end).tool_errors).toEqual([{ turn: 1, tool_call_id: 'c1', name: 'look', ...problem }]);
  });

  test('keeps what a provider wants back on the next turn', () => {
    const recorder = recorderOf();
    recorder.turn(turn({ provider_state: ['signed'] }), 0.1);
    expect(recorder.messages).toMatchObject([{ provider_state: ['signed'] }]);
  });
});

describe('what is unknown', () => {
  test('of the cost leaves what is known, with the number of calls that are not', () => {
    const recorder = recorderOf();
    recorder.turn(turn(), 0.25);
    recorder.unknownCost();
    recorder.turn(turn(), null);
    const known = { cost_usd: null, cost_at_least: { usd: 0.25, calls_unknown: 2 } };
    expect(recorder.finish(end)).toMatchObject(known);
    // What an agent spent before it crashed is not known, either.
    const stopped = { reason: 'error', code: 'AGENT_CRASHED', message: 'It crashed.' } as const;
    expect(recorder.finish({ ...end, stopped })).toMatchObject({ cost_at_least: { usd: 0.25, calls_unknown: 3 } });
  });

  test('makes the sum unknown', () => {
    const recorder = recorderOf();
    recorder.turn(turn(), 0.1);
    recorder.turn(turn({ usage: null }), null);
    recorder.turn(turn(), 0.1);
    expect(recorder.finish(end)).toMatchObject({
      ...{ input_tokens: null, output_tokens: null, total_tokens: null, cost_usd: null },
    });
  });

  test('is what an agent spent before it crashed', () => {
    const recorder = recorderOf();
    recorder.turn(turn(), 0.1);
    const stopped = { reason: 'error', code: 'AGENT_CRASHED', message: 'oh', stack: 'at agent.ts:1:1' } as const;
    expect(recorder.finish({ ...end, stopped })).toMatchObject({
      ...{ input_tokens: null, total_tokens: null, cost_usd: null, error_stack: 'at agent.ts:1:1' },
    });
  });

  test('is what a request cost that got no answer', () => {
    const recorder = recorderOf();
    recorder.turn(turn(), 0.1);
    recorder.unknownCost();
    expect(recorder.finish(end)).toMatchObject({ input_tokens: null, total_tokens: null, cost_usd: null });
  });
});

describe('a whole agent', () => {
  const messages = [
    { role: 'user' as const, content: 'Please.' },
    { role: 'assistant' as const, content: null, tool_calls: [call] },
    { role: 'tool_result' as const, tool_call_id: 'c1', name: 'look', content: 'its own', is_error: false },
    { role: 'assistant' as const, content: 'Done.', tool_calls: [] },
  ];

  test('that returns its own trace: the trace is taken as it is', () => {
    const recorder = recorderOf();
    recorder.send([{ role: 'user', content: 'Please.' }]);
    const trace = { messages, final_content: 'In short: done.', model: 'theirs', input_tokens: 7, output_tokens: 3 };
    recorder.turn(turn({ trace }), 0.1);
    expect(recorder.finish(end)).toMatchObject({
      messages,
      tool_calls_made: [{ name: 'look', result: 'its own', turn: 1 }],
      turn_count: 2,
      model: 'theirs',
      total_tokens: 10,
      final_content: 'In short: done.',
    });
  });

  test('whose tools we answered has our records of its tool calls', () => {
    const recorder = recorderOf();
    recorder.agentToolCall(call, seen);
    recorder.turn(turn({ trace: { messages } }), 0.1);
    expect(recorder.finish(end).tool_calls_made).toMatchObject([{ name: 'look', result: 'seen', turn: 1 }]);
  });

  test('that reports only what it said itself: it follows what it was asked', () => {
    const recorder = recorderOf();
    recorder.send([{ role: 'user', content: 'Please.' }]);
    recorder.turn(turn({ trace: { messages: messages.slice(1) } }), 0.1);
    expect(recorder.finish(end)).toMatchObject({ messages, turn_count: 2, tool_calls_made: [{ result: 'its own' }] });
  });

  test('that reports its own tools and some of the mocks: every call counts once', () => {
    const recorder = recorderOf();
    recorder.send([{ role: 'user', content: 'Please.' }]);
    recorder.agentToolCall({ id: 'call_1', name: 'look', arguments: call.arguments }, seen);
    recorder.agentToolCall({ id: 'call_2', name: 'hidden', arguments: {} }, seen);
    const own = { id: 'own', name: 'own', arguments: {} };
    const reported = [
      { role: 'assistant' as const, content: null, tool_calls: [call, own] },
      { role: 'tool_result' as const, tool_call_id: 'c1', name: 'look', content: 'seen', is_error: false },
      { role: 'tool_result' as const, tool_call_id: 'own', name: 'own', content: 'mine', is_error: false },
      { role: 'assistant' as const, content: 'Done.', tool_calls: [] },
    ];
    recorder.turn(turn({ messages: reported }), 0.1);
    const trace = recorder.finish(end);
    expect(trace.tool_calls_made.map(({ name, turn, result }) => [name, turn, result])).toEqual([
      ['hidden', 1, 'seen'],
      ['look', 2, 'seen'],
      ['own', 2, 'mine'],
    ]);
    expect(trace).toMatchObject({ turn_count: 3, final_content: 'Done.' });
    expect(trace.messages).toHaveLength(1 + 2 + reported.length);
  });

  test('that reports only its last exchange: the earlier ones are kept', () => {
    const recorder = recorderOf();
    recorder.send([{ role: 'user', content: 'Hello.' }]);
    recorder.turn(turn({ content: 'Hi.' }), 0.1);
    recorder.send([{ role: 'user', content: 'Please.' }]);
    recorder.turn(turn({ trace: { messages } }), 0.1);
    const trace = recorder.finish(end);
    expect(trace.messages.map(({ content }) => content)).toEqual([
      ...['Hello.', 'Hi.', 'Please.', null, 'its own', 'Done.'],
    ]);
    expect(trace.tool_calls_made).toMatchObject([{ name: 'look', turn: 2 }]);
  });

  test('that leaves a call of several messages open: it is answered like that of a turn', () => {
    const recorder = recorderOf();
    recorder.turn(turn({ messages: messages.slice(1, 2), tool_calls: [call] }), 0.1);
    recorder.toolCall(call, seen);
    expect(recorder.finish(end).tool_calls_made).toMatchObject([{ id: 'c1', result: 'seen', turn: 1 }]);
  });

  test('that calls a tool by itself takes a turn for it', () => {
    const recorder = recorderOf();
    recorder.agentToolCall(call, seen);
    recorder.agentToolCall({ ...call, id: 'c2' }, seen);
    recorder.turn(turn(), 0.1);
    const trace = recorder.finish(end);
    expect(trace.turn_count).toBe(3);
    expect(trace.tool_calls_made.map(({ turn }) => turn)).toEqual([1, 2]);
    expect(trace.messages.map(({ role }) => role)).toEqual([
      ...['assistant', 'tool_result', 'assistant', 'tool_result', 'assistant'],
    ]);
  });
});
