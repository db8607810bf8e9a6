import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SalvoError } from '../../../text/errors/salvo-error.ts';
import { traceSchema } from '../../trace.ts';
import { traceFrom } from '../../trace-from.ts';

const START = Date.parse('2026-03-01T10:00:00.000Z');
const at = (seconds: number) => new Date(START + seconds * 1000).toISOString();

/** An observation as Langfuse exports it: also fields that mean other things in replies of agents. */
const observation = (id: string, type: string, fields: object = {}) => ({
  id,
  type,
  traceId: 't1',
  name: type.toLowerCase(),
  parentObservationId: 'root',
  startTime: at(0),
  endTime: at(0),
  level: 'DEFAULT',
  statusMessage: null,
  model: null,
  usageDetails: {},
  totalUsage: 0,
  toolCalls: [],
  metadata: '{}',
  input: null,
  output: null,
  ...fields,
});
const root = observation('root', 'SPAN', { parentObservationId: null, endTime: at(9) });
const generation = (id: string, times: [number, number], fields: object) =>
  observation(id, 'GENERATION', {
    ...{ name: 'chat', model: 'gpt-5', startTime: at(times[0]), endTime: at(times[1]) },
    ...{ usageDetails: { input: 40, input_cache_read: 10, output: 5, total: 55 }, totalUsage: 55 },
    costDetails: { total: 0.25 },
    ...fields,
  });
const tool = (id: string, second: number, fields: object) =>
  observation(id, 'TOOL', { startTime: at(second), endTime: at(second), ...fields });

const downloaded = (observations: object[], trace: object = {}) => ({
  trace: {
    ...{ id: 't1', timestamp: at(0), latency: 9, input: '"What is it?"', output: '"A cat."', ...trace },
    observations: observations.map((entry) => ({ ...entry, input: null, output: null })),
  },
  observations,
});

const ask = { role: 'user', content: 'What is it?' };
const callOf = (id: string, args = { at: 'it' }, name = 'look') => ({
  ...{ id, type: 'function', function: { name, arguments: JSON.stringify(args) } },
});
const asks = { role: 'assistant', content: null, tool_calls: [callOf('c1')] };
const result = { role: 'tool', tool_call_id: 'c1', content: 'a cat' };
const done = { role: 'assistant', content: 'A cat.' };

const conversation = [
  { role: 'user', content: 'What is it?' },
  { role: 'assistant', tool_calls: [{ name: 'look', arguments: { at: 'it' } }] },
  { role: 'tool_result', name: 'look', content: 'a cat', is_error: false },
  { role: 'assistant', content: 'A cat.', tool_calls: [] },
];

