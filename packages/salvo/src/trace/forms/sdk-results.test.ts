import { describe, expect, test } from 'vitest';
import { FormError } from './form-error.ts';
import { readReply } from './read-reply.ts';

// Written after what the SDKs returned: @google/adk 2.0, @strands-agents/sdk 1.19, @openai/agents 0.20,
// @anthropic-ai/claude-agent-sdk 0.3, and Pydantic AI's `all_messages_json()`.

const read = (reply: unknown) => readReply(reply, 'call');
const messagesOf = (reply: unknown) => read(reply)?.conversation.messages;

describe('events of the Agent Development Kit', () => {
  const event = { invocationId: 'e1', actions: { stateDelta: {} }, longRunningToolIds: [], timestamp: 1794926931931 };
  const events = [
    { ...event, author: 'user', content: { role: 'user', parts: [{ text: 'What is it?' }] } },
    {
      ...event,
      author: 'triage',
      content: { role: 'model', parts: [{ functionCall: { id: 'c1', name: 'transfer_to_agent', args: {} } }] },
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 1, thoughtsTokenCount: 2 },
      modelVersion: 'gemini-3-flash',
    },
    {
      ...event,
      author: 'triage',
      content: { role: 'user', parts: [{ functionResponse: { id: 'c1', name: 'transfer_to_agent', response: {} } }] },
      actions: { transferToAgent: 'refunds' },
    },
    { ...event, author: 'refunds', partial: true, content: { role: 'model', parts: [{ text: 'A' }] } },
    { ...event, author: 'refunds', actions: { stateDelta: { done: true } } },
    {
      ...event,
      author: 'refunds',
      content: { role: 'model', parts: [{ text: 'A cat.' }] },
      usageMetadata: { promptTokenCount: 20, candidatesTokenCount: 2 },
    },
  ];
  const expected = [
    { role: 'user', content: 'What is it?' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', name: 'transfer_to_agent', arguments: {} }],
      agent: 'triage',
      step: { model: 'gemini-3-flash', input_tokens: 10, output_tokens: 3 },
    },
    { role: 'tool_result', tool_call_id: 'c1', name: 'transfer_to_agent', content: '{}', is_error: false },
    {
      role: 'assistant',
      content: 'A cat.',
      tool_calls: [],
      agent: 'refunds',
      step: { input_tokens: 20, output_tokens: 2 },
    },
  ];

  test('say who spoke, and what each step took', () => {
    expect(messagesOf(events)).toEqual(expected);
    expect(read(events)).toMatchObject({ model: 'gemini-3-flash', usage: { input_tokens: 30, output_tokens: 5 } });
  });

  test('are read from a session, and in the names of Python', () => {
    expect(messagesOf({ id: 's', appName: 'a', userId: 'u', state: {}, events })).toEqual(expected);
    const python = [
      { author: 'user', invocation_id: 'e', actions: {}, content: { parts: [{ text: 'What is it?' }] } },
      {
        ...{ author: 'a', invocation_id: 'e', actions: {}, usage_metadata: null },
        content: { role: 'model', parts: [{ function_call: { id: 'c1', name: 'look', args: {} } }] },
      },
    ];
    expect(messagesOf(python)).toMatchObject([{ role: 'user' }, { agent: 'a', tool_calls: [{ name: 'look' }] }]);
  });

  test('have the words of speech, what a workflow returns, and a summary of what was left out', () => {
    const turn = [
      { ...event, author: 'voice', inputTranscription: { text: 'What is', finished: false }, partial: true },
      { ...event, author: 'voice', inputTranscription: { text: 'What is it?', finished: true } },
      { ...event, author: 'voice', outputTranscription: { text: 'A cat.', finished: true }, modelVersion: 'live' },
      { ...event, author: 'workflow', output: { animal: 'cat' } },
      { ...event, compactedContent: 'They spoke about a cat.', isCompacted: true },
    ];
    expect(messagesOf(turn)).toEqual([
      { role: 'user', content: 'What is it?' },
      { role: 'assistant', content: 'A cat.', tool_calls: [], agent: 'voice', step: { model: 'live' } },
      { role: 'assistant', content: '{"animal":"cat"}', tool_calls: [], agent: 'workflow' },
      { role: 'system', content: 'They spoke about a cat.' },
    ]);
  });

  test('say why the last answer ended', () => {
    const cut = { ...event, author: 'a', content: { parts: [{ text: 'A c' }] }, finishReason: 'MAX_TOKENS' };
    expect(read([...events, cut])?.finish_reason).toBe('length');
  });

  test('that report an error without content are refused', () => {
    const failed = { ...event, author: 'triage', errorCode: 'UNKNOWN_ERROR', errorMessage: 'quota' };
    expect(() => read([...events, failed])).toThrow('messages[6] reports an error (UNKNOWN_ERROR): quota');
  });
});

