import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FormError } from '../form-error.ts';
import { joinSteps } from './join-steps.ts';
import { otelTrace, otlpSpans, traceOfSpans } from './otel-spans.ts';

const parts = (content: string) => [{ type: 'text', content }];
const chat = (spanId: string, asked: string, said: string, more: object = {}) => ({
  ...{ name: 'chat', spanId, traceId: 'a1' },
  attributes: {
    'gen_ai.operation.name': 'chat',
    'gen_ai.input.messages': JSON.stringify([{ role: 'user', parts: parts(asked) }]),
    'gen_ai.output.messages': JSON.stringify([{ role: 'assistant', parts: parts(said) }]),
  },
  ...more,
});

describe('spans of OpenTelemetry', () => {
  it.each([
    ['nanoseconds as text', { startTimeUnixNano: '1700000000000000000', endTimeUnixNano: '1700000001500000000' }],
    ['seconds and nanoseconds', { startTime: [1_700_000_000, 0], endTime: [1_700_000_001, 500_000_000] }],
    [
      'dates, as Python writes them',
      { start_time: '2023-11-14T22:13:20.000000Z', end_time: '2023-11-14T22:13:21.500000Z' },
    ],
    ['microseconds of the console exporter', { timestamp: 1_700_000_000_000_000, duration: 1_500_000 }],
  ])('have their times as %s', (_, times) => {
    const [step] = otelTrace([chat('b1', 'Hello?', 'Hi.', times)])?.steps ?? [];
    expect(step).toMatchObject({ start: 1_700_000_000_000, end: 1_700_000_001_500 });
  });

  it('of Python have their ids in a context, with 0x before them', () => {
    const span = { ...chat('', 'Hello?', 'Hi.'), spanId: undefined, traceId: undefined, parent_id: '0xbb' };
    const python = {
      ...span,
      context: { trace_id: '0xaa', span_id: '0xcc' },
      status: { status_code: 'ERROR', description: 'no' },
    };
    expect(otelTrace([python])?.steps).toMatchObject([{ id: 'cc', parent: 'bb', kind: 'model', error: 'no' }]);
  });

  it('of several traces are refused, but spans of other things do not count', () => {
    const other = { name: 'GET /', spanId: 'd1', traceId: 'f1', attributes: { 'http.method': 'GET' } };
    expect(otelTrace([chat('b1', 'Hello?', 'Hi.'), other])?.steps).toHaveLength(1);
    const two = [chat('b1', 'Hello?', 'Hi.'), chat('b2', 'Hello?', 'Hi.', { traceId: 'a2' })];
    expect(() => otelTrace(two)).toThrow('spans: are of 2 traces: pass those of one at a time');
  });

  it.each([
    ['an empty list', []],
    ['messages', [{ role: 'user', content: 'x' }]],
    ['a text', 'spans'],
    ['null', null],
    ['an object', { spans: [] }],
  ])('are not %s', (_, given) => {
    expect(otelTrace(given)).toBe(undefined);
  });

  it.each([
    ['spans that are no list', { resourceSpans: [{ scopeSpans: { spans: 1 } }] }],
    ['a span that is no object', { resourceSpans: [{ scopeSpans: [{ spans: ['x'] }] }] }],
    ['a span without an id', { resourceSpans: [{ scopeSpans: [{ spans: [{ name: 'x' }] }] }] }],
  ])('are refused with their place: %s', (_, document) => {
    expect(() => otelTrace(document)).toThrow(FormError);
  });

  it('never fail in another way', () => {
    const names = fc.constantFrom(
      ...['gen_ai.operation.name', 'gen_ai.input.messages', 'gen_ai.output.messages', 'gen_ai.usage.input_tokens'],
      ...['openinference.span.kind', 'llm.input_messages.0.message.role', 'llm.output_messages.0.message.content'],
      ...[
        'ai.operationId',
        'ai.prompt.messages',
        'ai.response.toolCalls',
        'gen_ai.prompt.0.content',
        'gen_ai.completion.0.role',
      ],
      ...['gen_ai.prompt.__proto__.x', 'tool.name', 'gen_ai.tool.call.arguments', 'llm.request.type'],
    );
    const value = fc.oneof(
      fc.constantFrom(
        'chat',
        'execute_tool',
        'LLM',
        'TOOL',
        'ai.toolCall',
        'ai.generateText.doGenerate',
        '[{"role":"user"}]',
        '[',
        '{}',
      ),
      fc.jsonValue({ maxDepth: 3 }),
    );
    const span = fc.record({
      name: fc.string(),
      spanId: fc.constantFrom('a', 'b', 'c'),
      parentSpanId: fc.constantFrom('a', 'b', 'c', '', null),
      attributes: fc.dictionary(names, value, { maxKeys: 6 }),
      events: fc.jsonValue({ maxDepth: 3 }),
      status: fc.jsonValue({ maxDepth: 2 }),
      startTimeUnixNano: fc.jsonValue({ maxDepth: 1 }),
    });
    fc.assert(
      fc.property(fc.array(span, { maxLength: 4 }), (spans) => {
        try {
          const document = JSON.parse(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }));
          expect(joinSteps(traceOfSpans(otlpSpans(document)), { final: null, idPrefix: '' })).toHaveProperty(
            'messages',
          );
        } catch (error) {
          expect(error).toBeInstanceOf(FormError);
        }
      }),
    );
  });
});

