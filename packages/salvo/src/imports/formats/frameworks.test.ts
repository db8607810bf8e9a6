import { describe, expect, it } from 'vitest';
import { readRecord } from '../../../../../test/import-reader.ts';
import { langfuseFormat } from './langfuse.ts';

const ARGUMENTS = { city: 'Oslo' };
const TEXT = JSON.stringify(ARGUMENTS);
const ASKED = 'Is it cold in Oslo?';
const SAID = 'It is 3 degrees.';
const openAiCall = (id: string) => ({ id, type: 'function', function: { name: 'weather', arguments: TEXT } });

/** An observation as Langfuse has it. */
function observation(type: string, input: unknown, output: unknown, more: object = {}) {
  const times = { startTime: '2026-03-01T10:00:00.000Z', endTime: '2026-03-01T10:00:01.000Z' };
  return { id: 'o1', traceId: 't1', parentObservationId: null, type, name: 'step', input, output, ...times, ...more };
}

const generation = (input: unknown, output: unknown, more: object = {}) =>
  observation('GENERATION', input, output, more);
const attributes = (given: object) => ({ metadata: JSON.stringify({ attributes: given, scope: { name: 'library' } }) });
const asked = [{ role: 'user', content: ASKED }];

/** How a framework writes down one answer that calls a tool. */
const CALLS: [string, object][] = [
  ['OpenAI', generation(asked, { role: 'assistant', content: null, tool_calls: [openAiCall('c1')] })],
  [
    'OpenAI, a whole answer',
    generation({ messages: asked }, { choices: [{ message: { role: 'assistant', tool_calls: [openAiCall('c1')] } }] }),
  ],
  [
    'OpenAI, before tools',
    generation(asked, { role: 'assistant', content: null, function_call: { name: 'weather', arguments: TEXT } }),
  ],
  [
    'OpenAI Agents',
    generation(asked, {
      object: 'response',
      output: [{ type: 'function_call', call_id: 'c1', name: 'weather', arguments: TEXT }],
    }),
  ],
  [
    'texts of JSON',
    generation(
      JSON.stringify(asked),
      JSON.stringify({ role: 'assistant', content: '', tool_calls: [openAiCall('c1')] }),
    ),
  ],
  [
    'LangChain',
    generation([asked], { role: 'assistant', content: '', additional_kwargs: { tool_calls: [openAiCall('c1')] } }),
  ],
  [
    'LangChain, with an empty list beside',
    generation(
      { messages: [[{ type: 'human', content: ASKED }]] },
      {
        ...{ type: 'ai', content: '', tool_calls: [] },
        additional_kwargs: { tool_calls: [openAiCall('c1')] },
      },
    ),
  ],
  [
    'LangGraph',
    observation(
      'SPAN',
      { messages: [{ type: 'human', content: ASKED }] },
      {
        messages: [
          { type: 'ai', content: '', tool_calls: [{ name: 'weather', args: ARGUMENTS, id: 'c1', type: 'tool_call' }] },
        ],
      },
    ),
  ],
  [
    'a decorated function',
    observation(
      'SPAN',
      { args: [], kwargs: { messages: asked, retries: 2 } },
      { reply: { role: 'assistant', tool_calls: [openAiCall('c1')] } },
    ),
  ],
  ['AI SDK', generation(asked, [{ toolCallId: 'c1', toolName: 'weather', input: TEXT }])],
  [
    'AI SDK, messages',
    generation(asked, {
      role: 'assistant',
      content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'weather', input: ARGUMENTS }],
    }),
  ],
  [
    'Mastra',
    generation(
      { messages: asked },
      { text: '', toolCalls: [{ toolCallId: 'c1', toolName: 'weather', args: ARGUMENTS }], reasoning: [] },
    ),
  ],
  [
    'Pydantic AI, events',
    generation([{ 'event.name': 'gen_ai.user.message', content: ASKED, role: 'user' }], {
      'event.name': 'gen_ai.choice',
      index: 0,
      message: { role: 'assistant', tool_calls: [openAiCall('c1')] },
    }),
  ],
  [
    'Pydantic AI, parts',
    generation(
      [{ role: 'user', parts: [{ type: 'text', content: ASKED }] }],
      [{ role: 'assistant', parts: [{ type: 'tool_call', id: 'c1', name: 'weather', arguments: TEXT }] }],
    ),
  ],
  [
    'Microsoft Agent Framework',
    generation(
      [{ role: 'user', parts: [{ type: 'text', content: ASKED }] }],
      [
        {
          role: 'assistant',
          parts: [{ type: 'tool_call', id: ['run_1', 'call_1'], name: 'weather', arguments: ARGUMENTS }],
        },
      ],
    ),
  ],
  [
    'Semantic Kernel',
    generation(
      [
        {
          role: 'user',
          'gen_ai.event.content': JSON.stringify({ role: 'user', content: ASKED }),
          'gen_ai.system': 'openai',
        },
      ],
      {
        'gen_ai.event.content': JSON.stringify({
          ...{ index: 0, finish_reason: 'ToolCalls' },
          message: { role: 'Assistant', content: null, tool_calls: [openAiCall('c1')] },
        }),
      },
    ),
  ],
  [
    'AutoGen',
    generation(
      { messages: [{ content: ASKED, source: 'user', type: 'UserMessage' }] },
      {
        ...{ finish_reason: 'function_calls', usage: { prompt_tokens: 1, completion_tokens: 1 }, cached: false },
        content: [{ id: 'c1', name: 'weather', arguments: TEXT }],
      },
    ),
  ],
  [
    'AutoGen, an event',
    observation('AGENT', ASKED, {
      type: 'ToolCallRequestEvent',
      source: 'helper',
      content: [{ id: 'c1', name: 'weather', arguments: TEXT }],
    }),
  ],
  [
    'Gemini',
    generation(
      { contents: [{ role: 'user', parts: [{ text: ASKED }] }], config: {} },
      { candidates: [{ content: { role: 'model', parts: [{ functionCall: { name: 'weather', args: ARGUMENTS } }] } }] },
    ),
  ],
  [
    'Agent Development Kit',
    generation(
      {
        model: 'gemini',
        config: { system_instruction: 'Be kind.' },
        contents: [{ role: 'user', parts: [{ text: ASKED }] }],
      },
      {
        content: { role: 'model', parts: [{ function_call: { name: 'weather', args: ARGUMENTS, id: 'adk-1' } }] },
        partial: false,
      },
    ),
  ],
  [
    'Gemini, a list of texts',
    generation(
      { contents: [ASKED] },
      { parts: [{ function_call: { name: 'weather', args: ARGUMENTS } }], role: 'model' },
    ),
  ],
  [
    'Anthropic',
    generation(
      { system: 'Be kind.', messages: asked },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Let me see.' },
          { type: 'tool_use', id: 'c1', name: 'weather', input: ARGUMENTS },
        ],
      },
    ),
  ],
  ['Anthropic, blocks', generation(asked, [{ type: 'tool_use', id: 'c1', name: 'weather', input: ARGUMENTS }])],
  [
    'Bedrock',
    generation([{ role: 'user', content: [{ text: ASKED }] }], {
      output: {
        message: { role: 'assistant', content: [{ toolUse: { toolUseId: 'c1', name: 'weather', input: ARGUMENTS } }] },
      },
      stopReason: 'tool_use',
    }),
  ],
  [
    'Strands',
    generation([{ role: 'user', content: JSON.stringify([{ text: ASKED }]) }], {
      finish_reason: 'tool_use',
      message: JSON.stringify([{ toolUse: { toolUseId: 'c1', name: 'weather', input: ARGUMENTS } }]),
    }),
  ],
  [
    'Agno, OpenInference',
    generation(
      [{ message: { role: 'user', content: ASKED } }],
      [
        {
          message: {
            role: 'assistant',
            tool_calls: [{ tool_call: { id: 'c1', function: { name: 'weather', arguments: TEXT } } }],
          },
        },
      ],
    ),
  ],
  [
    'LlamaIndex, with messages in attributes',
    generation(
      'user: Is it cold?',
      'assistant: ',
      attributes({
        'openinference.span.kind': 'LLM',
        'llm.input_messages.0.message.role': 'user',
        'llm.input_messages.0.message.content': ASKED,
        'llm.output_messages.0.message.role': 'assistant',
        'llm.output_messages.0.message.tool_calls.0.tool_call.function.name': 'weather',
        'llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments': TEXT,
      }),
    ),
  ],
  [
    'LlamaIndex, blocks',
    generation([{ role: 'user', blocks: [{ block_type: 'text', text: ASKED }] }], {
      message: {
        role: 'assistant',
        blocks: [{ block_type: 'text', text: '' }],
        additional_kwargs: { tool_calls: [openAiCall('c1')] },
      },
      raw: {},
    }),
  ],
  [
    'LlamaIndex, blocks of calls',
    generation(asked, {
      role: 'assistant',
      blocks: [{ block_type: 'tool_call', tool_call_id: 'c1', tool_name: 'weather', tool_kwargs: ARGUMENTS }],
    }),
  ],
  [
    'Haystack',
    generation(
      { messages: [{ role: 'user', content: [{ text: ASKED }] }] },
      {
        replies: [
          {
            role: 'assistant',
            meta: {},
            name: null,
            content: [{ tool_call: { tool_name: 'weather', arguments: ARGUMENTS, id: 'c1' } }],
          },
        ],
      },
    ),
  ],
  [
    'Haystack, before',
    generation([{ _role: 'user', _content: [{ text: ASKED }] }], {
      replies: [
        { _role: 'assistant', _content: [{ tool_call: { tool_name: 'weather', arguments: ARGUMENTS, id: 'c1' } }] },
      ],
    }),
  ],
  [
    'smolagents',
    generation(
      {
        messages: [{ role: 'user', content: [{ type: 'text', text: ASKED }] }],
        stop_sequences: ['Observation:'],
        tools_to_call_from: [{ name: 'weather' }],
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ function: { name: 'weather', arguments: ARGUMENTS }, id: 'c1', type: 'function' }],
        raw: { id: 'r1' },
      },
    ),
  ],
  [
    'Traceloop',
    generation(
      [{ role: 'user', content: ASKED }],
      [
        {
          role: 'assistant',
          finish_reason: 'tool_calls',
          tool_calls: [{ id: 'c1', name: 'weather', arguments: TEXT }],
        },
      ],
    ),
  ],
  [
    'Koog',
    generation(asked, [
      { role: 'Assistant', tool_calls: JSON.stringify([openAiCall('c1')]), finish_reason: 'tool_calls' },
    ]),
  ],
  [
    'LiteLLM',
    generation(
      { messages: asked, tools: [] },
      { content: null, role: 'assistant', tool_calls: [{ index: 0, ...openAiCall('c1') }], function_call: null },
    ),
  ],
  ['DSPy', generation({ prompt: null, messages: asked }, [{ text: '', tool_calls: [openAiCall('c1')] }])],
  ['VAPI', generation(asked, { role: 'assistant', content: '', toolCalls: [openAiCall('c1')] })],
  [
    'Claude Agent SDK',
    generation({ prompt: ASKED }, [
      {
        type: 'assistant',
        message: {
          role: 'assistant',
          id: 'm1',
          content: [{ type: 'tool_use', id: 'c1', name: 'weather', input: ARGUMENTS }],
        },
      },
    ]),
  ],
  [
    'LangGraph, of its tools',
    observation('SPAN', [{ name: 'weather', args: ARGUMENTS, id: 'c1', type: 'tool_call' }], {
      messages: [{ type: 'tool', content: '3 degrees', name: 'weather', tool_call_id: 'c1' }],
    }),
  ],
  ['a list of calls', generation(asked, JSON.stringify([openAiCall('c1')]))],
  ['a call as a text', generation(asked, JSON.stringify({ name: 'weather', arguments: ARGUMENTS }))],
  [
    'old and new words at once',
    generation(asked, {
      role: 'assistant',
      function_call: { name: 'weather', arguments: TEXT },
      tool_calls: [openAiCall('c1')],
    }),
  ],
  ['a tool', observation('TOOL', ARGUMENTS, { degrees: 3 }, { name: 'weather' })],
  [
    'a tool of a span',
    observation('SPAN', TEXT, '3 degrees', {
      name: 'running tool',
      ...attributes({ 'gen_ai.tool.name': 'weather', 'gen_ai.tool.call.id': 'c1' }),
    }),
  ],
  [
    'a tool of LangGraph',
    observation(
      'SPAN',
      "{'city': 'Oslo'}",
      { type: 'tool', content: '3 degrees', name: 'weather', tool_call_id: 'c1' },
      { name: 'weather' },
    ),
  ],
];

