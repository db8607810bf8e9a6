import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { messageSchema } from '../message.ts';
import { FormError } from './form-error.ts';
import { readReply } from './read-reply.ts';

const messagesOf = (reply: unknown) => readReply(reply, 'call')?.conversation.messages;
const call = { id: 'c1', name: 'look', arguments: { at: 'it' } };
const asked = { role: 'assistant', content: 'Let me look.', reasoning: 'hm', tool_calls: [call] };
const answered = { role: 'tool_result', tool_call_id: 'c1', name: 'look', content: 'a cat', is_error: false };
const failed = { ...answered, content: 'too dark', is_error: true };
const done = { role: 'assistant', content: 'A cat.', tool_calls: [] };
const task = { role: 'user', content: 'What is it?\n[image]' };

/** The same conversation in every form: a question with an image, thoughts, a call, its result or error, an answer. */
const CONVERSATIONS: Record<string, (result: 'answered' | 'failed') => unknown[]> = {
  'ModelMessage of the AI SDK': (result) => [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is it?' },
        { type: 'image', image: 'data:' },
      ],
    },
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'hm' },
        { type: 'text', text: 'Let me ' },
        { type: 'text', text: 'look.' },
        { type: 'tool-call', toolCallId: 'c1', toolName: 'look', input: { at: 'it' } },
      ],
    },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: 'c1',
          toolName: 'look',
          output: result === 'answered' ? { type: 'text', value: 'a cat' } : { type: 'error-text', value: 'too dark' },
        },
      ],
    },
    { role: 'assistant', content: 'A cat.' },
  ],
  'messages of version 4 of the AI SDK': (result) => [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is it?' },
        { type: 'image', image: 'data:' },
      ],
    },
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'hm' },
        { type: 'text', text: 'Let me look.' },
        { type: 'tool-call', toolCallId: 'c1', toolName: 'look', args: { at: 'it' } },
      ],
    },
    {
      role: 'tool',
      content: [
        result === 'answered'
          ? { type: 'tool-result', toolCallId: 'c1', toolName: 'look', result: 'a cat' }
          : { type: 'tool-result', toolCallId: 'c1', toolName: 'look', result: 'too dark', isError: true },
      ],
    },
    { role: 'assistant', content: 'A cat.' },
  ],
  'UIMessage of the AI SDK': (result) => [
    {
      id: 'm1',
      role: 'user',
      parts: [
        { type: 'text', text: 'What is it?' },
        { type: 'file', mediaType: 'image/png', url: 'data:' },
      ],
    },
    {
      id: 'm2',
      role: 'assistant',
      parts: [
        { type: 'step-start' },
        { type: 'reasoning', text: 'hm', state: 'done' },
        { type: 'text', text: 'Let me look.', state: 'done' },
        {
          type: 'tool-look',
          toolCallId: 'c1',
          input: { at: 'it' },
          ...(result === 'answered'
            ? { state: 'output-available', output: 'a cat' }
            : { state: 'output-error', errorText: 'too dark' }),
        },
        { type: 'step-start' },
        { type: 'text', text: 'A cat.' },
      ],
    },
  ],
  'UIMessage of version 4 of the AI SDK': (result) => [
    { role: 'user', content: 'What is it?\n[image]', parts: [{ type: 'text', text: 'What is it?\n[image]' }] },
    {
      role: 'assistant',
      content: 'A cat.',
      parts: [
        { type: 'reasoning', text: 'hm' },
        { type: 'text', text: 'Let me look.' },
        {
          type: result === 'answered' ? 'tool-invocation' : 'dynamic-tool',
          ...(result === 'answered'
            ? {
                toolInvocation: {
                  state: 'result',
                  toolCallId: 'c1',
                  toolName: 'look',
                  args: { at: 'it' },
                  result: 'a cat',
                },
              }
            : {
                toolName: 'look',
                toolCallId: 'c1',
                state: 'output-error',
                rawInput: '{"at":"it"}',
                errorText: 'too dark',
              }),
        },
        { type: 'text', text: 'A cat.' },
      ],
    },
  ],
  OpenTelemetry: (result) => [
    {
      role: 'user',
      parts: [
        { type: 'text', content: 'What is it?' },
        { type: 'blob', modality: 'image', mime_type: 'image/png', content: 'aGk=' },
      ],
    },
    {
      role: 'assistant',
      parts: [
        { type: 'reasoning', content: 'hm' },
        { type: 'text', content: 'Let me look.' },
        { type: 'tool_call', id: 'c1', name: 'look', arguments: { at: 'it' } },
      ],
      finish_reason: 'tool_call',
    },
    {
      role: 'tool',
      parts: [
        {
          type: 'tool_call_response',
          id: 'c1',
          ...(result === 'answered' ? { response: 'a cat' } : { result: { error: 'too dark' } }),
        },
      ],
    },
    { role: 'assistant', parts: [{ type: 'text', content: 'A cat.' }], finish_reason: 'stop' },
  ],
  "items of OpenAI's Responses": (result) => [
    {
      role: 'user',
      content: [
        { type: 'input_text', text: 'What is it?' },
        { type: 'input_image', image_url: 'data:' },
      ],
    },
    { type: 'reasoning', id: 'r', summary: [{ type: 'summary_text', text: 'hm' }] },
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Let me look.', annotations: [] }] },
    { type: 'function_call', id: 'f', call_id: 'c1', name: 'look', arguments: '{"at":"it"}' },
    {
      type: 'function_call_output',
      call_id: 'c1',
      ...(result === 'answered' ? { output: 'a cat' } : { output: 'too dark', status: 'incomplete' }),
    },
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'A cat.' }], status: 'completed' },
  ],
  "items of OpenAI's Agents SDK": (result) => [
    {
      type: 'message',
      role: 'user',
      content: [
        { type: 'input_text', text: 'What is it?' },
        { type: 'input_image', image: 'data:' },
      ],
    },
    { type: 'reasoning', content: [{ type: 'input_text', text: 'hm' }] },
    {
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'Let me look.' }],
    },
    {
      type: 'tool_call_item',
      rawItem: { type: 'function_call', callId: 'c1', name: 'look', arguments: '{"at":"it"}' },
    },
    {
      type: 'function_call_result',
      callId: 'c1',
      name: 'look',
      ...(result === 'answered'
        ? { status: 'completed', output: { type: 'text', text: 'a cat' } }
        : { status: 'incomplete', output: 'too dark' }),
    },
    { type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'A cat.' }] },
  ],
  Anthropic: (result) => [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is it?' },
        { type: 'image', source: { type: 'base64' } },
      ],
    },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'hm', signature: 's' },
        { type: 'text', text: 'Let me look.' },
        { type: 'tool_use', id: 'c1', name: 'look', input: { at: 'it' } },
      ],
    },
    {
      role: 'user',
      content: [
        result === 'answered'
          ? { type: 'tool_result', tool_use_id: 'c1', content: [{ type: 'text', text: 'a cat' }] }
          : { type: 'tool_result', tool_use_id: 'c1', content: 'too dark', is_error: true },
      ],
    },
    { role: 'assistant', content: [{ type: 'text', text: 'A cat.' }] },
  ],
  "a server tool of Anthropic's": (result) => [
    { role: 'user', content: 'What is it?\n[image]' },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'hm' },
        { type: 'text', text: 'Let me look.' },
        { type: 'server_tool_use', id: 'c1', name: 'look', input: { at: 'it' } },
        {
          type: 'mcp_tool_result',
          tool_use_id: 'c1',
          ...(result === 'answered'
            ? { content: [{ type: 'text', text: 'a cat' }], is_error: false }
            : { content: 'too dark', is_error: true }),
        },
        { type: 'text', text: 'A ' },
        { type: 'text', text: 'cat.', citations: [] },
      ],
    },
  ],
  'the Claude Agent SDK': (result) => [
    { type: 'system', subtype: 'init', session_id: 's', tools: [], model: 'claude' },
    { type: 'user', session_id: 's', message: { role: 'user', content: 'What is it?\n[image]' } },
    { type: 'stream_event', event: { type: 'message_start' }, session_id: 's' },
    {
      type: 'assistant',
      session_id: 's',
      message: {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm' },
          { type: 'text', text: 'Let me look.' },
          { type: 'tool_use', id: 'c1', name: 'look', input: { at: 'it' } },
        ],
        usage: { input_tokens: 1, output_tokens: 1 },
      },
    },
    {
      type: 'user',
      session_id: 's',
      message: {
        role: 'user',
        content: [
          result === 'answered'
            ? { type: 'tool_result', tool_use_id: 'c1', content: 'a cat' }
            : { type: 'tool_result', tool_use_id: 'c1', content: 'too dark', is_error: true },
        ],
      },
    },
    { type: 'assistant', message: { role: 'assistant', content: [{ type: 'text', text: 'A cat.' }] } },
    { type: 'result', subtype: 'success', result: 'A cat.', is_error: false, total_cost_usd: 0.5, usage: {} },
  ],
  'LangChain, serialized': (result) => [
    {
      type: 'human',
      content: [
        { type: 'text', text: 'What is it?' },
        { type: 'image_url', image_url: 'data:' },
      ],
    },
    {
      type: 'ai',
      content: [
        { type: 'reasoning', reasoning: 'hm' },
        { type: 'text', text: 'Let me look.' },
        { type: 'tool_use', id: 'c1', name: 'look', input: { at: 'it' } },
      ],
      tool_calls: [{ name: 'look', args: { at: 'it' }, id: 'c1', type: 'tool_call' }],
    },
    result === 'answered'
      ? { type: 'tool', content: 'a cat', tool_call_id: 'c1', name: 'look', status: 'success' }
      : { type: 'tool', data: { content: 'too dark', tool_call_id: 'c1', name: 'look', status: 'error' } },
    { type: 'ai', content: 'A cat.' },
  ],
  'classes of LangChain': (result) => [
    {
      lc: 1,
      type: 'constructor',
      id: ['langchain_core', 'messages', 'HumanMessage'],
      kwargs: { content: 'What is it?\n[image]' },
    },
    {
      lc: 1,
      type: 'constructor',
      id: ['langchain_core', 'messages', 'AIMessageChunk'],
      kwargs: {
        content: [
          { type: 'thinking', thinking: 'hm' },
          { type: 'text', text: 'Let me look.' },
        ],
        tool_calls: [{ name: 'look', args: { at: 'it' }, id: 'c1' }],
      },
    },
    {
      lc: 1,
      type: 'constructor',
      id: ['langchain_core', 'messages', 'ToolMessage'],
      kwargs: {
        content: result === 'answered' ? 'a cat' : 'too dark',
        status: result === 'answered' ? 'success' : 'error',
        tool_call_id: 'c1',
      },
    },
    { lc: 1, type: 'constructor', id: ['langchain_core', 'messages', 'AIMessage'], kwargs: { content: 'A cat.' } },
  ],
  Gemini: (result) => [
    { role: 'user', parts: [{ text: 'What is it?' }, { inlineData: { mimeType: 'image/png', data: '' } }] },
    {
      role: 'model',
      parts: [
        { text: 'hm', thought: true },
        { text: 'Let me look.' },
        { functionCall: { id: 'c1', name: 'look', args: { at: 'it' } }, thoughtSignature: 's' },
      ],
    },
    {
      role: 'user',
      parts: [
        {
          functionResponse: {
            id: 'c1',
            name: 'look',
            response: result === 'answered' ? { type: 'text', text: 'a cat' } : { error: 'too dark' },
          },
        },
      ],
    },
    { role: 'model', parts: [{ text: 'A cat.' }] },
  ],
};