describe('Strands and Bedrock', () => {
  const message = { role: 'assistant', content: [{ text: 'A cat.' }] };
  const metadata = { usage: { inputTokens: 20, outputTokens: 2 }, metrics: { latencyMs: 12 } };
  const step = { input_tokens: 20, output_tokens: 2, latency_seconds: 0.012 };

  test('a message of Strands has the tokens and the time of its step', () => {
    const messages = [
      { role: 'user', content: [{ text: 'What is it?' }] },
      { ...message, metadata },
    ];
    expect(messagesOf(messages)).toMatchObject([{ content: 'What is it?' }, { content: 'A cat.', step }]);
  });

  test('a result of Strands has its last message, and the tokens of all calls only if it tells them', () => {
    const result = { type: 'agentResult', stopReason: 'endTurn', lastMessage: { ...message, metadata } };
    expect(read(result)).toMatchObject({ kind: 'answer', finish_reason: 'stop', usage: null });
    const accumulatedUsage = { inputTokens: 30, outputTokens: 3 };
    expect(read({ ...result, metrics: { accumulatedUsage } })?.usage).toEqual({ input_tokens: 30, output_tokens: 3 });
  });

  test('a response of Converse is one step, whose cached tokens are not in its input', () => {
    const usage = { inputTokens: 20, outputTokens: 2, cacheReadInputTokens: 100, cacheWriteInputTokens: 7 };
    const reply = { output: { message }, stopReason: 'max_tokens', usage, metrics: { latencyMs: 500 } };
    const used = { input_tokens: 127, output_tokens: 2, cache_read_tokens: 100, cache_write_tokens: 7 };
    expect(read(reply)).toMatchObject({ kind: 'answer', finish_reason: 'length', usage: used });
    expect(messagesOf(reply)).toEqual([
      { ...message, content: 'A cat.', tool_calls: [], step: { ...used, latency_seconds: 0.5 } },
    ]);
  });

  test('results of tools may be JSON, and media are named', () => {
    const content = [{ json: { seen: 'a cat' } }, { image: { format: 'png' } }, { document: { name: 'x' } }];
    expect(messagesOf([{ role: 'user', content: [{ toolResult: { toolUseId: 'c1', content } }] }])).toMatchObject([
      { role: 'tool_result', content: '{"seen":"a cat"}\n[image]\n[document: x]' },
    ]);
  });
});