describe('an observation of Langfuse by itself', () => {
  it.each(CALLS)('has its call if it was written by %s', (_, given) => {
    expect(langfuseFormat.recognises(given)).toBe(true);
    const [conversation, ...others] = readRecord(langfuseFormat, given);
    expect(others).toEqual([]);
    expect(conversation?.losses).toEqual([]);
    expect(conversation?.trace.tool_calls_made).toMatchObject([{ name: 'weather' }]);
    const [call] = conversation?.trace.tool_calls_made ?? [];
    if (!JSON.stringify(given).includes("{'city'")) expect(call?.arguments).toEqual(ARGUMENTS);
  });

  it.each<[string, unknown, unknown]>([
    ['texts', ASKED, SAID],
    ['messages', asked, { role: 'assistant', content: SAID }],
    ['a list of pairs', [['human', ASKED]], SAID],
    ['an object of its own', { question: ASKED }, { answer: SAID }],
    [
      'the content of an assistant',
      asked,
      [{ role: 'assistant', content: [{ type: 'text', text: { value: SAID, annotations: [] } }] }],
    ],
    ['a list with one text', { messages: asked }, [SAID]],
  ])('has what was said if it is %s', (_, input, output) => {
    const [conversation] = readRecord(langfuseFormat, generation(input, output));
    expect(conversation?.trace.messages).toMatchObject([
      { role: 'user', content: ASKED },
      { role: 'assistant', content: SAID },
    ]);
  });

  it('has an object as JSON if there are no messages in it', () => {
    const [conversation] = readRecord(langfuseFormat, generation({ a: 1, b: 'x' }, { score: 3, why: 'so' }));
    expect(conversation?.trace.messages).toMatchObject([
      { content: '{"a":1,"b":"x"}' },
      { content: '{"score":3,"why":"so"}' },
    ]);
  });

  it('keeps what it can read of a message, and tells what it cannot', () => {
    const content = [
      { type: 'text', text: 'Look:' },
      { type: 'hologram', data: 'x' },
    ];
    const [conversation] = readRecord(
      langfuseFormat,
      generation(asked, { role: 'assistant', content, tool_calls: [openAiCall('c1')] }),
    );
    expect(conversation?.trace.messages.at(-1)).toMatchObject({ content: 'Look:', tool_calls: [{ id: 'c1' }] });
    expect(conversation?.losses).toMatchObject([{ line: 7, problem: expect.stringContaining('hologram') }]);
  });
});