describe('a trace of Langfuse with its observations is the conversation of its model calls', () => {
  test.each<[string, object[]]>([
    [
      'chat messages, as JSON in texts',
      [
        generation('g1', [1, 2], { input: JSON.stringify([ask]), output: JSON.stringify(asks) }),
        tool('x1', 3, { name: 'look', input: '{"at":"it"}', output: 'a cat' }),
        generation('g2', [4, 5], { input: JSON.stringify([ask, asks, result]), output: JSON.stringify(done) }),
      ],
    ],
    [
      'items of the Responses API',
      [
        generation('g1', [1, 2], {
          input: [ask],
          output: {
            object: 'response',
            output: [{ type: 'function_call', call_id: 'c1', name: 'look', arguments: '{"at":"it"}' }],
          },
        }),
        tool('x1', 3, { name: 'look', input: { at: 'it' }, output: 'a cat' }),
        generation('g2', [4, 5], {
          input: [
            ask,
            { type: 'function_call', call_id: 'c1', name: 'look', arguments: '{"at":"it"}' },
            { type: 'function_call_output', call_id: 'c1', output: 'a cat' },
          ],
          output: {
            object: 'response',
            output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'A cat.' }] }],
          },
        }),
      ],
    ],
    [
      'the AI SDK, which records each call within another, and only the calls of a step',
      [
        generation('g0', [1, 9], { input: { prompt: 'What is it?' }, output: 'A cat.' }),
        generation('g1', [1, 2], {
          parentObservationId: 'g0',
          input: [{ role: 'user', content: [{ type: 'text', text: 'What is it?' }] }],
          output: [{ toolCallId: 'c1', toolName: 'look', input: '{"at":"it"}' }],
        }),
        tool('x1', 3, {
          ...{ parentObservationId: 'g0', name: 'ai.toolCall', input: '{"at":"it"}', output: 'a cat' },
          metadata: JSON.stringify({ attributes: { 'ai.toolCall.name': 'look', 'ai.toolCall.id': 'c1' } }),
        }),
        generation('g2', [4, 5], {
          parentObservationId: 'g0',
          input: [
            { role: 'user', content: [{ type: 'text', text: 'What is it?' }] },
            {
              role: 'assistant',
              content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'look', input: { at: 'it' } }],
            },
            {
              role: 'tool',
              content: [
                { type: 'tool-result', toolCallId: 'c1', toolName: 'look', output: { type: 'text', value: 'a cat' } },
              ],
            },
          ],
          output: 'A cat.',
        }),
      ],
    ],
    [
      'LangGraph in Python, with the tools among the messages and the calls in further fields',
      [
        generation('g1', [1, 2], {
          input: [ask, { role: 'tool', content: { type: 'function', function: { name: 'look', parameters: {} } } }],
          output: { role: 'assistant', content: '', additional_kwargs: { tool_calls: [callOf('c1')] } },
        }),
        observation('x1', 'SPAN', {
          ...{ name: 'look', startTime: at(3), input: "{'at': 'it'}" },
          output: { type: 'tool', name: 'look', content: 'a cat', tool_call_id: 'c1', status: 'success' },
        }),
        generation('g2', [4, 5], {
          input: [
            ask,
            { role: 'assistant', content: '', additional_kwargs: { tool_calls: [callOf('c1')] } },
            result,
            { role: 'tool', content: { type: 'function', function: { name: 'look', parameters: {} } } },
          ],
          output: { role: 'assistant', content: 'A cat.' },
        }),
      ],
    ],
    [
      'messages of OpenTelemetry, of which the provider keeps the old ones',
      [
        generation('g1', [1, 2], {
          input: [{ role: 'user', parts: [{ type: 'text', content: 'What is it?' }] }],
          output: [
            {
              role: 'assistant',
              parts: [{ type: 'tool_call', id: ['run', 'c1'], name: 'look', arguments: { at: 'it' } }],
            },
          ],
        }),
        generation('g2', [4, 5], {
          input: [
            {
              role: 'assistant',
              parts: [{ type: 'tool_call', id: ['run', 'c1'], name: 'look', arguments: { at: 'it' } }],
            },
            { role: 'tool', parts: [{ type: 'tool_call_response', id: ['run', 'c1'], response: 'a cat' }] },
          ],
          output: [{ role: 'assistant', parts: [{ type: 'text', content: 'A cat.' }] }],
        }),
      ],
    ],
    [
      'Gemini, whose calls have no ids',
      [
        generation('g1', [1, 2], {
          input: { model: 'gemini', contents: [{ role: 'user', parts: [{ text: 'What is it?' }] }] },
          output: { content: { role: 'model', parts: [{ function_call: { name: 'look', args: { at: 'it' } } }] } },
        }),
        generation('g2', [4, 5], {
          input: {
            contents: [
              { role: 'user', parts: [{ text: 'What is it?' }] },
              { role: 'model', parts: [{ function_call: { name: 'look', args: { at: 'it' } } }] },
              { role: 'user', parts: [{ function_response: { name: 'look', response: 'a cat' } }] },
            ],
          },
          output: { content: { role: 'model', parts: [{ text: 'A cat.' }] }, finish_reason: 'STOP' },
        }),
      ].map((entry) =>
        JSON.parse(JSON.stringify(entry).replace('"response":"a cat"', '"response":{"result":"a cat"}')),
      ),
    ],
    [
      'calls that are in messages of the role tool',
      [
        generation('g2', [4, 5], {
          usageDetails: { input: 100, output: 10 },
          costDetails: { total: 0.5 },
          input: [ask, { role: 'tool', content: [callOf('c1')] }, { role: 'tool', content: 'a cat' }],
          output: [done],
        }),
        observation('x1', 'SPAN', {
          ...{ name: 'tool.look', startTime: at(3), input: { at: 'it' }, output: 'a cat' },
          metadata: { attributes: { 'gen_ai.tool.name': 'look', 'gen_ai.tool.call.id': 'c1' } },
        }),
      ],
    ],
    [
      'text in which a model asks for a tool, which its observation shows',
      [
        generation('g1', [1, 2], { input: [ask], output: 'I should look.' }),
        tool('x1', 3, { name: 'look', input: { at: 'it' }, output: 'a cat' }),
        generation('g2', [4, 5], { input: [ask, { role: 'assistant', content: 'I should look.' }], output: 'A cat.' }),
      ],
    ],
  ])('%s', (_, observations) => {
    for (const form of [
      downloaded([...observations, root].toReversed()),
      { id: 't1', timestamp: at(0), input: 'What is it?', output: 'A cat.', observations: [root, ...observations] },
      [...observations, root],
    ]) {
      const trace = traceFrom(form);
      expect(
        trace.messages.map((message) => ({
          ...message,
          content: message.content?.replace(/^\{"result":"(.*)"\}$/, '$1'),
        })),
      ).toMatchObject(conversation);
      expect(trace.tool_calls_made).toMatchObject([
        { name: 'look', turn: 1, result: expect.stringContaining('a cat') },
      ]);
      expect(trace).toMatchObject({
        ...{ model: 'gpt-5', input_tokens: 100, output_tokens: 10, cost_usd: 0.5, final_content: 'A cat.' },
        ...{ latency_seconds: 9, timestamp: at(0) },
      });
    }
  });

  test('tokens and costs are read by the names of other versions, too', () => {
    const { usageDetails, costDetails, ...answer } = generation('g1', [1, 2], { input: [ask], output: done }) as Record<
      string,
      unknown
    >;
    const known = { ...answer, inputUsage: 50, outputUsage: 5, totalUsage: 55, calculatedTotalCost: 0.25 };
    expect(traceFrom([known])).toMatchObject({ input_tokens: 50, output_tokens: 5, cost_usd: 0.25 });
    const unknown = { ...answer, inputUsage: 0, outputUsage: 0, totalUsage: 0, totalCost: 0 };
    expect(traceFrom([unknown])).toMatchObject({ input_tokens: null, cost_usd: null });
  });

  test('a result that only the tool has, and its error, belong to the call', () => {
    const failed = tool('x1', 3, { name: 'look', input: { at: 'it' }, level: 'ERROR', statusMessage: 'no light' });
    const trace = traceFrom(downloaded([generation('g1', [1, 2], { input: [ask], output: asks }), failed]));
    expect(trace.tool_calls_made).toMatchObject([{ id: 'c1', result: 'no light', is_error: true }]);
    expect(trace.final_content).toBeNull();
  });

  test('parallel results in another order find their calls', () => {
    const two = { role: 'assistant', content: null, tool_calls: [callOf('c1'), callOf('c2', { at: 'her' })] };
    const trace = traceFrom([
      generation('g1', [1, 2], { input: [ask], output: two }),
      tool('x2', 3, { name: 'look', input: { at: 'her' }, output: 'a dog' }),
      tool('x1', 4, { name: 'look', input: { at: 'it' }, output: 'a cat' }),
    ]);
    expect(trace.tool_calls_made).toMatchObject([
      { id: 'c1', result: 'a cat' },
      { id: 'c2', result: 'a dog' },
    ]);
    expect(trace.turn_count).toBe(1);
  });

  test('a tool that is an agent itself shows what it called, and its tokens count', () => {
    const trace = traceFrom([
      generation('g1', [1, 2], { input: [ask], output: asks }),
      tool('x1', 3, { name: 'look', input: { at: 'it' }, output: 'a cat' }),
      generation('g2', [4, 5], {
        ...{ parentObservationId: 'x1', input: [{ role: 'user', content: 'look at it' }] },
        output: { role: 'assistant', content: null, tool_calls: [callOf('c9', { at: 'it' }, 'refund')] },
      }),
      tool('x2', 6, { parentObservationId: 'x1', name: 'refund', input: { at: 'it' }, output: 'paid' }),
      generation('g3', [7, 8], { input: [ask, asks, result], output: done }),
    ]);
    expect(trace.tool_calls_made.map(({ name, result: content }) => [name, content])).toEqual([
      ['look', 'a cat'],
      ['refund', 'paid'],
    ]);
    expect(trace).toMatchObject({ final_content: 'A cat.', input_tokens: 150, output_tokens: 15 });
  });

  test('an evaluator in the trace is not the agent, and a call that failed and was repeated is one', () => {
    const trace = traceFrom([
      generation('g0', [0, 1], {
        input: [ask],
        level: 'ERROR',
        statusMessage: '503',
        usageDetails: {},
        costDetails: {},
      }),
      generation('g1', [1, 2], { input: [ask], output: done }),
      observation('e', 'EVALUATOR', { startTime: at(3) }),
      generation('g2', [3, 4], {
        parentObservationId: 'e',
        input: [{ role: 'user', content: 'Is it right?' }],
        output: 'Yes.',
      }),
    ]);
    expect(trace.messages).toMatchObject([{ content: 'What is it?' }, { content: 'A cat.' }]);
    expect(trace).toMatchObject({ input_tokens: 50, cost_usd: 0.25 });
  });

  test("without calls of a model, the trace's question and answer are read with its tools", () => {
    const trace = traceFrom(downloaded([root, tool('x1', 3, { name: 'look', input: { at: 'it' }, output: 'a cat' })]));
    expect(trace.messages).toMatchObject(conversation);
  });

  test('a graph whose model calls do not continue each other is read from its whole state', () => {
    const state = { messages: [ask, asks, result, done] };
    const routed = generation('g1', [1, 2], { input: [{ role: 'user', content: 'Which agent?' }], output: 'looker' });
    const trace = traceFrom(
      downloaded([routed, generation('g2', [3, 4], { input: [ask], output: asks })], { output: JSON.stringify(state) }),
    );
    expect(trace.messages).toMatchObject(conversation);
    expect(trace.tool_calls_made).toHaveLength(1);
  });
});

