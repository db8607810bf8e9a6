import { describe, expect, it } from 'vitest';
import { expectToSurviveDamage, readValue, readValues } from '../../../../../../test/import-reader.ts';
import { samplePng } from '../../../../../../test/sample-images.ts';
import { inspectFormat } from './inspect.ts';

const sample = {
  id: 'sum-1',
  epoch: 2,
  input: 'What is 2 + 2?',
  target: '4',
  messages: [
    { id: 'm1', role: 'user', content: 'attachment://aa11', source: 'input' },
    {
      id: 'm2',
      role: 'assistant',
      source: 'generate',
      model: 'large-2026',
      content: [
        { type: 'reasoning', reasoning: 'I add.' },
        { type: 'text', text: 'Let me see.' },
      ],
      tool_calls: [
        { id: 't1', function: 'add', arguments: { a: 2, b: 2 }, type: 'function' },
        { id: 't2', function: 'forbidden', arguments: {} },
      ],
    },
    { id: 'm3', role: 'tool', tool_call_id: 't1', function: 'add', content: '4' },
    {
      id: 'm4',
      role: 'tool',
      tool_call_id: 't2',
      function: 'forbidden',
      content: '',
      error: { type: 'approval', message: 'Not allowed.' },
    },
    { id: 'm5', role: 'assistant', source: 'generate', model: 'large-2026', content: '4' },
  ],
  output: {
    model: 'large-2026',
    choices: [{ message: { id: 'm5', role: 'assistant', content: '4' }, stop_reason: 'stop' }],
    usage: { input_tokens: 20, output_tokens: 1, total_tokens: 21 },
    time: 0.5,
  },
  scores: { match: { value: 'C', answer: '4', explanation: 'as expected' } },
  metadata: { level: 'easy' },
  events: [
    {
      event: 'model',
      input: [],
      input_refs: [[0, 1]],
      output: {
        model: 'large-2026',
        choices: [{ message: { id: 'm2', role: 'assistant', content: 'x' } }],
        usage: { input_tokens: 10, output_tokens: 5, total_tokens: 25, input_tokens_cache_read: 10 },
        time: 1.5,
      },
    },
  ],
  model_usage: {
    'maker/large': { input_tokens: 30, output_tokens: 6, total_tokens: 46, input_tokens_cache_read: 10 },
    'maker/grader': { input_tokens: 99, output_tokens: 9, total_tokens: 108 },
  },
  total_time: 9,
  working_time: 2.5,
  started_at: '2026-03-01T10:00:00+00:00',
  uuid: 'u-1',
  attachments: { aa11: 'What is 2 + 2?' },
};
const log = {
  version: 2,
  status: 'success',
  eval: { task: 'sums', model: 'maker/large', created: '2026-03-01T09:00:00+00:00' },
  plan: { name: 'plan', steps: [] },
  samples: [sample],
};
const withSample = (change: object) => ({ ...log, samples: [{ ...sample, ...change }] });

