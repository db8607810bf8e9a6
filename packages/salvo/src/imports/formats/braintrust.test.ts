import { describe, expect, it } from 'vitest';
import { expectToSurviveDamage, readRecord } from '../../../../../test/import-reader.ts';
import { FORMATS } from '../formats.ts';
import { braintrustFormat } from './braintrust.ts';

const USER = { role: 'user', content: 'Cold in Oslo?' };
const CALLING = {
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'c1', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } }],
};
const RESULT = { role: 'tool', tool_call_id: 'c1', content: '3 degrees' };

function row(id: string, parent: string | null, type: string, from: number, more: object) {
  return {
    ...{
      id: `row-${id}`,
      span_id: id,
      root_span_id: 's1',
      span_parents: parent === null ? null : [parent],
      is_root: parent === null,
    },
    ...{
      span_attributes: { name: type, type },
      metrics: { start: 1_772_000_000 + from, end: 1_772_000_001 + from },
      created: '2026-03-01T10:00:00Z',
    },
    ...more,
  };
}

const metrics = (from: number) => ({
  metrics: {
    start: 1_772_000_000 + from,
    end: 1_772_000_001 + from,
    prompt_tokens: 9,
    completion_tokens: 2,
    prompt_cached_tokens: 4,
  },
});
const ROWS = [
  row('s1', null, 'eval', 0, {
    input: 'Cold in Oslo?',
    output: 'Yes.',
    expected: 'yes',
    scores: { Factuality: 1, passed: 0, Broken: null },
    metadata: { tier: 'a' },
    origin: { object_type: 'dataset', id: 'd1' },
  }),
  row('s2', 's1', 'task', 0, { input: 'Cold in Oslo?', output: 'Yes.' }),
  row('s3', 's2', 'llm', 0, {
    input: [USER],
    output: [{ finish_reason: 'tool_calls', index: 0, message: CALLING }],
    metadata: { model: 'gpt' },
    ...metrics(0),
  }),
  row('s4', 's2', 'tool', 2, {
    span_attributes: { name: 'weather', type: 'tool' },
    input: { city: 'Oslo' },
    output: '3 degrees',
  }),
  row('s5', 's2', 'llm', 4, {
    input: [USER, CALLING, RESULT],
    output: [{ message: { role: 'assistant', content: 'Yes.' } }],
    metadata: { model: 'gpt' },
    ...metrics(4),
  }),
  row('s6', 's1', 'score', 6, { input: { output: 'Yes.' }, output: 1, scores: { Factuality: 1 } }),
  row('s7', 's6', 'llm', 6, {
    input: [{ role: 'user', content: 'Is it true?' }],
    output: [{ message: { role: 'assistant', content: 'True.' } }],
    ...metrics(6),
  }),
];

describe('rows of Braintrust', () => {
  it.each<[string, unknown]>([
    ['in a list', ROWS],
    ['as the API answers', { events: ROWS.toReversed(), cursor: null }],
  ])('are read %s, and what scorers asked is not a part of the conversation', (_, value) => {
    expect(FORMATS.find((format) => format.recognises(value))).toBe(braintrustFormat);
    const [conversation, ...others] = readRecord(braintrustFormat, value);
    expect(others).toEqual([]);
    expect(conversation).toMatchObject({
      ...{
        id: 's1',
        case: 'd1',
        losses: [],
        given: { passed: false, scores: { Factuality: 1, passed: 0 } },
        fields: { expected: 'yes', metadata: { tier: 'a' } },
      },
      trace: {
        ...{ input_tokens: 18, output_tokens: 4, model: 'gpt', latency_seconds: 5 },
        messages: [
          { role: 'user', content: 'Cold in Oslo?' },
          {
            role: 'assistant',
            tool_calls: [{ id: 'c1', arguments: { city: 'Oslo' } }],
            step: { cache_read_tokens: 4 },
          },
          { role: 'tool_result', content: '3 degrees' },
          { role: 'assistant', content: 'Yes.' },
        ],
      },
    });
    expect(conversation?.given?.scores).toEqual({ Factuality: 1, passed: 0 });
  });

  it('with anything wrong anywhere are read or refused', () => {
    expect(expectToSurviveDamage(braintrustFormat, ROWS)).toBeGreaterThan(100);
  });

  it('without any call of a model have what the root was asked and answered', () => {
    const [conversation] = readRecord(braintrustFormat, ROWS[0]);
    expect(conversation?.trace.messages).toMatchObject([
      { role: 'user', content: 'Cold in Oslo?' },
      { role: 'assistant', content: 'Yes.' },
    ]);
  });

  it.each<object>([
    { metrics: 5 },
    { metadata: 'x' },
    { span_parents: 'x' },
    { span_attributes: null },
    { scores: [] },
    { metrics: { start: 'now', prompt_tokens: -1 } },
  ])('with wrong fields are read: %j', (wrong) => {
    expect(readRecord(braintrustFormat, { ...ROWS[2], ...wrong })).toHaveLength(1);
  });

  it.each([null, 3, [], {}, { span_id: 'x' }, { span_id: 3, root_span_id: 4, input: 1 }, { events: [] }])(
    'are not %j',
    (value) => {
      expect(braintrustFormat.recognises(value)).toBe(false);
      expect(readRecord(braintrustFormat, value)).toEqual([]);
    },
  );
});
