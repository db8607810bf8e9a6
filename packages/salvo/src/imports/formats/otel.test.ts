import { describe, expect, it } from 'vitest';
import { expectToSurviveDamage, readRecord, readRecords } from '../../../../../test/import-reader.ts';
import { FormError } from '../../trace/forms/form-error.ts';
import { FORMATS } from '../formats.ts';
import { otelFormat } from './otel.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const text = (content: string) => ({ type: 'text', content });
const said = (role: string, ...parts: object[]) => ({ role, parts });
const call = (id: string, name: string, args: object) => ({ type: 'tool_call', id, name, arguments: args });
const result = (id: string, response: unknown) => ({
  role: 'tool',
  parts: [{ type: 'tool_call_response', id, response }],
});
const at = (second: number) => String(1_772_000_000_000_000_000n + BigInt(Math.round(second * 1000)) * 1_000_000n);

interface Given {
  id: string;
  parent?: string;
  name?: string;
  from?: number;
  to?: number;
  attributes?: Record<string, unknown>;
  events?: { name: string; attributes: Record<string, unknown> }[];
}

function span({ id, parent, name = 'span', from = 0, to = from + 1, attributes = {}, events = [] }: Given) {
  return {
    ...{ traceId: TRACE, spanId: id.padStart(16, '0'), parentSpanId: parent?.padStart(16, '0') ?? '', name },
    startTimeUnixNano: at(from),
    endTimeUnixNano: at(to),
    attributes: keyValues(attributes),
    events: events.map((event) => ({ name: event.name, attributes: keyValues(event.attributes) })),
    status: {},
  };
}

function keyValues(attributes: Record<string, unknown>) {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    value:
      typeof value === 'number'
        ? { intValue: String(value) }
        : { stringValue: typeof value === 'string' ? value : JSON.stringify(value) },
  }));
}

function chat(given: Given, input: object[], output: object, more: Record<string, unknown> = {}) {
  return span({
    name: 'chat gpt',
    ...given,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'gpt',
      'gen_ai.input.messages': input,
      'gen_ai.output.messages': [output],
      'gen_ai.usage.input_tokens': 10,
      'gen_ai.usage.output_tokens': 2,
      ...more,
    },
  });
}

const agent = (given: Given, name: string, more: Record<string, unknown> = {}) =>
  span({
    name: `invoke_agent ${name}`,
    ...given,
    attributes: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': name, ...more },
  });