describe.each(Object.entries(CONVERSATIONS))('a conversation in the form of %s', (_, form) => {
  test('is read in full', () => {
    expect(messagesOf(form('answered'))).toEqual([task, asked, answered, done]);
    expect(messagesOf({ messages: form('answered') })).toEqual([task, asked, answered, done]);
  });

  test('keeps the error of a tool', () => {
    expect(messagesOf(form('failed'))).toEqual([task, asked, failed, done]);
  });

  test('can be mixed with others, message by message', () => {
    const ours = [{ role: 'system', content: 'Be kind.' }, ...form('answered'), { role: 'user', content: 'Thanks.' }];
    expect(messagesOf(ours)?.slice(1, -1)).toEqual([task, asked, answered, done]);
  });
});

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
    expect(read?.conversation.messages).toEqual([asked]);
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

describe('what is not known is refused with its type and place', () => {
  test.each([
    [
      [{ role: 'assistant', content: [{ type: 'text', text: 'x' }, { type: 'foo' }] }],
      'messages[0].content[1] has the type "foo"',
    ],
    [[{ role: 'assistant', content: [{ text: 'x' }] }], 'messages[0].content[0] has no "type"'],
    [[{ role: 'assistant', parts: [{ type: 'bar' }] }], 'messages[0].parts[0] has the type "bar"'],
    [[{ role: 'assistant', parts: [{ type: 'tool-x', state: 'odd' }] }], 'messages[0].parts[0] has the state "odd"'],
    [
      [{ role: 'assistant', parts: [{ type: 'text', content: 'x' }, { type: 'odd' }] }],
      'messages[0].parts[1] has the type "odd"',
    ],
    [[{ role: 'model', parts: [{ videoMetadata: {} }] }], 'messages[0].parts[0] has none of the fields'],
    [[{ type: 'item_reference', id: 'x' }], 'messages[0] has the type "item_reference"'],
    [[{ type: 'web_thing_call' }], 'messages[0] has the type "web_thing_call"'],
    [{ output: [{ type: 'new_call' }] }, 'output[0] has the type "new_call"'],
    [{ steps: [{ content: [{ type: 'hologram' }] }] }, 'steps[0].content[0] has the type "hologram"'],
    [[{ role: 'user', content: [{ type: 'tool_use', name: 'x' }] }], 'is a tool call in a message of the role user'],
    [
      [{ role: 'tool', content: [{ type: 'tool-result', toolName: 'x', output: { type: 'odd', value: 1 } }] }],
      'messages[0].content[0].output has the type "odd"',
    ],
    [[{ role: 'assistant', content: [{ type: 'tool-call', input: {} }] }], 'messages[0].content[0].toolName'],
    [[{ role: 'robot', content: 'x' }], 'messages[0].role: expected a message whose role'],
    [['text'], 'messages[0]: expected a message'],
    [[{ role: 'assistant', content: [{ type: '__proto__' }] }], 'has the type "__proto__"'],
    [[{ type: 'constructor' }], 'has the type "constructor"'],
  ])('%j', (reply, problem) => {
    expect(() => readReply(reply, 'call')).toThrow(FormError);
    expect(() => readReply(reply, 'call')).toThrow(problem);
  });
});