describe('a trace that cannot be opened with certainty is refused', () => {
  test.each<[string, object, string]>([
    ['only ids', { input: 'x', output: 'y', observations: ['a', 'b'] }, 'only the ids of the observations'],
    ['no calls', downloaded([root, observation('s', 'SPAN', { name: 'search' })]), 'none of them is a call of a model'],
    [
      'several conversations',
      downloaded([
        generation('g1', [1, 2], { name: 'writer', input: [ask], output: done }),
        generation('g2', [3, 4], { name: 'translator', input: 'Translate this.', output: 'Un chat.' }),
      ]),
      'holds 2 conversations that do not continue each other, which begin with observations[0] (GENERATION "writer")',
    ],
    ['an answer that was not recorded', [generation('g1', [1, 2], { input: [ask] })], 'no output of the last call'],
    [
      'an unreadable output',
      [generation('g1', [1, 2], { input: [ask], output: { a: 1, b: 2 } })],
      '(GENERATION "chat").output: expected messages',
    ],
    ['several traces', [generation('g1', [1, 2], {}), { ...root, traceId: 't2' }], 'are of 2 traces'],
    [
      'a circle',
      [{ ...root, parentObservationId: 'g1' }, generation('g1', [1, 2], { input: [ask], output: done })],
      'is its own parent',
    ],
    ['a wrong type', { input: 'x', output: 'y', observations: [7] }, 'observations[0]'],
    ['what one tool did', tool('x1', 1, { input: 'x', output: 'y' }), 'is what one tool did'],
  ])('%s', (_, form, problem) => {
    expect(() => traceFrom(form as never)).toThrow(problem);
  });

  test('an empty list of observations hides nothing: the question and the answer are read', () => {
    expect(traceFrom({ input: 'What is it?', output: 'A cat.', observations: [] }).messages).toHaveLength(2);
  });
});

