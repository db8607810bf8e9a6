import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { type Message, messageSchema } from '../../trace/message.ts';
import { AdapterError } from '../adapter-error.ts';
import { parseAgentReply } from './agent-reply.ts';

const parse = (reply: unknown) => parseAgentReply(reply, { callee: 'The agent', request: 3, asked: [] });

test('a text is the final content', () => {
  expect(parse('Done.')).toMatchObject({ content: 'Done.', tool_calls: [], finish_reason: 'stop', usage: null });
});

test('a turn needs nothing but its content or its tool calls', () => {
  expect(parse({ content: 'Hi' })).toMatchObject({ content: 'Hi', finish_reason: 'stop' });
  expect(parse({ content: null })).toMatchObject({ content: null, finish_reason: 'stop' });
  expect(parse({ tool_calls: [{ name: 'look' }] })).toMatchObject({
    content: null,
    tool_calls: [{ id: 'call_3_0', name: 'look', arguments: {} }],
    finish_reason: 'tool_calls',
  });
});

test('the tokens, cost and state of a turn are kept', () => {
  const reply = {
    content: 'Hi',
    usage: { input_tokens: 5, output_tokens: 7, cache_read_tokens: 2 },
    finish_reason: 'length',
    cost_usd: 0.25,
    provider_state: { thinking: 'signed' },
    unknown_field: 1,
  };
  expect(parse(reply)).toEqual({
    content: 'Hi',
    tool_calls: [],
    usage: { input_tokens: 5, output_tokens: 7, cache_read_tokens: 2 },
    finish_reason: 'length',
    cost_usd: 0.25,
    provider_state: { thinking: 'signed' },
    raw_response: reply,
    tools_reported: 'text',
  });
});

test.each<[what: string, reply: unknown, reported: 'calls' | 'text']>([
  ['a text', 'Done.', 'text'],
  ['a turn without calls', { content: 'Done.' }, 'text'],
  ['the last response of a model', { choices: [{ message: { role: 'assistant', content: 'Done.' } }] }, 'text'],
  ['a turn with an empty list of calls', { content: 'Done.', tool_calls: [] }, 'calls'],
  ['a list of messages', [{ role: 'assistant', content: 'Done.' }], 'calls'],
  ['the steps of the AI SDK', { steps: [{ content: [{ type: 'text', text: 'Done.' }] }] }, 'calls'],
  [
    'the messages of the AI SDK',
    { text: 'Done.', response: { messages: [{ role: 'assistant', content: 'Done.' }] }, steps: [] },
    'calls',
  ],
])('%s says which tools were called, or nothing about them', (_, reply, reported) => {
  expect(parse(reply).tools_reported).toBe(reported);
});

test('an agent declares that these are all its calls, and nothing else', () => {
  expect(parse({ content: 'Done.', tools_seen: 'all' })).toMatchObject({ tools_declared: true });
  expect(() => parse({ content: 'Done.', tools_seen: 'some' })).toThrow('"tools_seen" can only be "all", not "some"');
});

test("OpenAI's tool calls and token names are understood", () => {
  const call = (id: string, args: string) => ({ id, type: 'function', function: { name: 'add', arguments: args } });
  const reply = {
    content: null,
    tool_calls: [call('a', '{"x":1}'), call('b', ''), call('c', '{"x":'), call('d', '[1]')],
    usage: { prompt_tokens: 10, completion_tokens: 3, prompt_tokens_details: { cached_tokens: 4 } },
  };
  expect(parse(reply)).toMatchObject({
    tool_calls: [
      { id: 'a', name: 'add', arguments: { x: 1 } },
      { id: 'b', name: 'add', arguments: {} },
      { id: 'c', name: 'add', arguments: {}, raw_arguments: '{"x":' },
      { id: 'd', name: 'add', arguments: {}, raw_arguments: '[1]' },
    ],
    usage: { input_tokens: 10, output_tokens: 3, cache_read_tokens: 4 },
  });
});

test("a message of Anthropic's is understood, its cached tokens counted as input", () => {
  const reply = {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'hm', signature: 's' },
      { type: 'text', text: 'Let me look.' },
      { type: 'tool_use', id: 't1', name: 'look', input: { at: 'it' } },
    ],
    stop_reason: 'tool_use',
    usage: { input_tokens: 10, output_tokens: 3, cache_read_input_tokens: 100, cache_creation_input_tokens: 20 },
  };
  expect(parse(reply)).toMatchObject({
    content: 'Let me look.',
    tool_calls: [{ id: 't1', name: 'look', arguments: { at: 'it' } }],
    finish_reason: 'tool_calls',
    usage: { input_tokens: 130, output_tokens: 3, cache_read_tokens: 100, cache_write_tokens: 20 },
  });
});