const tool = (given: Given, name: string, callId: string | null, args: object, output: unknown) =>
  span({
    name: `execute_tool ${name}`,
    ...given,
    attributes: {
      ...{ 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': name },
      ...(callId === null ? {} : { 'gen_ai.tool.call.id': callId }),
      ...{ 'gen_ai.tool.call.arguments': args, 'gen_ai.tool.call.result': output },
    },
  });

const document = (...spans: object[]) => ({
  resourceSpans: [
    {
      resource: { attributes: keyValues({ 'service.name': 'shop' }) },
      scopeSpans: [{ scope: { name: 'lib' }, spans }],
    },
  ],
});

const USER = said('user', text('Plan a trip.'));
const DELEGATE = said('assistant', call('c1', 'ask_researcher', { task: 'flights' }));
const SEARCH = said('assistant', call('c2', 'search', { q: 'flights' }));

/** A supervisor whose tool is another agent, which uses a tool itself. */
const SUPERVISED = [
  agent({ id: 'a1', from: 0, to: 20 }, 'supervisor', {
    'gen_ai.usage.input_tokens': 40,
    'gen_ai.usage.output_tokens': 8,
  }),
  chat({ id: 'b1', parent: 'a1', from: 0 }, [USER], DELEGATE),
  tool({ id: 'b2', parent: 'a1', from: 2, to: 10 }, 'ask_researcher', 'c1', { task: 'flights' }, 'Two flights.'),
  agent({ id: 'd1', parent: 'b2', from: 2, to: 10 }, 'researcher'),
  chat(
    { id: 'd2', parent: 'd1', from: 2 },
    [said('system', text('You search.')), said('user', text('flights'))],
    SEARCH,
  ),
  tool({ id: 'd3', parent: 'd1', from: 4 }, 'search', 'c2', { q: 'flights' }, ['AB1', 'AB2']),
  chat(
    { id: 'd4', parent: 'd1', from: 6 },
    [said('system', text('You search.')), said('user', text('flights')), SEARCH, result('c2', ['AB1', 'AB2'])],
    said('assistant', text('Two flights.')),
  ),
  chat(
    { id: 'b3', parent: 'a1', from: 12 },
    [USER, DELEGATE, result('c1', 'Two flights.')],
    said('assistant', text('Take AB1.')),
    { 'gen_ai.response.finish_reasons': ['stop'] },
  ),
];

describe('spans of OpenTelemetry', () => {
  it('are one conversation per trace, with sub-agents between its messages, and nothing twice', () => {
    const [conversation, ...others] = readRecord(otelFormat, document(...SUPERVISED));
    expect(others).toEqual([]);
    expect(conversation?.losses).toEqual([]);
    expect(
      conversation?.trace.messages.map((message) => [message.role, 'agent' in message ? message.agent : null]),
    ).toEqual([
      ['user', null],
      ['assistant', 'supervisor'],
      ['assistant', 'researcher'],
      ['tool_result', null],
      ['assistant', 'researcher'],
      ['tool_result', null],
      ['assistant', 'supervisor'],
    ]);
    expect(conversation?.trace).toMatchObject({
      ...{
        input_tokens: 40,
        output_tokens: 8,
        final_content: 'Take AB1.',
        model: 'gpt',
        latency_seconds: 20,
        finish_reason: 'stop',
      },
      tool_calls_made: [
        { id: 'c1', name: 'ask_researcher', result: 'Two flights.' },
        { id: 'c2', name: 'search', result: '["AB1","AB2"]' },
      ],
    });
    expect(conversation).toMatchObject({
      ...{ id: TRACE, fields: { 'service.name': 'shop', trace_id: TRACE, 'gen_ai.agent.name': 'supervisor' } },
      aside: {
        agents: [
          { name: 'supervisor', parent: null },
          { name: 'researcher', parent: 'supervisor', asked: [{ content: 'You search.' }, { content: 'flights' }] },
        ],
      },
    });
  });

  it('may be anywhere: in several documents, in any order, of several traces', () => {
    const other = { ...chat({ id: 'e1' }, [USER], said('assistant', text('No.'))), traceId: 'ff'.repeat(16) };
    const records = [...SUPERVISED.toReversed(), other].map((each, index) => ({
      value: document(each),
      line: index + 1,
    }));
    const [second, first] = readRecords(otelFormat, records)
      .toSorted((a, b) => b.trace.messages.length - a.trace.messages.length)
      .toReversed();
    const [whole] = readRecord(otelFormat, document(...SUPERVISED));
    expect(first?.trace).toEqual(whole?.trace);
    expect(second?.trace.final_content).toBe('No.');
  });

  it('are the same with names in snake case, ids in base64 and numbers as such', () => {
    const base64 = (hex: string) => (hex === '' ? '' : Buffer.from(hex, 'hex').toString('base64'));
    const snake = SUPERVISED.map((each) => ({
      trace_id: base64(each.traceId),
      span_id: base64(each.spanId),
      parent_span_id: base64(each.parentSpanId),
      name: each.name,
      start_time_unix_nano: each.startTimeUnixNano,
      end_time_unix_nano: each.endTimeUnixNano,
      attributes: each.attributes.map(({ key, value }) => ({
        key,
        value: 'intValue' in value ? { int_value: Number(value.intValue) } : { string_value: value.stringValue },
      })),
    }));
    const value = { resource_spans: [{ resource: {}, scope_spans: [{ scope: {}, spans: snake }] }] };
    expect(FORMATS.find((format) => format.recognises(value))).toBe(otelFormat);
    const [whole] = readRecord(otelFormat, document(...SUPERVISED));
    expect(readRecord(otelFormat, value)[0]?.trace).toEqual(whole?.trace);
    expect(readRecord(otelFormat, value)[0]?.id).toBe(TRACE);
  });

  it('are the same as a list of spans with maps of attributes, and as Jaeger writes them', () => {
    const map = (each: (typeof SUPERVISED)[number]) =>
      Object.fromEntries(
        each.attributes.map(({ key, value }) => [
          key,
          'intValue' in value ? Number(value.intValue) : value.stringValue,
        ]),
      );
    const listed = SUPERVISED.map((each) => ({ ...each, attributes: map(each) }));
    const jaeger = SUPERVISED.map((each) => ({
      ...{ traceID: each.traceId, spanID: each.spanId, operationName: each.name },
      references:
        each.parentSpanId === '' ? [] : [{ refType: 'CHILD_OF', traceID: each.traceId, spanID: each.parentSpanId }],
      startTime: Number(BigInt(each.startTimeUnixNano) / 1000n),
      duration: Number((BigInt(each.endTimeUnixNano) - BigInt(each.startTimeUnixNano)) / 1000n),
      tags: Object.entries(map(each)).map(([key, value]) => ({ key, type: 'string', value })),
      logs: [],
    }));
    const [whole] = readRecord(otelFormat, document(...SUPERVISED));
    for (const value of [listed, { data: [{ traceID: TRACE, spans: jaeger, processes: {} }] }]) {
      expect(FORMATS.find((format) => format.recognises(value))).toBe(otelFormat);
      expect(readRecord(otelFormat, value)[0]?.trace).toEqual(whole?.trace);
    }
  });

  it('of a call that two libraries recorded count once, also side by side', () => {
    const id = { 'gen_ai.response.id': 'resp_1' };
    const answer = said('assistant', text('Hi.'));
    const nested = [chat({ id: '1', to: 5 }, [USER], answer), chat({ id: '2', parent: '1', from: 1 }, [USER], answer)];
    const beside = [chat({ id: '1', to: 5 }, [USER], answer, id), chat({ id: '2', from: 1 }, [USER], answer, id)];
    for (const spans of [nested, beside]) {
      const [conversation] = readRecord(otelFormat, document(...spans));
      expect(conversation?.trace).toMatchObject({ input_tokens: 10, output_tokens: 2, turn_count: 1 });
    }
  });

  it('of a model that hands over to another agent while its call is under way are two calls', () => {
    const handOver = said('assistant', call('c1', 'transfer', {}));
    const spans = [
      agent({ id: '1', to: 9 }, 'first'),
      chat({ id: '2', parent: '1', to: 8 }, [USER], handOver),
      agent({ id: '3', parent: '2', from: 2, to: 7 }, 'second'),
      chat({ id: '4', parent: '3', from: 3 }, [USER, handOver, result('c1', 'ok')], said('assistant', text('Go.'))),
    ];
    const [conversation] = readRecord(otelFormat, document(...spans));
    expect(conversation?.trace).toMatchObject({
      ...{ input_tokens: 20, final_content: 'Go.' },
      messages: [{ role: 'user' }, { agent: 'first' }, { role: 'tool_result' }, { agent: 'second' }],
    });
  });

  it('of the AI SDK count once, whether the inner span of a call is there or not', () => {
    const outer = span({
      ...{ id: '1', to: 9, name: 'ai.generateText' },
      attributes: {
        'ai.operationId': 'ai.generateText',
        'ai.prompt': { system: 'Be kind.', messages: [{ role: 'user', content: 'Hello?' }] },
        'ai.response.text': 'Hi.',
        'ai.usage.promptTokens': 7,
        'ai.usage.completionTokens': 1,
      },
    });
    const inner = span({
      ...{ id: '2', parent: '1', from: 1, name: 'ai.generateText.doGenerate' },
      attributes: {
        'ai.operationId': 'ai.generateText.doGenerate',
        'ai.prompt.messages': [
          { role: 'system', content: 'Be kind.' },
          { role: 'user', content: [{ type: 'text', text: 'Hello?' }] },
        ],
        'ai.response.text': 'Hi.',
        'ai.usage.promptTokens': 7,
        'ai.usage.completionTokens': 1,
      },
    });
    for (const spans of [[outer], [outer, inner]]) {
      const [conversation] = readRecord(otelFormat, document(...spans));
      expect(conversation?.trace).toMatchObject({
        ...{ input_tokens: 7, output_tokens: 1 },
        messages: [{ role: 'system' }, { role: 'user', content: 'Hello?' }, { role: 'assistant', content: 'Hi.' }],
      });
    }
  });

  it('of an agent whose models do not say what was said have it from the agent', () => {
    const silent = span({
      id: '2',
      parent: '1',
      attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.usage.input_tokens': 5, 'gen_ai.usage.output_tokens': 1 },
    });
    const told = agent({ id: '1', to: 5 }, 'helper', {
      'gen_ai.input.messages': [USER],
      'gen_ai.output.messages': [said('assistant', text('Stay.'))],
      'gen_ai.usage.input_tokens': 5,
      'gen_ai.usage.output_tokens': 1,
    });
    const [conversation] = readRecord(otelFormat, document(told, silent));
    expect(conversation?.trace).toMatchObject({ input_tokens: 5, output_tokens: 1, final_content: 'Stay.' });
    expect(conversation?.trace.messages).toHaveLength(2);
  });

  it('have messages in events of spans and in log records, as before version 1.37', () => {
    const events = [
      { name: 'gen_ai.user.message', attributes: { content: 'Hello?' } },
      {
        name: 'gen_ai.choice',
        attributes: {
          message: {
            role: 'assistant',
            tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } }],
          },
        },
      },
    ];
    const attributes = { 'gen_ai.operation.name': 'chat' };
    const inSpan = span({ id: '1', attributes, events });
    const logs = {
      resourceLogs: [
        {
          scopeLogs: [
            {
              logRecords: events.map(({ name, attributes: own }) => ({
                ...{ traceId: TRACE, spanId: inSpan.spanId, eventName: name },
                body: { kvlistValue: { values: keyValues(own) } },
              })),
            },
          ],
        },
      ],
    };
    const bare = document(span({ id: '1', attributes }));
    for (const values of [[document(inSpan)], [logs, bare]]) {
      const [conversation] = readRecords(
        otelFormat,
        values.map((value, index) => ({ value, line: index + 1 })),
      );
      expect(conversation?.trace.messages).toMatchObject([
        { content: 'Hello?' },
        { tool_calls: [{ id: 'c1', name: 'look' }] },
      ]);
    }
  });

  it('of a provider that keeps the conversation are joined by the results of calls', () => {
    const spans = [
      chat({ id: '1' }, [USER], said('assistant', call('c1', 'look', {}))),
      chat({ id: '2', from: 3 }, [result('c1', 'a tree')], said('assistant', text('A tree.'))),
    ];
    const [conversation] = readRecord(otelFormat, document(...spans));
    expect(conversation?.trace.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool_result',
      'assistant',
    ]);
    expect(conversation?.trace.messages.filter((message) => message.role === 'assistant' && message.agent)).toEqual([]);
  });

  it('of an agent that rewrites its own answers are one conversation', () => {
    const spans = [
      chat({ id: '1' }, [USER], said('assistant', text('Action: look'))),
      chat(
        { id: '2', from: 3 },
        [USER, said('assistant', text('Action: look\nObservation: tree'))],
        said('assistant', text('A tree.')),
      ),
    ];
    const [conversation] = readRecord(otelFormat, document(...spans));
    expect(conversation?.trace.messages).toMatchObject([
      { role: 'user' },
      { content: 'Action: look' },
      { content: 'A tree.' },
    ]);
    expect(conversation?.aside).toEqual({});
  });

  it('of independent calls keep all answers, and what each was asked', () => {
    const spans = [
      chat({ id: '1', name: 'classify' }, [said('user', text('Which kind?'))], said('assistant', text('travel'))),
      chat({ id: '2', from: 3, name: 'answer' }, [USER], said('assistant', text('Go.'))),
    ];
    const [conversation] = readRecord(otelFormat, document(...spans));
    expect(conversation?.trace.messages).toMatchObject([
      { content: 'Plan a trip.' },
      { content: 'travel', agent: 'classify' },
      { content: 'Go.' },
    ]);
    expect(conversation?.aside).toMatchObject({ agents: [{ name: 'classify', asked: [{ content: 'Which kind?' }] }] });
    expect(conversation?.trace).toMatchObject({ input_tokens: 20, final_content: 'Go.' });
  });

  it('of evaluations are scores, of which one may say that it passed', () => {
    const evaluation = (name: string, more: object) => ({
      name: 'gen_ai.evaluation.result',
      attributes: { 'gen_ai.evaluation.name': name, ...more },
    });
    const judged = (...events: Given['events'] & object) => {
      const asked = chat({ id: '1' }, [USER], said('assistant', text('Go.')));
      return readRecord(otelFormat, document({ ...asked, events: span({ id: '1', events }).events }))[0]?.given;
    };
    expect(
      judged(
        evaluation('useful', { 'gen_ai.evaluation.score.value': 4 }),
        evaluation('passed', { 'gen_ai.evaluation.score.label': 'fail' }),
      ),
    ).toEqual({
      ...{ passed: false, reward: null },
      scores: { useful: 4, passed: 'fail' },
    });
    expect(judged(evaluation('safe', { 'gen_ai.evaluation.score.label': 'pass' }))?.passed).toBe(true);
    expect(judged(evaluation('__proto__', { 'gen_ai.evaluation.score.value': 1 }))?.passed).toBe(null);
    expect(judged()).toBe(null);
  });

  it('of OpenInference have messages, tools, agents and tokens', () => {
    const spans = [
      span({
        id: '1',
        to: 9,
        name: 'Team.run',
        attributes: {
          'openinference.span.kind': 'AGENT',
          'agent.name': 'planner',
          'input.value': 'Cold?',
          'output.value': 'Yes.',
        },
      }),
      span({
        ...{ id: '2', parent: '1', name: 'llm' },
        attributes: {
          'openinference.span.kind': 'LLM',
          'llm.model_name': 'm1',
          'llm.token_count.prompt': 4,
          'llm.token_count.completion': 3,
          'llm.input_messages.0.message.role': 'user',
          'llm.input_messages.0.message.content': 'Cold?',
          'llm.output_messages.0.message.role': 'assistant',
          'llm.output_messages.0.message.tool_calls.0.tool_call.id': 'c1',
          'llm.output_messages.0.message.tool_calls.0.tool_call.function.name': 'weather',
          'llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments': '{"city":"Oslo"}',
        },
      }),
      span({
        id: '3',
        parent: '1',
        from: 2,
        name: 'weather',
        attributes: {
          'openinference.span.kind': 'TOOL',
          'tool.name': 'weather',
          'input.value': '{"city":"Oslo"}',
          'output.value': '3 degrees',
        },
      }),
    ];
    const [conversation] = readRecord(otelFormat, document(...spans));
    expect(conversation?.trace).toMatchObject({
      ...{ input_tokens: 4, output_tokens: 3, model: 'm1' },
      tool_calls_made: [{ id: 'c1', name: 'weather', arguments: { city: 'Oslo' }, result: '3 degrees' }],
      messages: [{ role: 'user' }, { role: 'assistant', agent: 'planner' }, { role: 'tool_result' }],
    });
  });
});