describe('steps that are joined', () => {
  const joined = (...spans: object[]) => {
    const trace = otelTrace(spans);
    if (!trace) throw new Error('These are no spans.');
    return joinSteps(trace, { final: 'Sunny.', idPrefix: '' });
  };

  it('are several conversations if they do not continue each other, of which the answer shows the main one', () => {
    const { messages, conversations, steps } = joined(
      chat('b1', 'Weather?', 'Sunny.', { startTimeUnixNano: '1700000000000000000' }),
      chat('b2', 'A title for this?', 'Weather', { startTimeUnixNano: '1700000001000000000' }),
    );
    expect(messages.map(({ content }) => content)).toEqual(['Sunny.']);
    expect(conversations).toBe(2);
    expect(steps.map(({ conversation, answer }) => [conversation, answer])).toEqual([
      [1, 1],
      [2, null],
    ]);
  });

  it('keep what can be read, and say what cannot', () => {
    const broken = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.output.messages': '[{"role":"assistant","parts":[{"type":"hologram"}]}]',
    };
    const { messages, problems, steps } = joined(
      chat('b1', 'Weather?', 'Sunny.'),
      chat('b2', '', '', { attributes: broken }),
    );
    expect(messages.map(({ content }) => content)).toEqual(['Sunny.']);
    expect(problems).toEqual([expect.stringContaining('spans[1] ("chat").gen_ai.output.messages')]);
    expect(steps).toHaveLength(2);
  });

  it('of a tool that ended have run it, also if neither arguments nor result were recorded', () => {
    const attributes = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'look' };
    const tool = (id: string, times: object) => ({
      ...chat(id, '', ''),
      startTimeUnixNano: undefined,
      ...times,
      attributes,
    });
    const results = (times: object) =>
      joined(chat('b1', 'Weather?', 'Sunny.'), tool('b2', times)).messages.flatMap((message) =>
        message.role === 'tool_result' ? message.content : [],
      );
    expect(results({ endTimeUnixNano: '1700000001000000000' })).toEqual(['[result not recorded]']);
    expect(results({ startTimeUnixNano: '1700000000000000000', endTimeUnixNano: undefined })).toEqual([]);
  });

  it('that began in the same millisecond are in order of what they were sent, however they came', () => {
    const said = [
      { role: 'user', parts: parts('Weather?') },
      { role: 'assistant', parts: parts('Where?') },
      { role: 'user', parts: parts('Here.') },
    ];
    const later = chat('b2', '', 'Sunny.');
    later.attributes['gen_ai.input.messages'] = JSON.stringify(said);
    const { messages, conversations } = joined(later, chat('b1', 'Weather?', 'Where?'));
    expect(messages.map(({ content }) => content)).toEqual(['Where?', 'Here.', 'Sunny.']);
    expect(conversations).toBe(1);
  });

  it('join ten thousand calls at once', () => {
    const spans = Array.from({ length: 10_000 }, (_, at) => chat(`b${at + 1}`, `Question ${at}`, `Answer ${at}`));
    expect(joined(...spans).conversations).toBe(10_000);
  });
});