test('a trace in our messages is kept as it is', () => {
  const messages = [
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: null, tool_calls: [{ id: 'c', name: 'look', arguments: {} }] },
    { role: 'tool_result', tool_call_id: 'c', name: 'look', content: 'a cat', is_error: false },
    { role: 'assistant', content: 'A cat.', tool_calls: [] },
  ];
  const result = parse({ messages, model: 'm', input_tokens: 4, output_tokens: 5, cost_usd: 0 });
  expect(result.trace).toEqual({
    messages,
    final_content: 'A cat.',
    finish_reason: 'stop',
    model: 'm',
    input_tokens: 4,
    output_tokens: 5,
    cost_usd: 0,
  });
  expect(result).toMatchObject({
    content: 'A cat.',
    tool_calls: [],
    usage: { input_tokens: 4, output_tokens: 5 },
    cost_usd: 0,
  });
});

test("a trace in OpenAI's messages becomes ours", () => {
  const { trace } = parse({
    messages: [
      { role: 'developer', content: 'Be kind.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is it?' },
          { type: 'image_url', image_url: { url: 'x' } },
        ],
      },
      { role: 'assistant', tool_calls: [{ id: 'c', type: 'function', function: { name: 'look', arguments: '{}' } }] },
      { role: 'tool', tool_call_id: 'c', content: 'a cat' },
      { role: 'assistant', content: 'A cat.', refusal: null },
    ],
  });
  expect(trace?.messages).toEqual([
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: 'What is it?\n[image]' },
    { role: 'assistant', content: null, tool_calls: [{ id: 'c', name: 'look', arguments: {} }] },
    { role: 'tool_result', tool_call_id: 'c', name: 'look', content: 'a cat', is_error: false },
    { role: 'assistant', content: 'A cat.', tool_calls: [] },
  ]);
});

test("a trace in Anthropic's messages becomes ours", () => {
  const { trace } = parse({
    messages: [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'look', input: { at: 1 } }] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 't', content: [{ type: 'text', text: 'nothing' }], is_error: true },
          { type: 'text', text: 'Go on.' },
        ],
      },
      { role: 'assistant', content: [{ type: 'text', text: 'Fine.' }] },
    ],
  });
  expect(trace?.messages).toEqual([
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: null, tool_calls: [{ id: 't', name: 'look', arguments: { at: 1 } }] },
    { role: 'tool_result', tool_call_id: 't', name: 'look', content: 'nothing', is_error: true },
    { role: 'user', content: 'Go on.' },
    { role: 'assistant', content: 'Fine.', tool_calls: [] },
  ]);
});

test('tool results without ids answer the open calls in their order', () => {
  const { trace } = parse({
    messages: [
      { role: 'assistant', tool_calls: [{ name: 'a' }, { name: 'b' }, { name: 'a' }] },
      { role: 'tool', name: 'b', content: 'B' },
      { role: 'tool', content: { json: true } },
      { role: 'tool', content: 'A2' },
      { role: 'tool', content: 'for nobody' },
    ],
  });
  expect(trace?.messages.slice(1)).toMatchObject([
    { tool_call_id: 'call_3_1', name: 'b', content: 'B' },
    { tool_call_id: 'call_3_0', name: 'a', content: '{"json":true}' },
    { tool_call_id: 'call_3_2', name: 'a', content: 'A2' },
    { tool_call_id: 'unknown', name: 'unknown', content: 'for nobody' },
  ]);
});

test.each([
  [null, 'but got null'],
  [42, 'but got a number'],
  [[], 'the list of messages is empty'],
  [{}, 'found an empty object'],
  [{ text: 'hi', answer: 1 }, 'found only text, answer'],
  [{ error: 'no quota' }, 'it reported an error: no quota'],
  [{ error: { message: 'no quota' } }, 'it reported an error: no quota'],
  [{ content: 42 }, 'content: expected a text, null or a list of content parts'],
  [{ content: [{ type: 'text' }] }, 'content[0].text: Invalid input: expected string'],
  [{ content: [{ txt: 'x' }] }, 'content[0]'],
  [{ content: 'x', tool_calls: {} }, 'tool_calls: Invalid input: expected array'],
  [{ tool_calls: [{ arguments: {} }] }, 'tool_calls[0].name: Invalid input: expected string'],
  [{ tool_calls: [{ name: '' }] }, 'tool_calls[0].name'],
  [{ content: 'x', usage: { input_tokens: -1 } }, 'usage.input_tokens'],
  [{ content: 'x', cost_usd: '1' }, 'cost_usd: Invalid input: expected number'],
  [{ messages: 'x' }, 'messages: Invalid input: expected array'],
  [{ messages: [{ role: 'robot', content: '' }] }, 'messages[0].role: expected a message whose role is system'],
  [{ messages: [null] }, 'messages[0]'],
  [
    {
      messages: [
        { role: 'assistant', content: 'x' },
        { role: 'user', content: 1 },
      ],
    },
    'messages[1].content',
  ],
])('%j is refused, saying where and why', (reply, problem) => {
  expect(() => parse(reply)).toThrow(AdapterError);
  expect(() => parse(reply)).toThrow(problem);
  expect(() => parse(reply)).toThrow('The agent gave an answer that cannot be used');
});