interface Step {
  texts: string[];
  calls: { id: string; name: string; args: Record<string, unknown>; result: string; is_error: boolean }[];
}

/** How a step is written in each form: what went in must come out. */
const WRITERS: Record<string, (step: Step) => unknown[]> = {
  'AI SDK': ({ texts, calls }) => [
    {
      role: 'assistant',
      content: [
        ...texts.map((text) => ({ type: 'text', text })),
        ...calls.map(({ id, name, args }) => ({ type: 'tool-call', toolCallId: id, toolName: name, input: args })),
      ],
    },
    {
      role: 'tool',
      content: calls.map(({ id, name, result, is_error }) => ({
        type: 'tool-result',
        toolCallId: id,
        toolName: name,
        output: { type: is_error ? 'error-text' : 'text', value: result },
      })),
    },
  ],
  'AI SDK on a page': ({ texts, calls }) => [
    {
      role: 'assistant',
      parts: [
        ...texts.map((text) => ({ type: 'text', text })),
        ...calls.map(({ id, name, args, result, is_error }) => ({
          type: 'dynamic-tool',
          toolName: name,
          toolCallId: id,
          input: args,
          ...(is_error ? { state: 'output-error', errorText: result } : { state: 'output-available', output: result }),
        })),
      ],
    },
  ],
  OpenTelemetry: ({ texts, calls }) => [
    {
      role: 'assistant',
      parts: [
        ...texts.map((content) => ({ type: 'text', content })),
        ...calls.map(({ id, name, args }) => ({ type: 'tool_call', id, name, arguments: args })),
      ],
    },
    {
      role: 'tool',
      parts: calls.map(({ id, result, is_error }) => ({
        type: 'tool_call_response',
        id,
        response: is_error ? { error: result } : result,
      })),
    },
  ],
  Responses: ({ texts, calls }) => [
    { type: 'message', role: 'assistant', content: texts.map((text) => ({ type: 'output_text', text })) },
    ...calls.map(({ id, name, args }) => ({
      type: 'function_call',
      call_id: id,
      name,
      arguments: JSON.stringify(args),
    })),
    ...calls.map(({ id, result, is_error }) => ({
      type: 'function_call_output',
      call_id: id,
      output: result,
      status: is_error ? 'incomplete' : 'completed',
    })),
  ],
  Anthropic: ({ texts, calls }) => [
    {
      role: 'assistant',
      content: [
        ...texts.map((text) => ({ type: 'text', text })),
        ...calls.map(({ id, name, args }) => ({ type: 'tool_use', id, name, input: args })),
      ],
    },
    {
      role: 'user',
      content: calls.map(({ id, result, is_error }) => ({
        type: 'tool_result',
        tool_use_id: id,
        content: result,
        is_error,
      })),
    },
  ],
  Gemini: ({ texts, calls }) => [
    {
      role: 'model',
      parts: [
        ...texts.map((text) => ({ text })),
        ...calls.map(({ id, name, args }) => ({ functionCall: { id, name, args } })),
      ],
    },
    {
      role: 'user',
      parts: calls.map(({ id, name, result, is_error }) => ({
        functionResponse: { id, name, response: is_error ? { error: result } : { output: result } },
      })),
    },
  ],
};

