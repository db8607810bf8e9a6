import { describe, expect, it } from 'vitest';
import { expectToSurviveDamage, readValue, readValues } from '../../../../../test/import-reader.ts';
import { FORMATS } from '../formats.ts';
import { conversationFormat } from './conversation.ts';

const user = { role: 'user', content: 'Where is order 7?' };
const call = { id: 'c1', type: 'function', function: { name: 'find_order', arguments: '{"id":7}' } };
const chat = [
  user,
  { role: 'assistant', content: null, tool_calls: [call] },
  { role: 'tool', tool_call_id: 'c1', content: 'shipped' },
  { role: 'assistant', content: 'It is on its way.' },
];
const completion = {
  object: 'chat.completion',
  model: 'large-1',
  choices: [{ index: 0, message: chat[3], finish_reason: 'stop' }],
  usage: { prompt_tokens: 50, completion_tokens: 5 },
};
const read = (value: unknown) => readValue(conversationFormat, value);
const made = { name: 'find_order', arguments: { id: 7 }, result: 'shipped' };

describe('conversations', () => {
  it('have what they say about themselves under plain names', () => {
    const record = {
      id: 'x1',
      messages: chat,
      tools: [{ type: 'function' }],
      task_id: 7,
      trial: 2,
      reward: 0.5,
      passed: false,
      domain: 'shop',
      created: 1_700_000_000,
      note: 'kept',
    };
    const conversation = read(record);
    expect(conversation).toMatchObject({
      id: 'x1',
      suite: 'shop',
      case: '7',
      trial: 2,
      given: { passed: false, reward: 0.5, scores: {} },
      aside: { note: 'kept' },
      losses: [],
    });
    expect(Object.keys(conversation.aside)).toEqual(['note']);
    expect(conversation.fields).toMatchObject({ task_id: 7, note: 'kept' });
    expect(conversation.fields).not.toHaveProperty('messages');
    expect(conversation.trace.timestamp).toBe('2023-11-14T22:13:20.000Z');
    expect(conversation.trace.tool_calls_made).toMatchObject([made]);
  });

  it('may say it in their metadata, where everything is text', () => {
    const metadata = { conversation_id: 'c9', task_id: 't', success: 'true', reward: '1', trial: '3' };
    expect(read({ messages: chat, metadata })).toMatchObject({
      id: 'c9',
      case: 't',
      trial: 3,
      given: { passed: true, reward: 1 },
    });
  });

  it('have no outcome that they do not say', () => {
    expect(read({ messages: chat }).given).toBeNull();
    expect(read({ messages: chat, reward: 'NaN' })).toMatchObject({
      given: null,
      losses: [{ place: 'reward', problem: 'is not a number' }],
    });
    expect(read({ messages: chat, passed: 'maybe', trial: -1, scores: { tone: 0.5, odd: [] } })).toMatchObject({
      trial: null,
      given: { passed: null, reward: null, scores: { tone: 0.5 } },
    });
  });

  it('may be a list of messages', () => {
    expect(read(chat).trace.tool_calls_made).toMatchObject([made]);
  });

  it('have what could be read if a message could not', () => {
    const { trace, losses } = read({ messages: [...chat, { role: 'wizard', content: 'x' }], model: 'm' });
    expect(trace).toMatchObject({ model: 'm', tool_calls_made: [made] });
    expect(losses).toMatchObject([{ line: 1, place: 'messages[4].role' }]);
    expect(read({ messages: chat, latency_seconds: 'long' })).toMatchObject({
      losses: [{ place: 'latency_seconds' }],
      trace: { tool_calls_made: [made] },
    });
    expect(() => read({ messages: [{ role: 'wizard' }] })).toThrow('messages[0]');
  });

  it('are refused if they are none', () => {
    for (const value of [{ messages: [] }, { messages: 'Hi' }, { body: 1 }, [], 5, null])
      expect(() => readValues(conversationFormat, value)).toThrow();
    expect([{}, { a: 1 }, [], [1], 5, null].some((value) => conversationFormat.recognises(value))).toBe(false);
  });

  it('survive damage in every place', () => {
    expect(
      expectToSurviveDamage(conversationFormat, { id: 1, messages: chat, metadata: { reward: 1 } }),
    ).toBeGreaterThan(40);
    expect(
      expectToSurviveDamage(conversationFormat, { request: { messages: chat.slice(0, 3) }, response: completion }),
    ).toBeGreaterThan(40);
  });
});