test('an agent that returns its whole thread in each turn has only the tokens of the new answers', () => {
  const answer = (content: string) => ({
    ...{ type: 'ai', content, usage_metadata: { input_tokens: 10, output_tokens: 20 } },
    response_metadata: { model_name: 'gpt' },
  });
  const human = (content: string) => ({ type: 'human', content });
  const thread = [human('One?'), answer('1'), human('Two?'), answer('2a'), answer('2b')];
  const asked: Message[] = [
    { role: 'user', content: 'One?' },
    { role: 'assistant', content: '1', tool_calls: [] },
    { role: 'user', content: 'Two?' },
  ];
  const usageOf = (messages: object[], given: Message[], more: object = {}) =>
    parseAgentReply({ messages, ...more }, { callee: 'The agent', request: 1, asked: given }).usage;
  expect(usageOf(thread.slice(0, 2), asked.slice(0, 1))).toEqual({ input_tokens: 10, output_tokens: 20 });
  expect(usageOf(thread, asked)).toEqual({ input_tokens: 20, output_tokens: 40 });
  // It dropped the beginning, or returns only what is new.
  expect(usageOf(thread.slice(2), asked)).toEqual({ input_tokens: 20, output_tokens: 40 });
  expect(usageOf(thread.slice(3), asked)).toEqual({ input_tokens: 20, output_tokens: 40 });
  // What it says itself about the turn counts.
  expect(usageOf(thread, asked, { usage: { input_tokens: 1, output_tokens: 2 } })).toEqual({
    input_tokens: 1,
    output_tokens: 2,
  });
});

test('a conversation that ends with the user has what the agent said last as its final content', () => {
  const messages = [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: 'Hello.' },
    { role: 'user', content: 'STOP' },
  ];
  expect(parse({ messages }).trace).toMatchObject({ final_content: 'Hello.' });
});

test('an error message cannot carry control characters to the terminal', () => {
  expect(() => parse({ '\u001b]0;owned\u0007': 1 })).toThrow(/^[^\u001b\u0007]*$/);
});

test('keys cannot change a prototype', () => {
  const result = parse(
    JSON.parse('{"tool_calls":[{"name":"a","arguments":{"__proto__":{"polluted":1}}}],"__proto__":{"x":1}}'),
  );
  expect(result.tool_calls).toHaveLength(1);
  expect(({} as { polluted?: number }).polluted).toBeUndefined();
});

test('every reply is either read into a valid result or refused', () => {
  const seen = { read: 0, traces: 0 };
  fc.assert(
    fc.property(replyLike(), (reply) => {
      try {
        const { trace, tool_calls } = parse(reply);
        expect(tool_calls.every(({ id, name }) => id !== '' && name !== '')).toBe(true);
        seen.read += 1;
        if (trace === undefined) return;
        seen.traces += 1;
        expect(agentTraceSchema.safeParse(trace).success).toBe(true);
      } catch (error) {
        expect(error).toBeInstanceOf(AdapterError);
      }
    }),
    { numRuns: 500 },
  );
  expect(seen.read).toBeGreaterThan(seen.traces);
  expect(seen.traces).toBeGreaterThan(0);
});

const tokens = z.number().nonnegative().nullable();
const agentTraceSchema = z.object({
  messages: z.array(messageSchema),
  final_content: z.string().nullable(),
  finish_reason: z.string(),
  model: z.string().optional(),
  input_tokens: tokens,
  output_tokens: tokens,
  cost_usd: tokens,
});

function replyLike() {
  const any = fc.jsonValue({ maxDepth: 3 });
  const text = fc.oneof(fc.string({ unit: 'binary' }), any);
  const block = fc.record(
    {
      type: fc.constantFrom('text', 'tool_use', 'tool_result', 'image'),
      text,
      name: text,
      input: any,
      tool_use_id: text,
    },
    { requiredKeys: [] },
  );
  const call = fc.record({ id: text, name: text, arguments: any, function: any }, { requiredKeys: [] });
  const content = fc.oneof(text, fc.array(block));
  const message = fc.record(
    {
      role: fc.constantFrom('system', 'user', 'assistant', 'tool', 'tool_result', 'x'),
      content,
      tool_calls: fc.array(call),
    },
    { requiredKeys: ['role'] },
  );
  return fc.oneof(
    any,
    fc.record({ content, tool_calls: fc.array(call), usage: any }, { requiredKeys: [] }),
    fc.record({ messages: fc.array(message), usage: any }, { requiredKeys: ['messages'] }),
  );
}