describe('hostile spans', () => {
  const plain = () => chat({ id: '1' }, [USER], said('assistant', text('Go.')));

  it('that are their own parents are told, and the rest is read', () => {
    const one = { ...chat({ id: '1', parent: '2' }, [USER], said('assistant', text('Go.'))) };
    const [conversation] = readRecord(otelFormat, document(one, span({ id: '2', parent: '1' })));
    expect(conversation?.trace.final_content).toBe('Go.');
    expect(conversation?.losses).toMatchObject([{ line: 7, problem: 'is its own parent' }]);
  });

  it('with the same id are one if they were sent twice, and two if they differ', () => {
    expect(readRecord(otelFormat, document(plain(), plain()))[0]?.trace).toMatchObject({
      input_tokens: 10,
      turn_count: 1,
    });
    const other = tool({ id: '1', from: 2 }, 'look', null, { a: 1 }, 'tree');
    const [conversation] = readRecord(otelFormat, document(plain(), other));
    expect(conversation?.trace.tool_calls_made).toMatchObject([{ name: 'look', result: 'tree' }]);
    expect(conversation?.losses).toMatchObject([{ problem: expect.stringContaining('has the id of another step') }]);
  });

  it.each<[string, object]>([
    ['times', { startTimeUnixNano: 'yesterday', endTimeUnixNano: { a: 1 } }],
    ['a parent that is missing', { parentSpanId: 'ffffffffffffffff' }],
    ['events', { events: [null, 3, { name: 5 }] }],
    ['a status', { status: 'bad' }],
    [
      'more attributes',
      {
        attributes: [
          ...plain().attributes,
          { key: '__proto__', value: { stringValue: 'x' } },
          { key: 'constructor', value: null },
          5,
          null,
        ],
      },
    ],
  ])('with wrong %s are read', (_, wrong) => {
    const [conversation] = readRecord(otelFormat, document({ ...plain(), ...wrong }));
    expect(conversation?.trace.final_content).toBe('Go.');
  });

  it.each<[string, object]>([
    ['no span', document()],
    ['spans that are none', document({ spanId: 3 }, { name: 'x' })],
    ['spans in which nothing is said', document(span({ id: '1' }))],
  ])('of a document with %s are refused, or are none', (_, value) => {
    expect(otelFormat.recognises(value)).toBe(true);
    try {
      expect(readRecord(otelFormat, value)).toEqual([]);
    } catch (error) {
      expect(error).toBeInstanceOf(FormError);
    }
  });

  it.each([
    null,
    3,
    'x',
    [],
    {},
    [null],
    { resourceSpans: 3 },
    { spans: [] },
    { data: [] },
    { role: 'user', content: 'x' },
  ])('are not %j', (value) => {
    expect(otelFormat.recognises(value)).toBe(false);
    expect(readRecord(otelFormat, value)).toEqual([]);
  });

  it('with anything wrong anywhere are read or refused', () => {
    expect(expectToSurviveDamage(otelFormat, document(...SUPERVISED.slice(3, 6)))).toBeGreaterThan(100);
  });

  it('nested without end are refused', () => {
    const deep = JSON.parse(`${'['.repeat(1000)}${']'.repeat(1000)}`);
    const value = document({ ...plain(), attributes: [{ key: 'x', value: { arrayValue: { values: deep } } }] });
    expect(() => readRecord(otelFormat, value)).toThrow(FormError);
    const within = chat({ id: '1' }, [USER], said('assistant', text('Go.')), {
      'gen_ai.input.messages': `${'['.repeat(1000)}${']'.repeat(1000)}`,
    });
    expect(() => readRecord(otelFormat, document(within))).toThrow(FormError);
  });

  it('in large numbers, within each other or beside each other, are read', () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, index) =>
        tool({ id: (index + 2).toString(16), parent: '1', from: index }, 'look', null, { index }, 'x'),
      );
    const chain = Array.from({ length: 5000 }, (_, index) =>
      span({ id: (index + 0x100000).toString(16), parent: (index + 0xfffff).toString(16) }),
    );
    const [conversation] = readRecord(otelFormat, document(plain(), ...many(5000), ...chain));
    expect(conversation?.trace.tool_calls_made).toHaveLength(5000);
  });
});
