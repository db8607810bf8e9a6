import { describe, expect, it } from 'vitest';
import { expectToSurviveDamage, readRecord, readRecords } from '../../../../../test/import-reader.ts';
import { FormError } from '../../trace/forms/form-error.ts';
import { FORMATS } from '../formats.ts';
import { langfuseFormat } from './langfuse.ts';

const time = (second: number) => new Date(1_772_000_000_000 + second * 1000).toISOString();
const USER = { role: 'user', content: 'Refund A-1.' };
const callOf = (id: string, name: string, args: object) => ({
  ...{ role: 'assistant', content: null },
  tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(args) } }],
});

function observation(id: string, parent: string | null, type: string, from: number, more: object) {
  return {
    id,
    traceId: 't1',
    parentObservationId: parent,
    type,
    name: type.toLowerCase(),
    startTime: time(from),
    endTime: time(from + 1),
    level: 'DEFAULT',
    ...more,
  };
}

const usage = {
  usageDetails: { input: 8, input_cache_read: 2, output: 3 },
  costDetails: { total: 0.01 },
  model: 'gpt',
};
const LOOK = callOf('c1', 'lookup', { id: 'A-1' });
const FOUND = { role: 'tool', tool_call_id: 'c1', content: 'paid' };
const OBSERVATIONS = [
  observation('o1', null, 'AGENT', 0, { name: 'desk', endTime: time(9) }),
  observation('o2', 'o1', 'GENERATION', 0, { input: [USER], output: LOOK, ...usage }),
  observation('o3', 'o1', 'TOOL', 2, { name: 'lookup', input: { id: 'A-1' }, output: 'paid' }),
  observation('o4', 'o1', 'GENERATION', 4, {
    input: [USER, LOOK, FOUND],
    output: { role: 'assistant', content: 'Done.' },
    ...usage,
  }),
  observation('o5', 'o1', 'EVALUATOR', 6, { output: 'good' }),
  observation('o6', 'o5', 'GENERATION', 6, { input: 'Is it good?', output: 'Yes.', ...usage }),
];
const SCORES = [
  { name: 'helpful', value: 0.5, dataType: 'NUMERIC', source: 'API' },
  { name: 'passed', value: 1, dataType: 'BOOLEAN', source: 'API' },
  { name: 'tone', value: 0, stringValue: 'kind', dataType: 'CATEGORICAL', source: 'API' },
];
const TRACE = {
  id: 't1',
  timestamp: time(0),
  name: 'refund',
  sessionId: 's1',
  userId: 'u1',
  projectId: 'p1',
  tags: ['a'],
  input: 'Refund A-1.',
  output: 'Done.',
  metadata: '{"case":"A-1"}',
};
const snake = (record: object) =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );

const WHOLE: [string, unknown[]][] = [
  ['as the API gives it', [{ ...TRACE, observations: OBSERVATIONS, scores: SCORES }]],
  ['as the page downloads it', [{ trace: { ...TRACE, scores: SCORES }, observations: OBSERVATIONS }]],
  ['in a list', [[{ ...TRACE, observations: OBSERVATIONS, scores: SCORES }]]],
  [
    'in lines of traces, observations and scores',
    [...OBSERVATIONS.toReversed(), TRACE, ...SCORES.map((score) => ({ ...score, traceId: 't1' }))],
  ],
  [
    'in pages of the API',
    [
      { data: OBSERVATIONS, meta: { page: 1 } },
      { ...TRACE, observations: [], scores: SCORES },
    ],
  ],
  ['in snake case', [...OBSERVATIONS.map(snake), snake({ ...TRACE, scores: SCORES })]],
];