describe('logs of Inspect', () => {
  it('have samples as cases, and epochs as their trials', () => {
    expect(inspectFormat.recognises(log)).toBe(true);
    expect(readValue(inspectFormat, log)).toMatchObject({
      id: 'u-1',
      suite: 'sums',
      case: 'sum-1',
      trial: 2,
      given: { passed: true, reward: null, scores: { match: true } },
      fields: { metadata: { level: 'easy' } },
      aside: { scores: { match: { explanation: 'as expected' } } },
      losses: [],
      trace: {
        model: 'large-2026',
        provider: 'maker',
        input_tokens: 40,
        output_tokens: 6,
        latency_seconds: 2.5,
        timestamp: '2026-03-01T10:00:00.000Z',
        finish_reason: 'stop',
        error: null,
      },
    });
  });

  it('have each result at its call, thoughts, attachments, and the figures of each answer', () => {
    const { trace } = readValue(inspectFormat, log);
    expect(trace.messages[0]).toEqual({ role: 'user', content: 'What is 2 + 2?' });
    expect(trace.messages[1]).toMatchObject({
      content: 'Let me see.',
      reasoning: 'I add.',
      step: { model: 'large-2026', latency_seconds: 1.5, input_tokens: 20, cache_read_tokens: 10 },
    });
    expect(trace.tool_calls_made).toMatchObject([
      { id: 't1', name: 'add', arguments: { a: 2, b: 2 }, result: '4', is_error: false, seen: 'reported' },
      { id: 't2', name: 'forbidden', result: 'Not allowed.', is_error: true, seen: 'requested' },
    ]);
    expect(trace.messages[4]).toMatchObject({ content: '4', step: { latency_seconds: 0.5, input_tokens: 20 } });
  });

  it.each([
    ['I', { passed: false, reward: null }],
    ['N', { passed: false, reward: null }],
    ['P', { passed: null, reward: 0.5 }],
    [true, { passed: true, reward: null }],
    [0.75, { passed: null, reward: 0.75 }],
    ['great', { passed: null, reward: null, scores: { match: 'great' } }],
    [
      { easy: 'C', hard: 0 },
      { passed: null, reward: null, scores: { 'match.easy': true, 'match.hard': 0 } },
    ],
    [[1, 0], { passed: null, scores: { 'match[0]': 1, 'match[1]': 0 } }],
  ])('have the value %j of a scorer as the outcome', (value, given) => {
    expect(readValue(inspectFormat, withSample({ scores: { match: { value } } })).given).toMatchObject(given);
  });

  it('have no outcome of several scorers, or of one that gave no value', () => {
    const several = readValue(inspectFormat, withSample({ scores: { match: { value: 'C' }, style: { value: 0.2 } } }));
    expect(several.given).toEqual({ passed: null, reward: null, scores: { match: true, style: 0.2 } });
    expect(readValue(inspectFormat, withSample({ scores: { match: { value: null } } })).given).toBeNull();
    expect(readValue(inspectFormat, withSample({ scores: undefined, score: { value: 'I' } })).given?.passed).toBe(
      false,
    );
  });

  it('keep images, and name what they cannot show', () => {
    const content = [
      { type: 'text', text: 'See: ' },
      { type: 'image', image: `data:image/png;base64,${samplePng().toString('base64')}` },
      { type: 'document', document: 'report.pdf', filename: 'report.pdf', mime_type: 'application/pdf' },
      { type: 'data', data: { x: 1 } },
    ];
    const [message] = readValue(
      inspectFormat,
      withSample({ messages: [{ role: 'user', content }, sample.messages[4]] }),
    ).trace.messages;
    expect(message).toMatchObject({ files: [{ media_type: 'image/png' }] });
    expect(message?.content).toContain('[image]');
    expect(message?.content).toContain('report.pdf');
  });

  it('have the calls of tools that ran at the provider, and not what the provider encrypted', () => {
    const content = [
      { type: 'reasoning', reasoning: 'gAAAA', redacted: true, summary: 'I search.' },
      {
        type: 'tool_use',
        tool_type: 'web_search',
        id: 's1',
        name: 'web_search',
        arguments: '{"q":"x"}',
        result: 'found',
      },
      { type: 'text', text: 'Found.' },
    ];
    const { trace } = readValue(
      inspectFormat,
      withSample({ messages: [sample.messages[0], { role: 'assistant', content }] }),
    );
    expect(trace.tool_calls_made).toMatchObject([{ id: 's1', arguments: { q: 'x' }, result: 'found' }]);
    expect(trace.messages[1]).toMatchObject({ reasoning: 'I search.' });
  });

  it('are read from events if a sample has no messages, also if the messages are in a pool', () => {
    const pool = [
      { role: 'system', content: 'unused' },
      { role: 'user', content: 'attachment://aa11' },
    ];
    const model = {
      event: 'model',
      input: [],
      input_refs: [[1, 2]],
      output: { choices: [{ message: { role: 'assistant', content: '4' } }] },
    };
    for (const pooled of [{ events_data: { messages: pool, calls: [] } }, { message_pool: pool }]) {
      const { trace } = readValue(
        inspectFormat,
        withSample({ messages: [], events: [{ event: 'state' }, model], ...pooled }),
      );
      expect(trace.messages).toMatchObject([{ role: 'user', content: 'What is 2 + 2?' }, { content: '4' }]);
    }
  });

  it('say what is missing', () => {
    expect(readValue(inspectFormat, withSample({ attachments: {} })).losses).toEqual([
      { line: 1, place: 'samples[0].attachments', problem: 'does not have attachment://aa11' },
    ]);
    const proto = { ...sample.messages[0], content: 'attachment://__proto__' };
    expect(readValue(inspectFormat, withSample({ messages: [proto] })).losses).toHaveLength(1);
    expect(() => readValues(inspectFormat, withSample({ messages: [], events: [] }))).toThrow(
      'samples[0].messages: is empty',
    );
    expect(() => readValues(inspectFormat, { ...log, samples: undefined })).toThrow('the log has no samples in it');
  });

  it('have the error or the limit that ended a sample', () => {
    const failed = readValue(
      inspectFormat,
      withSample({ messages: [], events: [], error: { message: 'out of memory', traceback: '' }, scores: {} }),
    );
    expect(failed).toMatchObject({ given: null, trace: { error: 'out of memory' } });
    expect(readValue(inspectFormat, withSample({ limit: { type: 'message', limit: 5 } })).trace).toMatchObject({
      finish_reason: 'message_limit',
      max_turns_hit: true,
    });
  });

  it('are read from a sample by itself', () => {
    expect(inspectFormat.recognises(sample)).toBe(true);
    expect(readValue(inspectFormat, sample)).toMatchObject({ case: 'sum-1', trial: 2, suite: null });
  });

  it('survive damage in every place', () => {
    expect(expectToSurviveDamage(inspectFormat, log)).toBeGreaterThan(150);
  });
});
