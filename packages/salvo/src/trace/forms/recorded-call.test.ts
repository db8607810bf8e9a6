import { describe, expect, test } from 'vitest';
import { type TraceInput, traceFrom } from '../trace-from.ts';

const user = { role: 'user', content: 'What is it?' };
const call = { id: 'c1', name: 'look', arguments: { at: 'it' } };
const asked = { role: 'assistant', content: null, tool_calls: [call] };
const answered = { role: 'tool_result', tool_call_id: 'c1', name: 'look', content: 'a cat', is_error: false };
const done = { role: 'assistant', content: 'A cat.', tool_calls: [] };

const chat = {
  user: { role: 'user', content: 'What is it?' },
  asked: {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look', arguments: '{"at":"it"}' } }],
  },
  answered: { role: 'tool', tool_call_id: 'c1', name: 'look', content: 'a cat' },
  done: { role: 'assistant', content: 'A cat.' },
};
const input = [chat.user, chat.asked, chat.answered];

const otel = {
  'gen_ai.input.messages': [
    { role: 'user', parts: [{ type: 'text', content: 'What is it?' }] },
    { role: 'assistant', parts: [{ type: 'tool_call', ...call }] },
    { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', name: 'look', response: 'a cat' }] },
  ],
  'gen_ai.output.messages': [
    { role: 'assistant', parts: [{ type: 'text', content: 'A cat.' }], finish_reason: 'stop' },
  ],
  'gen_ai.request.model': 'gpt',
  'gen_ai.usage.input_tokens': 7,
  'gen_ai.usage.output_tokens': 3,
};
const texts = (attributes: object) =>
  Object.entries(attributes).map(([key, value]) => [key, typeof value === 'object' ? JSON.stringify(value) : value]);

const langchain = (type: string, kwargs: object) => ({
  lc: 1,
  type: 'constructor',
  id: ['langchain_core', 'messages', type],
  kwargs,
});
const human = langchain('HumanMessage', { content: 'What is it?' });
const calling = langchain('AIMessage', {
  content: '',
  tool_calls: [{ id: 'c1', name: 'look', args: { at: 'it' }, type: 'tool_call' }],
});
const tool = langchain('ToolMessage', { content: 'a cat', tool_call_id: 'c1', name: 'look' });
const ai = langchain('AIMessage', { content: 'A cat.' });

describe('what a tracing tool recorded is a conversation', () => {
  test.each<[string, TraceInput]>([
    ['a span of OpenTelemetry', { ...{ name: 'chat gpt' }, attributes: otel }],
    ['a span whose attributes are JSON', { ...{ name: 'chat gpt' }, attributes: Object.fromEntries(texts(otel)) }],
    [
      'a span as OTLP has it',
      {
        attributes: texts(otel).map(([key, value]) => ({
          key,
          value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
        })),
      },
    ],
    [
      'a generation of Langfuse',
      {
        ...{ type: 'GENERATION', model: 'gpt', usageDetails: { input: 7, output: 3, total: 10 } },
        ...{ input, output: chat.done },
      },
    ],
    [
      'a generation of a table that was exported',
      {
        ...{ model: 'gpt', usage: { input: 7, output: 3 } },
        ...{ input: JSON.stringify(input), output: JSON.stringify(chat.done) },
      },
    ],
    [
      'a run of LangSmith with a model of OpenAI',
      {
        ...{ run_type: 'llm', model: 'gpt', prompt_tokens: 7, completion_tokens: 3 },
        ...{ inputs: { messages: input, temperature: 0 }, outputs: { choices: [{ message: chat.done }] } },
      },
    ],
    [
      'a run of LangSmith with a model of LangChain',
      {
        ...{ run_type: 'llm', model: 'gpt', prompt_tokens: 7, completion_tokens: 3 },
        inputs: { messages: [[human, calling, tool]] },
        outputs: { generations: [[{ text: 'A cat.', type: 'ChatGeneration', message: ai }]] },
      },
    ],
    [
      'a run of LangSmith of a graph, which returns its whole state',
      {
        ...{ run_type: 'chain', model: 'gpt', prompt_tokens: 7, completion_tokens: 3 },
        inputs: { messages: [human] },
        outputs: { messages: [human, calling, tool, ai] },
      },
    ],
  ])('%s', (_, record) => {
    const trace = traceFrom(record);
    expect(trace.messages).toMatchObject([user, { ...asked, content: expect.toBeOneOf([null, '']) }, answered, done]);
    expect(trace).toMatchObject({ final_content: 'A cat.', model: 'gpt', input_tokens: 7, output_tokens: 3 });
  });

  test.each<[string, TraceInput]>([
    ['texts', { input: 'What is it?', output: 'A cat.' }],
    ['a text in a field of any name', { inputs: { question: 'What is it?' }, outputs: { answer: 'A cat.' } }],
  ])('of %s', (_, record) => {
    expect(traceFrom(record).messages).toEqual([user, done]);
  });

  test('instructions of OpenTelemetry are the system message', () => {
    const instructions = [{ type: 'text', content: 'Be brief.' }];
    const { messages } = traceFrom({ attributes: { ...otel, 'gen_ai.system_instructions': instructions } });
    expect(messages[0]).toEqual({ role: 'system', content: 'Be brief.' });
  });

  test.each<[string, TraceInput, string]>([
    ['no answer', { inputs: { question: 'What is it?' }, outputs: null }, 'outputs: expected messages, or a text'],
    ['several values', { input: { a: '1', b: '2' }, output: 'x' }, 'input: expected messages, or a text'],
    ['a number', { input: 'x', output: 7 }, 'output: expected messages, or a text'],
    ['deep JSON', { input: 'x', output: '['.repeat(300) }, 'output: nested more than 200 levels deep'],
    ['a part of no known type', { input: 'x', output: [{ role: 'assistant', parts: [{ type: 'poem' }] }] }, 'poem'],
  ])('%s is refused with its place', (_, record, problem) => {
    expect(() => traceFrom(record)).toThrow(problem);
  });

  test('a reply with an answer of its own is none, whatever else it has', () => {
    const reply = { role: 'assistant' as const, content: 'A cat.', ...{ input: 'x', output: 'y' } };
    expect(traceFrom(reply).messages).toEqual([done]);
  });

  test('what only looks like JSON is a text', () => {
    expect(traceFrom({ input: '{"a": ', output: '[sic]' }).messages).toMatchObject([
      { content: '{"a": ' },
      { content: '[sic]' },
    ]);
  });
});