describe('a run of LangSmith with its child runs', () => {
  const run = (run_type: string, times: [number, number], fields: object) => ({
    ...{ id: `${run_type} ${times[0]}`, name: run_type, run_type, trace_id: 't1' },
    ...{ start_time: at(times[0]).replace('Z', ''), end_time: at(times[1]).replace('Z', ''), error: null, ...fields },
  });
  const llm = (times: [number, number], messages: object[], message: object) =>
    run('llm', times, {
      extra: { metadata: { ls_model_name: 'gpt-5' } },
      ...{ prompt_tokens: 50, completion_tokens: 5, inputs: { messages: [messages] } },
      outputs: { generations: [[{ text: '', message }]] },
    });
  const children = [
    llm([1, 2], [ask], asks),
    run('tool', [3, 3], {
      name: 'look',
      inputs: { input: "{'at': 'it'}" },
      outputs: {
        output: { lc: 1, id: ['ToolMessage'], kwargs: { content: 'a cat', tool_call_id: 'c1', status: 'success' } },
      },
    }),
    llm([4, 5], [ask, asks, result], done),
  ];
  const whole = run('chain', [0, 9], { inputs: { question: 'What is it?' }, outputs: { answer: 'A cat.' } });

  test.each<[string, object]>([
    ['nested', { ...whole, child_runs: [run('chain', [1, 8], { inputs: {}, outputs: {}, child_runs: children })] }],
    ['as a list', [whole, ...children.map((child) => ({ ...child, parent_run_id: whole.id }))]],
  ])('%s is opened', (_, form) => {
    const trace = traceFrom(form as never);
    expect(trace.messages).toMatchObject(conversation);
    expect(trace).toMatchObject({
      ...{ model: 'gpt-5', input_tokens: 100, output_tokens: 10, final_content: 'A cat.' },
      ...{ latency_seconds: 9, timestamp: at(0) },
    });
  });

  test('is refused if only the ids of its child runs are there', () => {
    const form = { ...whole, child_run_ids: ['a'] };
    expect(() => traceFrom(form as never)).toThrow('loadChildRuns: true');
  });

  test('is a question and an answer if it has none', () => {
    expect(traceFrom({ ...whole, child_runs: [] } as never).messages).toHaveLength(2);
  });
});