describe('messages of Pydantic AI', () => {
  test('have instructions once, the model and the tokens of each step, and refusals', () => {
    const instructions = 'Be kind.';
    const usage = { input_tokens: 10, output_tokens: 2, cache_read_tokens: 4 };
    const called = { part_kind: 'tool-call', tool_name: 'look', args: null, tool_call_id: 'c1' };
    const messages = [
      { kind: 'request', instructions, parts: [{ part_kind: 'user-prompt', content: 'Hi' }] },
      { kind: 'response', parts: [called], usage, model_name: 'gpt-5' },
      {
        kind: 'request',
        instructions,
        parts: [{ part_kind: 'tool-return', tool_name: 'look', tool_call_id: 'c1', content: 'no', outcome: 'denied' }],
      },
      { kind: 'request', parts: [{ part_kind: 'retry-prompt', content: 'Plain text is not allowed.' }] },
      { kind: 'response', parts: [{ part_kind: 'file', content: { media_type: 'image/png' } }], usage },
    ];
    expect(messagesOf(messages)).toEqual([
      { role: 'system', content: instructions },
      { role: 'user', content: 'Hi' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c1', name: 'look', arguments: {} }],
        step: { model: 'gpt-5', ...usage },
      },
      { role: 'tool_result', tool_call_id: 'c1', name: 'look', content: 'no', is_error: true, refused: true },
      { role: 'user', content: 'Plain text is not allowed.' },
      { role: 'assistant', content: '[image]', tool_calls: [], step: usage },
    ]);
    expect(read(messages)).toMatchObject({ model: 'gpt-5', usage: { input_tokens: 20, output_tokens: 4 } });
  });

  // As `ModelMessagesTypeAdapter` writes them, with base64 in the alphabet for addresses.
  const image = {
    kind: 'binary',
    media_type: 'image/gif',
    data: Buffer.from('GIF89a\xfb\xff\xfe', 'latin1').toString('base64url'),
  };
  const file = { media_type: 'image/gif', data: Buffer.from('GIF89a\xfb\xff\xfe', 'latin1').toString('base64') };

  test('have the files of prompts and results, and texts with data beside them', () => {
    const content = [
      'Look:',
      { kind: 'text-content', content: 'here', metadata: { id: 1 } },
      image,
      { kind: 'document-url', url: 'https://example.com/a.pdf', media_type: 'application/pdf' },
      { kind: 'uploaded-file', file_id: 'file-1', provider_name: 'openai', media_type: 'audio/wav' },
      { kind: 'cache-point', ttl: '5m' },
    ];
    const result = { part_kind: 'tool-return', tool_name: 'look', tool_call_id: 'c1', outcome: 'success' };
    const messages = [
      { kind: 'request', parts: [{ part_kind: 'user-prompt', content }] },
      { kind: 'request', parts: [{ ...result, content: ['A cat:', image, { legs: 4 }] }] },
      { kind: 'request', parts: [{ ...result, content: { kind: 'text-content', content: 'A cat.' } }] },
      { kind: 'request', parts: [{ ...result, content: { kind: 'cat', legs: [4] } }] },
    ];
    const pdf = { media_type: 'application/pdf', url: 'https://example.com/a.pdf' };
    expect(messagesOf(messages)).toMatchObject([
      { role: 'user', content: 'Look:\nhere\n[image]\n[document]\n[audio]', files: [file, pdf] },
      { role: 'tool_result', content: 'A cat:\n[image]\n{"legs":4}', files: [file] },
      { role: 'tool_result', content: 'A cat.' },
      { role: 'tool_result', content: '{"kind":"cat","legs":[4]}' },
    ]);
  });

  test('say why the last answer ended, and what was left of a history', () => {
    const summary = { part_kind: 'compaction', content: 'They talked about cats.' };
    const messages = [
      { kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'Hi' }] },
      { kind: 'response', parts: [summary, { part_kind: 'compaction', content: null }], finish_reason: 'length' },
    ];
    expect(messagesOf(messages)?.[1]).toMatchObject({ reasoning: 'They talked about cats.\n[compaction]' });
    expect(read(messages)).toMatchObject({ finish_reason: 'length' });
  });

  test.each([
    ['a new kind of prompt', [{ kind: 'smell' }], 'messages[0].parts[0].content[0]'],
    ['a prompt that is a number', 7, 'messages[0].parts[0].content: expected a text or a list'],
    ['a part that is a number', [7], 'messages[0].parts[0].content[0]: expected a text'],
  ])('%s is an error with its place', (_, content, problem) => {
    expect(() => read([{ kind: 'request', parts: [{ part_kind: 'user-prompt', content }] }])).toThrow(problem);
  });
});

describe('the state of a run of the OpenAI Agents SDK', () => {
  const message = (text: string) => {
    return { type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] };
  };
  const item = (rawItem: object, name: string) => ({ type: 'message_output_item', rawItem, agent: { name } });
  const state = {
    originalInput: 'What is it?',
    generatedItems: [item(message('One.'), 'a'), item(message('Two.'), 'b')],
    modelResponses: [
      { output: [message('One.')], usage: { inputTokens: 1, outputTokens: 2 }, providerData: { model: 'gpt-5' } },
      { output: [message('Two.')], usage: { inputTokens: 3, outputTokens: 4 } },
    ],
    context: { usage: { inputTokens: 9, outputTokens: 8 } },
    currentStep: { type: 'next_step_final_output' },
  };

  test.each([
    ['a result', { state }],
    ['the state itself', state],
  ])('%s has one answer for each response, and all tokens', (_, reply) => {
    expect(messagesOf(reply)).toEqual([
      { role: 'user', content: 'What is it?' },
      {
        ...{ role: 'assistant', content: 'One.', tool_calls: [], agent: 'a' },
        step: { model: 'gpt-5', input_tokens: 1, output_tokens: 2 },
      },
      { role: 'assistant', content: 'Two.', tool_calls: [], agent: 'b', step: { input_tokens: 3, output_tokens: 4 } },
    ]);
    expect(read(reply)).toMatchObject({ kind: 'conversation', usage: { input_tokens: 9, output_tokens: 8 } });
  });

  test('says that it waits for an approval', () => {
    expect(read({ ...state, currentStep: { type: 'next_step_interruption' } })?.finish_reason).toBe('interrupted');
  });
});

test('notices of the Claude Agent SDK are not messages of the system', () => {
  const notice = { type: 'system', subtype: 'informational', content: 'A hook has run.', level: 'info' };
  const message = { role: 'assistant', content: [{ type: 'text', text: 'A cat.' }] };
  expect(messagesOf([notice, { type: 'assistant', message }])).toMatchObject([{ role: 'assistant' }]);
});