describe('a request with its response', () => {
  const asked = { model: 'large', messages: chat.slice(0, 3), tools: [] };
  const whole = {
    model: 'large-1',
    input_tokens: 50,
    output_tokens: 5,
    final_content: 'It is on its way.',
    tool_calls_made: [made],
  };

  it.each([
    ['a pair', { request: asked, response: completion }],
    [
      'a row of a batch',
      { id: 'b', custom_id: 'q1', request: { body: asked }, response: { status_code: 200, body: completion } },
    ],
  ])('is one conversation: %s', (_, record) => {
    expect(read(record).trace).toMatchObject(whole);
  });

  it('may have lost its request, as in the output of a batch', () => {
    const record = { id: 'b', custom_id: 'q1', response: { status_code: 200, body: completion }, error: null };
    expect(read(record)).toMatchObject({
      id: 'b',
      trace: { final_content: 'It is on its way.', messages: [{}], input_tokens: 50 },
    });
  });

  it('may have failed, which is said', () => {
    expect(() =>
      read({ custom_id: 'q', response: { status_code: 400, body: { error: { message: 'too long' } } } }),
    ).toThrow('reports an error: too long');
    expect(() =>
      read({ custom_id: 'q', result: { type: 'errored', error: { type: 'error', error: { message: 'overloaded' } } } }),
    ).toThrow('reports an error');
    expect(() => read({ custom_id: 'q', result: { type: 'expired' } })).toThrow('expired');
  });

  it('may have been answered in pieces', () => {
    const pieces = ['It is ', 'on its way.'].map((content) => ({
      id: 'p',
      object: 'chat.completion.chunk',
      model: 'large-1',
      choices: [{ index: 0, delta: { content } }],
    }));
    const end = {
      id: 'p',
      object: 'chat.completion.chunk',
      model: 'large-1',
      choices: [{ index: 0, delta: {}, finish_reason: 'stop' }],
    };
    expect(read({ request: asked, response: [...pieces, end] }).trace).toMatchObject({
      final_content: 'It is on its way.',
      tool_calls_made: [made],
    });
    expect(() => read({ request: asked, response: pieces })).toThrow('the response');
  });

  it('may be of Anthropic, with its instructions, and in a batch', () => {
    const request = {
      system: [{ type: 'text', text: 'Be brief.' }],
      messages: [
        user,
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'I look.' },
            { type: 'tool_use', id: 'c1', name: 'find_order', input: { id: 7 } },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'shipped' }] },
      ],
    };
    const message = {
      id: 'msg',
      type: 'message',
      role: 'assistant',
      model: 'claude-x',
      content: [{ type: 'text', text: 'On its way.' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 9, output_tokens: 3 },
    };
    const { trace } = read({ request, response: message });
    expect(trace).toMatchObject({
      model: 'claude-x',
      tool_calls_made: [made],
      finish_reason: 'stop',
      total_tokens: 12,
    });
    expect(trace.messages[0]).toEqual({ role: 'system', content: 'Be brief.' });
    expect(read({ custom_id: 'q', result: { type: 'succeeded', message } }).trace.final_content).toBe('On its way.');
    expect(read({ ...request, id: 'plain' }).trace.messages[0]).toMatchObject({ role: 'system' });
  });

  it("may be of OpenAI's Responses", () => {
    const output = [
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'I look.' }] },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'On its way.' }] },
    ];
    const input = [
      user,
      { type: 'function_call', call_id: 'c1', name: 'find_order', arguments: '{"id":7}' },
      { type: 'function_call_output', call_id: 'c1', output: 'shipped' },
    ];
    const usage = { input_tokens: 8, output_tokens: 2 };
    const response = { id: 'resp_1', object: 'response', model: 'large-1', output, usage };
    for (const record of [
      { ...response, input, instructions: 'Be brief.' },
      { request: { input, instructions: 'Be brief.' }, response },
    ]) {
      const { trace } = read(record);
      expect(trace).toMatchObject({
        model: 'large-1',
        total_tokens: 10,
        tool_calls_made: [made],
        final_content: 'On its way.',
      });
      expect(trace.messages[0]).toEqual({ role: 'system', content: 'Be brief.' });
    }
    expect(read({ input: 'Where?', output, model: 'm' }).trace.messages).toMatchObject([
      { role: 'user', content: 'Where?' },
      { content: 'On its way.' },
    ]);
    expect(read(response).trace.messages).toHaveLength(1);
  });

  it('may be of Gemini, also in a batch', () => {
    const contents = [
      { role: 'user', parts: [{ text: 'Where is order 7?' }] },
      { role: 'model', parts: [{ functionCall: { name: 'find_order', args: { id: 7 } } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'find_order', response: { result: 'shipped' } } }] },
    ];
    const response = {
      candidates: [{ content: { role: 'model', parts: [{ text: 'On its way.' }] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 8, candidatesTokenCount: 2 },
      modelVersion: 'gemini-x',
    };
    const systemInstruction = { parts: [{ text: 'Be brief.' }] };
    const { trace, id } = read({ key: 'k1', request: { contents, systemInstruction }, response });
    expect(id).toBe('k1');
    expect(trace).toMatchObject({
      model: 'gemini-x',
      total_tokens: 10,
      tool_calls_made: [{ name: 'find_order', result: '{"result":"shipped"}' }],
    });
    expect(trace.messages[0]).toEqual({ role: 'system', content: 'Be brief.' });
    expect(read({ contents }).trace.tool_calls_made).toHaveLength(1);
  });

  it('may be of Bedrock: Converse, a log of invocations, a batch', () => {
    const messages = [
      { role: 'user', content: [{ text: 'Where is order 7?' }] },
      { role: 'assistant', content: [{ toolUse: { toolUseId: 'c1', name: 'find_order', input: { id: 7 } } }] },
      { role: 'user', content: [{ toolResult: { toolUseId: 'c1', content: [{ text: 'shipped' }] } }] },
    ];
    const answer = {
      output: { message: { role: 'assistant', content: [{ text: 'On its way.' }] } },
      stopReason: 'end_turn',
      usage: { inputTokens: 8, outputTokens: 2 },
    };
    const input = { messages, system: [{ text: 'Be brief.' }] };
    const log = {
      schemaType: 'ModelInvocationLog',
      modelId: 'maker.large',
      requestId: 'r1',
      timestamp: '2026-01-01T00:00:00Z',
      input: { inputBodyJson: input, inputTokenCount: 8 },
      output: { outputBodyJson: answer, outputTokenCount: 2 },
    };
    for (const record of [log, { recordId: 'r1', modelInput: input, modelOutput: answer }]) {
      const conversation = read(record);
      expect(conversation).toMatchObject({
        id: 'r1',
        trace: { total_tokens: 10, tool_calls_made: [made], final_content: 'On its way.' },
      });
      expect(conversation.trace.messages[0]).toEqual({ role: 'system', content: 'Be brief.' });
    }
    expect(read(log).trace).toMatchObject({ model: 'maker.large', timestamp: '2026-01-01T00:00:00.000Z' });
  });
});