const stepLike = fc.record({
  texts: fc.array(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 3 }),
  calls: fc.uniqueArray(
    fc.record({
      id: fc.string({ minLength: 1 }),
      name: fc.string({ minLength: 1, unit: 'binary' }),
      args: fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 })),
      result: fc.string({ unit: 'binary' }),
      is_error: fc.boolean(),
    }),
    { minLength: 1, maxLength: 4, selector: ({ id }) => id },
  ),
});

test.each(Object.entries(WRITERS))('every text, call and result that goes in comes out: %s', (name, write) => {
  fc.assert(
    fc.property(fc.array(stepLike, { minLength: 1, maxLength: 3 }), (steps) => {
      const read = readReply(JSON.parse(JSON.stringify(steps.flatMap(write))), 'call');
      const messages = read?.conversation.messages ?? [];
      expect(messages.filter(({ role }) => role === 'assistant')).toEqual(
        steps.map(({ texts, calls }) => ({
          role: 'assistant',
          content: texts.join(''),
          tool_calls: JSON.parse(JSON.stringify(calls)).map(({ id, name, args }: Step['calls'][number]) => ({
            id,
            name,
            arguments: args,
          })),
        })),
      );
      const results = steps.flatMap(({ calls }) => calls.map(({ id, result, is_error }) => [id, result, is_error]));
      expect(
        messages.flatMap((message) =>
          message.role === 'tool_result'
            ? [
                [
                  message.tool_call_id,
                  name === 'Gemini' && !message.is_error ? JSON.parse(message.content).output : message.content,
                  message.is_error,
                ],
              ]
            : [],
        ),
      ).toEqual(results);
      expect(read?.conversation.openCalls).toEqual([]);
    }),
    { numRuns: 60 },
  );
});