describe('sub-agents of the Claude Agent SDK', () => {
  const part = (id: string, block: object, more: object = {}) => {
    return { type: 'assistant', message: { id, role: 'assistant', model: 'claude', content: [block] }, ...more };
  };
  const use = (id: string, name: string, input: object) => ({ type: 'tool_use', id, name, input });
  const result = (tool_use_id: string) => ({ type: 'tool_result', tool_use_id, content: 'ok' });
  const answered = (id: string, more: object = {}) => {
    return { type: 'user', message: { role: 'user', content: [result(id)] }, ...more };
  };

  test('parallel calls of one message are one turn, and the messages of a sub-agent name it', () => {
    const within = { parent_tool_use_id: 't1' };
    const messages = messagesOf([
      part('m1', use('t1', 'Task', { subagent_type: 'reviewer', prompt: 'Look.' }), { parent_tool_use_id: null }),
      part('m1', use('t2', 'Read', {}), { parent_tool_use_id: null }),
      part('m2', use('t3', 'Grep', {}), within),
      answered('t3', within),
      answered('t2'),
      answered('t1'),
      part('m3', { type: 'text', text: 'Done.' }),
    ]);
    const answers = messages?.filter(({ role }) => role === 'assistant');
    expect(answers).toMatchObject([
      { tool_calls: [{ id: 't1' }, { id: 't2' }], step: { model: 'claude' } },
      { tool_calls: [{ id: 't3' }], agent: 'reviewer' },
      { content: 'Done.' },
    ]);
    expect(answers?.[0]).not.toHaveProperty('agent');
  });
});

describe('fields of ours that others use for something else', () => {
  test.each([{ step: 3 }, { step: { latency_seconds: -1 } }, { agent: { id: 1 } }, { metadata: 'x' }, { name: 7 }])(
    '%j is left out',
    (fields) => {
      expect(messagesOf([{ role: 'assistant', content: 'x', ...fields }])).toEqual([
        { role: 'assistant', content: 'x', tool_calls: [] },
      ]);
    },
  );

  test('what Salvo wrote is read back', () => {
    const message = {
      role: 'assistant',
      content: 'x',
      tool_calls: [],
      agent: 'a',
      step: { latency_seconds: 1, cost_usd: 0.1 },
    };
    expect(messagesOf([message])).toEqual([message]);
  });
});

describe('hostile results are refused', () => {
  test.each([
    [{ state: { generatedItems: [], modelResponses: [] } }, 'state.originalInput'],
    [
      { state: { originalInput: 'x', generatedItems: [{ type: 'odd' }], modelResponses: [] } },
      'state.generatedItems[0]',
    ],
    [{ state: { originalInput: 'x', generatedItems: [7], modelResponses: [] } }, 'state.generatedItems[0]'],
    [{ state: { originalInput: 'x', generatedItems: [], modelResponses: [{}] } }, 'state.modelResponses[0].output'],
    [
      { events: [{ author: 'a', actions: {}, content: { role: 'model', parts: [{ odd: 1 }] } }] },
      'events[0].content.parts[0]',
    ],
    [{ events: [{ author: 'a', content: { role: 'boss', parts: [{ text: 'x' }] } }] }, 'events[0].content.role'],
    [{ events: [] }, 'events: the list of messages is empty'],
    [{ output: { message: { role: 'assistant', content: [{ odd: {} }] } } }, 'output.message.content[0]'],
    [{ output: { message: { role: 'assistant', content: [{ toolUse: {} }] } } }, 'output.message.content[0].toolUse'],
    [[{ role: 'user', content: [{ toolResult: { toolUseId: 'c', content: [{ odd: 1 }] } }] }], 'toolResult.content[0]'],
    [[{ kind: 'request', parts: [{ part_kind: 'odd' }] }], 'messages[0].parts[0] has the type "odd"'],
    [[{ kind: 'response', parts: [{ part_kind: '__proto__' }] }], 'messages[0].parts[0] has the type'],
    [[{ kind: 'request', parts: [{ part_kind: 'user-prompt', content: [{ kind: 'odd' }] }] }], 'parts[0].content[0]'],
    [[{ kind: 'response', parts: [{ part_kind: 'tool-call', tool_name: '' }] }], 'parts[0].tool_name'],
  ])('%j', (reply, problem) => {
    expect(() => read(reply)).toThrow(FormError);
    expect(() => read(reply)).toThrow(problem);
  });

  test('many equal items of a run are read at once', () => {
    const raw = { type: 'message', role: 'assistant', content: 'x' };
    const count = 3000;
    const state = {
      originalInput: 'x',
      generatedItems: Array.from({ length: count }, () => ({ type: 'message_output_item', rawItem: raw })),
      modelResponses: Array.from({ length: count }, () => ({ output: [raw], usage: null })),
    };
    expect(messagesOf({ state })).toHaveLength(count + 1);
  });
});