describe('conversations of SDKs and datasets', () => {
  it('may be of the AI SDK: messages of a page, messages of a model, steps', () => {
    const tool = {
      type: 'tool-find_order',
      toolCallId: 'c1',
      state: 'output-available',
      input: { id: 7 },
      output: 'shipped',
    };
    const page = [
      { id: 'a', role: 'user', parts: [{ type: 'text', text: 'Where?' }] },
      { id: 'b', role: 'assistant', parts: [tool, { type: 'text', text: 'On its way.' }] },
    ];
    const model = [
      user,
      {
        role: 'assistant',
        content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'find_order', input: { id: 7 } }],
      },
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: 'c1', toolName: 'find_order', output: { type: 'text', value: 'shipped' } },
        ],
      },
    ];
    const steps = [
      {
        content: [
          { type: 'tool-call', toolCallId: 'c1', toolName: 'find_order', input: { id: 7 } },
          { type: 'tool-result', toolCallId: 'c1', toolName: 'find_order', output: 'shipped' },
        ],
        usage: { inputTokens: 3, outputTokens: 1 },
      },
    ];
    for (const record of [{ messages: page }, { messages: model }, { steps }])
      expect(read(record).trace.tool_calls_made).toMatchObject([made]);
  });

  it('may be of LangChain', () => {
    const messages = [
      { type: 'human', data: { content: 'Where?' } },
      { type: 'ai', data: { content: '', tool_calls: [{ id: 'c1', name: 'find_order', args: { id: 7 } }] } },
      { type: 'tool', data: { content: 'shipped', tool_call_id: 'c1' } },
    ];
    for (const record of [messages, { messages }]) expect(read(record).trace.tool_calls_made).toMatchObject([made]);
  });

  it('may be of ShareGPT, with calls as turns or marked in the text', () => {
    const turns = [
      { from: 'human', value: 'Where is order 7?' },
      { from: 'function_call', value: '{"name": "find_order", "arguments": {"id": 7}}' },
      { from: 'observation', value: 'shipped' },
      { from: 'gpt', value: 'On its way.' },
    ];
    const marked = [
      turns[0],
      { from: 'gpt', value: 'I look.\n<tool_call>\n{"name": "find_order", "arguments": {"id": 7}}\n</tool_call>' },
      { from: 'tool', value: '<tool_response>\nshipped\n</tool_response>' },
    ];
    for (const conversations of [turns, marked]) {
      const { trace, aside } = read({ conversations, system: 'Be brief.', tools: '[]' });
      expect(trace.tool_calls_made).toMatchObject([made]);
      expect(trace.messages[0]).toEqual({ role: 'system', content: 'Be brief.' });
      expect(aside).toEqual({});
    }
    const broken = [
      turns[0],
      { from: 'gpt', value: 'The tag <tool_call> is not closed.' },
      { from: 'wizard', value: 'x' },
    ];
    const { trace, losses } = read({ conversations: broken });
    expect(trace.messages).toHaveLength(2);
    expect(trace.final_content).toBe('The tag <tool_call> is not closed.');
    expect(losses).toMatchObject([{ place: 'messages[2].role' }]);
  });

  it('may be texts, which do not say which tools were called', () => {
    for (const record of [
      { prompt: 'Where?', completion: 'There.' },
      { task: 'Where?', response: 'There.' },
    ]) {
      expect(read(record).trace).toMatchObject({
        tools_seen: 'unknown',
        messages: [{ role: 'user' }, { content: 'There.' }],
      });
    }
    const lists = { prompt: [user], completion: [chat[3]] };
    expect(read(lists).trace).toMatchObject({
      tools_seen: 'reported',
      messages: [user, { content: 'It is on its way.' }],
    });
  });

  it('have a call once that a message repeats with the same id', () => {
    const calls = Array.from({ length: 20_000 }, () => ({ ...call, id: 'same' }));
    const results = Array.from({ length: 20_000 }, () => ({ role: 'tool', tool_call_id: 'same', content: 'x' }));
    const { trace } = read({ messages: [user, { role: 'assistant', content: null, tool_calls: calls }, ...results] });
    expect(trace.tool_calls_made).toHaveLength(1);
  });
});

describe('the formats', () => {
  it('have names of their own, and the most general one comes last', () => {
    const names = FORMATS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.at(-1)).toBe('conversation');
  });
});