test('any list of steps is read into valid messages, or refused: no other error is possible', () => {
  const value = fc.oneof(
    fc.constantFrom<unknown>(null, 'text', '[]', '{"a":', [ask], [ask, asks, result], asks, done, {
      messages: [[ask]],
    }),
    fc.jsonValue({ maxDepth: 2 }),
  );
  const id = fc.constantFrom('a', 'b', 'c');
  const time = fc.constantFrom<unknown>(at(1), at(2), 'never', null, 5, 1e300);
  const observations = fc.record({
    ...{ id, traceId: fc.constant('t'), parentObservationId: fc.option(id), startTime: time, endTime: time },
    type: fc.constantFrom('GENERATION', 'TOOL', 'SPAN', 'EVALUATOR', 'GUARDRAIL', 'AGENT'),
    ...{ name: fc.option(fc.string()), input: value, output: value, metadata: value, usageDetails: value },
    level: fc.constantFrom('DEFAULT', 'ERROR'),
  });
  const runs = fc.record({
    ...{ id, trace_id: fc.constant('t'), parent_run_id: fc.option(id), start_time: time, end_time: time },
    run_type: fc.constantFrom('llm', 'tool', 'chain'),
    ...{ inputs: value, outputs: value, extra: value, error: fc.option(fc.string()) },
  });
  let read = 0;
  const list = fc.oneof(
    fc.array(observations, { minLength: 1, maxLength: 4 }),
    fc.array(runs, { minLength: 1, maxLength: 4 }),
  );
  fc.assert(
    fc.property(list, (steps) => {
      try {
        const trace = traceFrom(steps);
        expect(traceSchema.parse(trace)).toEqual(trace);
        read += 1;
      } catch (error) {
        expect(error).toBeInstanceOf(SalvoError);
      }
    }),
    { numRuns: 2000 },
  );
  expect(read).toBeGreaterThan(50);
});

test('a trace with very many steps is read in time', () => {
  const calls = Array.from({ length: 5_000 }, (_, index) => callOf(`c${index}`, { at: `${index}` }));
  const steps = calls.map((_, index) =>
    tool(`x${index}`, 3, {
      parentObservationId: `x${index - 1}`,
      name: 'look',
      input: { at: `${index}` },
      output: 'seen',
    }),
  );
  const trace = traceFrom([
    generation('g1', [1, 2], { input: [ask], output: { ...asks, tool_calls: calls } }),
    ...steps,
  ]);
  expect(trace.tool_calls_made).toHaveLength(5_000);
  expect(trace.tool_calls_made.every(({ result: seen }) => seen === 'seen')).toBe(true);
});