describe('a trace of Langfuse', () => {
  it.each(WHOLE)('is read %s', (_, values) => {
    for (const value of values) expect(FORMATS.find((format) => format.recognises(value))).toBe(langfuseFormat);
    const [conversation, ...others] = readRecords(
      langfuseFormat,
      values.map((value, index) => ({ value, line: index + 1 })),
    );
    expect(others).toEqual([]);
    expect(conversation).toMatchObject({
      ...{ id: 't1', losses: [], given: { passed: true, scores: { helpful: 0.5, passed: true, tone: 'kind' } } },
      fields: { name: 'refund', sessionId: 's1', metadata: { case: 'A-1' } },
      trace: {
        ...{ input_tokens: 20, output_tokens: 6, cost_usd: 0.02, model: 'gpt', latency_seconds: 9, timestamp: time(0) },
        messages: [
          { role: 'user', content: 'Refund A-1.' },
          {
            role: 'assistant',
            agent: 'desk',
            tool_calls: [{ id: 'c1' }],
            step: { latency_seconds: 1, cost_usd: 0.01 },
          },
          { role: 'tool_result', tool_call_id: 'c1', content: 'paid' },
          { role: 'assistant', content: 'Done.', agent: 'desk' },
        ],
      },
    });
    expect(Object.keys(conversation?.fields ?? {})).not.toContain('input');
  });

  it('is a conversation of its own, also if others are in the same list or session', () => {
    const other = {
      ...TRACE,
      id: 't2',
      observations: [
        { ...observation('p1', null, 'GENERATION', 0, { input: 'Hello?', output: 'Hi.' }), traceId: 't2' },
      ],
    };
    const read = readRecord(langfuseFormat, [{ ...TRACE, observations: OBSERVATIONS }, other]);
    expect(read.map(({ id, fields }) => [id, fields.sessionId])).toEqual([
      ['t1', 's1'],
      ['t2', 's1'],
    ]);
  });

  it('with an error of a tool and of the model keeps both', () => {
    const failed = [
      observation('o2', null, 'GENERATION', 0, { input: [USER], output: LOOK }),
      observation('o3', null, 'TOOL', 2, {
        name: 'lookup',
        input: { id: 'A-1' },
        output: null,
        level: 'ERROR',
        statusMessage: 'no such order',
      }),
      observation('o4', null, 'GENERATION', 4, {
        input: [USER, LOOK, { ...FOUND, content: 'no such order' }],
        output: null,
        level: 'ERROR',
        statusMessage: 'rate limit',
      }),
    ];
    const [conversation] = readRecord(langfuseFormat, { ...TRACE, output: null, observations: failed });
    expect(conversation?.trace).toMatchObject({
      error: 'rate limit',
      tool_calls_made: [{ is_error: true, result: 'no such order' }],
    });
  });

  it('with only the ids of its observations tells that calls are not seen', () => {
    const [conversation] = readRecord(langfuseFormat, { ...TRACE, observations: ['o1', 'o2'] });
    expect(conversation?.trace.messages).toMatchObject([{ content: 'Refund A-1.' }, { content: 'Done.' }]);
    expect(conversation?.losses).toMatchObject([{ line: 7, place: 'observations[0]' }, { line: 7 }]);
  });

  it('with agents beside each other keeps the calls of all of them', () => {
    const search = callOf('c9', 'search', { q: 'x' });
    const observations = [
      observation('a1', null, 'AGENT', 0, { name: 'supervisor', endTime: time(20), output: 'All done.' }),
      observation('a2', 'a1', 'AGENT', 1, { name: 'researcher' }),
      observation('g1', 'a2', 'GENERATION', 1, { input: [{ role: 'user', content: 'Search x.' }], output: search }),
      observation('t1', 'a2', 'TOOL', 3, { name: 'search', input: { q: 'x' }, output: 'found' }),
      observation('a3', 'a1', 'AGENT', 5, { name: 'writer' }),
      observation('g2', 'a3', 'GENERATION', 5, {
        input: [{ role: 'user', content: 'Write about found.' }],
        output: 'All done.',
      }),
    ];
    const [conversation] = readRecord(langfuseFormat, observations);
    expect(conversation?.trace).toMatchObject({
      final_content: 'All done.',
      tool_calls_made: [{ id: 'c9', name: 'search', result: 'found' }],
    });
    expect(conversation?.trace.messages).toMatchObject([
      { role: 'user', content: 'Write about found.' },
      { agent: 'researcher' },
      { role: 'tool_result' },
      { agent: 'writer' },
    ]);
    expect(conversation?.aside).toMatchObject({
      agents: [
        { name: 'supervisor' },
        { name: 'researcher', parent: 'supervisor' },
        { name: 'writer', parent: 'supervisor' },
      ],
    });
  });
});

describe('hostile observations', () => {
  it.each<[string, object]>([
    ['a name', { name: 5 }],
    ['an id', { id: '' }],
    ['a time', { startTime: 12 }],
  ])('with wrong types of %s are told, and the others are read', (_, wrong) => {
    const [, first, , last] = OBSERVATIONS;
    const [conversation] = readRecord(langfuseFormat, { ...TRACE, observations: [{ ...first, ...wrong }, last] });
    expect(conversation?.trace.final_content).toBe('Done.');
    expect(conversation?.losses).toMatchObject([{ line: 7, place: expect.stringContaining('observations[0]') }]);
  });

  it.each<[string, object]>([
    ['metadata', { metadata: 5 }],
    ['attributes', { metadata: { attributes: 'x' } }],
    ['a parent', { parentObservationId: 'o2' }],
    ['tokens', { usageDetails: { input: -1, output: 'many' }, usage: 'x' }],
    ['a cost', { costDetails: { total: 'free' } }],
    ['a garbage of a time', { startTime: 'yesterday', endTime: '' }],
  ])('with a wrong %s are read', (_, wrong) => {
    const [, first] = OBSERVATIONS;
    const [conversation] = readRecord(langfuseFormat, { ...first, ...wrong });
    expect(conversation?.trace.tool_calls_made).toHaveLength(1);
  });

  it('with anything wrong anywhere are read or refused', () => {
    const trace = { ...TRACE, observations: OBSERVATIONS.slice(0, 4), scores: SCORES };
    expect(expectToSurviveDamage(langfuseFormat, trace)).toBeGreaterThan(100);
  });

  it('nested without end are refused', () => {
    const deep = JSON.parse(`${'['.repeat(1000)}${']'.repeat(1000)}`);
    const [, first] = OBSERVATIONS;
    expect(() => readRecord(langfuseFormat, { ...first, input: deep })).toThrow(FormError);
  });

  it.each([
    null,
    3,
    'x',
    [],
    {},
    [[]],
    { observations: 3 },
    { data: [] },
    { messages: [], id: 'x', timestamp: 1 },
    { role: 'user', content: 'x' },
  ])('are not %j', (value) => {
    expect(langfuseFormat.recognises(value)).toBe(false);
    expect(readRecord(langfuseFormat, value)).toEqual([]);
  });

  it('that say nothing are refused', () => {
    expect(() => readRecord(langfuseFormat, observation('o1', null, 'SPAN', 0, {}))).toThrow(
      'the Langfuse trace has 1 steps, and none of them says what was asked, answered or called',
    );
  });
});