/** Values made of the words that the readers look for, in any combination. */
const FIELDS = `type role content parts text thinking reasoning name id arguments args input output result error messages
  contents message steps choices candidates response tool_calls function_call function rawItem kwargs lc data subtype state
  toolCallId toolName toolInvocation functionCall functionResponse call_id tool_use_id status summary usage trace __proto__
  constructor finish_reason usageMetadata`;
const WORDS = `user assistant tool system model developer text tool-call tool-result tool_use tool_result tool_call
  tool_call_response function_call function_call_output message reasoning dynamic-tool tool-x step-start data-x file image
  human ai result success thinking output-available source custom AIMessage web_search_call mcp_call message_output_item`;
const wordOf = (words: string) => fc.constantFrom(...words.trim().split(/\s+/));
const { value: reply } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, depthSize: 'medium' },
    fc.oneof(wordOf(WORDS), wordOf(WORDS), fc.string(), fc.integer(), fc.boolean(), fc.constant(null)),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.array(fc.tuple(wordOf(FIELDS), tie('value')), { maxLength: 5 }).map((entries) => Object.fromEntries(entries)),
    fc.array(fc.tuple(wordOf(FIELDS), tie('value')), { maxLength: 5 }).map((entries) => Object.fromEntries(entries)),
  ),
}));

test('any reply is read into valid messages, or refused: no other error is possible', () => {
  let read = 0;
  fc.assert(
    fc.property(reply, fc.boolean(), (value, inList) => {
      let result: ReturnType<typeof readReply>;
      try {
        result = readReply(inList ? { messages: [value] } : value, 'call');
      } catch (error) {
        expect(error).toBeInstanceOf(FormError);
        return;
      }
      read += result ? 1 : 0;
      expect(z.array(messageSchema).safeParse(result?.conversation.messages ?? []).error).toBeUndefined();
    }),
    { numRuns: 3000 },
  );
  expect(read).toBeGreaterThan(10);
});
