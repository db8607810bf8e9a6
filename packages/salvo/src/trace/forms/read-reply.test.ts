import { describe, expect, test } from 'vitest';
import { readReply } from './read-reply.ts';

const messagesOf = (reply: unknown) => readReply(reply, 'call')?.conversation.messages;
const call = { id: 'c1', name: 'look', arguments: { at: 'it' } };
const asked = { role: 'assistant', content: 'Let me look.', reasoning: 'hm', tool_calls: [call] };
const answered = { role: 'tool_result', tool_call_id: 'c1', name: 'look', content: 'a cat', is_error: false };
const done = { role: 'assistant', content: 'A cat.', tool_calls: [] };

describe('the result of an SDK', () => {
  const usage = { input_tokens: 7, output_tokens: 3 };

  test.each([
    [
      'a chat completion',
      {
        object: 'chat.completion',
        model: 'gpt',
        choices: [
          {
            finish_reason: 'tool_calls',
            message: {
              role: 'assistant',
              content: 'Let me look.',
              reasoning_content: 'hm',
              tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look', arguments: '{"at":"it"}' } }],
            },
          },
        ],
        usage: { prompt_tokens: 7, completion_tokens: 3 },
      },
    ],
    [
      'a response',
      {
        object: 'response',
        model: 'gpt',
        status: 'completed',
        error: null,
        output: [
          { type: 'reasoning', summary: [{ type: 'summary_text', text: 'hm' }] },
          { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Let me look.' }] },
          { type: 'function_call', call_id: 'c1', name: 'look', arguments: '{"at":"it"}' },
        ],
        usage: { input_tokens: 7, output_tokens: 3 },
      },
    ],
    [
      "a message of Anthropic's",
      {
        type: 'message',
        role: 'assistant',
        model: 'claude',
        content: [
          { type: 'thinking', thinking: 'hm' },
          { type: 'text', text: 'Let me look.' },
          { type: 'tool_use', id: 'c1', name: 'look', input: { at: 'it' } },
        ],
        stop_reason: 'tool_use',
        usage,
      },
    ],
    [
      "a response of Gemini's",
      {
        candidates: [
          {
            content: {
              role: 'model',
              parts: [
                { text: 'hm', thought: true },
                { text: 'Let me look.' },
                { functionCall: { id: 'c1', name: 'look', args: { at: 'it' } } },
              ],
            },
          },
        ],
        usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 1, thoughtsTokenCount: 2 },
        modelVersion: 'gemini',
      },
    ],
    [
      "a message of LangChain's",
      {
        lc: 1,
        id: ['langchain_core', 'messages', 'AIMessage'],
        kwargs: {
          content: [
            { type: 'reasoning', reasoning: 'hm' },
            { type: 'text', text: 'Let me look.' },
          ],
          tool_calls: [{ name: 'look', args: { at: 'it' }, id: 'c1' }],
          usage_metadata: usage,
        },
      },
    ],
  ])('%s is one answer, with its open call and its tokens', (_, reply) => {
    const read = readReply(reply, 'call');
    expect(read).toMatchObject({ kind: 'answer', usage });
    expect(read?.conversation.messages).toMatchObject([asked]);
    expect(read?.conversation.openCalls).toEqual([call]);
  });

  test('tools that a provider ran are calls with their results, and leave nothing open', () => {
    const read = readReply(
      {
        output: [
          { type: 'web_search_call', id: 'w', status: 'completed', action: { type: 'search', query: 'cats' } },
          { type: 'code_interpreter_call', id: 'i', code: '1+1', outputs: [{ type: 'logs', logs: '2' }] },
          { type: 'mcp_call', id: 'm', name: 'find', arguments: '{"a":1}', output: null, error: 'down' },
          { type: 'mcp_list_tools', tools: [] },
          { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Done.' }] },
        ],
        status: 'incomplete',
        incomplete_details: { reason: 'max_output_tokens' },
      },
      'call',
    );
    expect(read?.finish_reason).toBe('length');
    expect(read?.conversation.openCalls).toEqual([]);
    expect(read?.conversation.messages).toMatchObject([
      { tool_calls: [{ id: 'w', name: 'web_search', arguments: { type: 'search', query: 'cats' } }] },
      { role: 'tool_result', tool_call_id: 'w', content: 'completed' },
      { tool_calls: [{ id: 'i', name: 'code_interpreter', arguments: { code: '1+1' } }] },
      { role: 'tool_result', content: '[{"type":"logs","logs":"2"}]' },
      { tool_calls: [{ id: 'm', name: 'find', arguments: { a: 1 } }] },
      { role: 'tool_result', content: 'down', is_error: true },
      { content: 'Done.' },
    ]);
  });

  test('the last message of the Claude Agent SDK has the tokens and the cost of all', () => {
    const messages = [
      {
        type: 'assistant',
        message: { role: 'assistant', content: 'Hi', usage: { input_tokens: 1, output_tokens: 1 } },
      },
      {
        type: 'result',
        subtype: 'success',
        result: 'In short: hi',
        total_cost_usd: 0.25,
        usage: { input_tokens: 5, output_tokens: 3, cache_read_input_tokens: 2 },
      },
    ];
    expect(readReply(messages, 'call')).toMatchObject({
      final_content: 'In short: hi',
      cost_usd: 0.25,
      usage: { input_tokens: 7, output_tokens: 3 },
    });
    const over = [...messages.slice(0, 1), { type: 'result', subtype: 'error_max_turns', is_error: true }];
    expect(readReply(over, 'call')?.finish_reason).toBe('error_max_turns');
    const broken = [{ type: 'result', subtype: 'error_during_execution', is_error: true, errors: ['no network'] }];
    expect(() => readReply(broken, 'call')).toThrow('reports an error (error_during_execution): no network');
  });

  test('the parts of one message of the Claude Agent SDK are one turn, also with results in between', () => {
    const part = (id: string, block: object) => ({
      type: 'assistant',
      message: {
        id,
        role: 'assistant',
        model: 'claude',
        content: [block],
        usage: { input_tokens: 1, output_tokens: 1 },
      },
    });
    const use = (id: string) => ({ type: 'tool_use', id, name: 'look', input: { at: id } });
    const answer = (id: string) => ({
      type: 'user',
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: `${id} seen` }] },
    });
    const read = readReply(
      [
        part('m1', { type: 'thinking', thinking: 'hm' }),
        part('m1', { type: 'text', text: 'Let me look.' }),
        part('m1', use('a')),
        answer('a'),
        part('m1', use('b')),
        answer('b'),
        part('m2', { type: 'text', text: 'Two cats.' }),
        {
          ...part('m3', { type: 'text', text: 'Stopped.' }),
          message: { id: 'm3', role: 'assistant', model: '<synthetic>', content: 'Stopped.' },
        },
      ],
      'call',
    );
    expect(read?.conversation.messages).toMatchObject([
      { content: 'Let me look.', reasoning: 'hm', tool_calls: [{ id: 'a' }, { id: 'b' }] },
      { role: 'tool_result', tool_call_id: 'a', content: 'a seen' },
      { role: 'tool_result', tool_call_id: 'b', content: 'b seen' },
      { content: 'Two cats.' },
      { content: 'Stopped.' },
    ]);
    expect(read).toMatchObject({ model: 'claude' });
  });

  describe("Mastra's result of generate()", () => {
    const wrapped = (type: string, payload: object) => ({ type, runId: 'r', from: 'AGENT', payload });
    const at = { at: 'it' };
    const step = {
      text: 'Let me look.',
      reasoningText: 'hm',
      toolCalls: ['c1', 'c2'].map((id) => wrapped('tool-call', { toolCallId: id, toolName: 'look', args: at })),
      toolResults: ['c1', 'c2'].map((id) =>
        wrapped('tool-result', { toolCallId: id, toolName: 'look', args: at, result: 'a cat' }),
      ),
      // All but the last call are missing here.
      content: [{ type: 'tool-call', toolCallId: 'c2', toolName: 'look', input: at }],
      usage: { inputTokens: 7, outputTokens: 3 },
      response: { modelId: 'gpt', dbMessages: [] },
    };
    const last = {
      text: 'A cat.',
      toolCalls: [],
      toolResults: [],
      content: [],
      usage: step.usage,
      response: step.response,
    };
    const stored = {
      role: 'assistant',
      content: {
        format: 2,
        content: 'A cat.',
        parts: [
          { type: 'reasoning', reasoning: 'hm', details: [] },
          { type: 'text', text: 'Let me look.' },
          ...['c1', 'c2'].map((toolCallId) => ({
            type: 'tool-invocation',
            toolInvocation: { state: 'result', toolCallId, toolName: 'look', args: at, result: 'a cat' },
          })),
          { type: 'step-start' },
          { type: 'text', text: 'A cat.' },
        ],
      },
    };
    const response = {
      modelId: 'gpt',
      messages: [
        {
          role: 'assistant',
          content: [
            { type: 'reasoning', text: 'hm' },
            { type: 'text', text: 'Let me look.' },
            ...['c1', 'c2'].map((toolCallId) => ({ type: 'tool-call', toolCallId, toolName: 'look', input: at })),
          ],
        },
        {
          role: 'tool',
          content: ['c1', 'c2'].map((toolCallId) => ({
            ...{ type: 'tool-result', toolCallId, toolName: 'look', output: { type: 'text', value: 'a cat' } },
          })),
        },
        { role: 'assistant', content: [{ type: 'text', text: 'A cat.' }] },
      ],
    };
    const two = { ...asked, tool_calls: [call, { ...call, id: 'c2' }] };

    test.each<[string, object]>([
      [
        'whole',
        {
          text: 'A cat.',
          steps: [step, last],
          response,
          totalUsage: { inputTokens: 14, outputTokens: 6 },
          messages: [stored],
        },
      ],
      ['its steps', { steps: [step, last] }],
    ])('%s has both calls that were made at once, with tokens and model', (_, reply) => {
      const read = readReply(reply, 'call');
      expect(read?.conversation.messages).toMatchObject([two, answered, { ...answered, tool_call_id: 'c2' }, done]);
      expect(read).toMatchObject({ kind: 'answer', model: 'gpt', usage: { input_tokens: 14, output_tokens: 6 } });
    });

    test('its stored messages are read, too', () => {
      expect(
        messagesOf({
          messages: [{ role: 'user', content: { format: 2, parts: [{ type: 'text', text: 'What?' }] } }, stored],
        }),
      ).toEqual([{ role: 'user', content: 'What?' }, two, answered, { ...answered, tool_call_id: 'c2' }, done]);
    });
  });

  test('results find their calls by the id that a benchmark gives them, in any order, with their errors', () => {
    const messages = messagesOf([
      {
        role: 'assistant',
        content: null,
        tool_calls: ['a', 'b', 'c'].map((id) => ({ id, name: 'book', arguments: { id } })),
      },
      { role: 'tool', id: 'b', content: 'Error: too late', error: true },
      { role: 'tool', id: 'a', content: 'booked', error: false },
      { role: 'tool', id: 'a message of its own', content: '', error: 'no seats' },
    ]);
    expect(messages?.slice(1)).toMatchObject([
      { tool_call_id: 'b', content: 'Error: too late', is_error: true },
      { tool_call_id: 'a', content: 'booked', is_error: false },
      { tool_call_id: 'c', content: 'no seats', is_error: true },
    ]);
  });

  test('an answer put together by hand has its calls under the names of the AI SDK, too', () => {
    const read = readReply(
      {
        content: 'Let me look.',
        toolCalls: [{ toolCallId: 'c1', toolName: 'look', input: { at: 'it' } }],
        toolResults: [{ toolCallId: 'c1', toolName: 'look', output: 'a cat' }],
        usage: { inputTokens: 7, outputTokens: 3 },
      },
      'call',
    );
    expect(read?.conversation.messages).toEqual([{ ...asked, reasoning: undefined }, answered]);
    expect(read?.usage).toEqual(usage);
  });

  test('the oldest messages of the AI SDK have their tools beside the text', () => {
    const toolInvocations = [
      { state: 'result', toolCallId: 'c1', toolName: 'look', args: { at: 'it' }, result: 'a cat' },
    ];
    expect(messagesOf([{ role: 'assistant', content: 'A cat.', toolInvocations }])).toEqual([
      { role: 'assistant', content: null, tool_calls: [call] },
      answered,
      done,
    ]);
  });

  test('more than one choice is refused: the others would be dropped', () => {
    const choice = { message: { role: 'assistant', content: 'x' } };
    expect(() => readReply({ choices: [choice, choice] }, 'call')).toThrow('choices: Salvo reads exactly one answer');
  });
});
