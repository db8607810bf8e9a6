import { describe, expect, it } from 'vitest';
import { readRecord } from '../../../../../test/import-reader.ts';
import { otelFormat } from './otel.ts';

const ARGUMENTS = { city: 'Oslo' };
const TEXT = JSON.stringify(ARGUMENTS);
const ASKED = 'Is it cold in Oslo?';
const SAID = 'It is 3 degrees.';
const CALL = { id: 'c1', type: 'function', function: { name: 'weather', arguments: TEXT } };

let ids = 0;
function span(name: string, attributes: object, more: object = {}) {
  ids += 1;
  const times = { startTime: [1_772_000_000 + ids, 0], endTime: [1_772_000_000 + ids, 500_000_000] };
  return { traceId: 'a'.repeat(32), spanId: ids.toString(16).padStart(16, '0'), name, ...times, attributes, ...more };
}

const event = (name: string, attributes: object) => ({ name, attributes });
const chat = { 'gen_ai.operation.name': 'chat' };
const tokens = { 'gen_ai.usage.input_tokens': 5, 'gen_ai.usage.output_tokens': 2 };

/** A question, a call of a tool, its result and the answer, in two calls of a model, as libraries record them. */
const LIBRARIES: [string, object[]][] = [
  [
    'Strands',
    [
      span(
        'chat',
        { ...chat, ...tokens },
        {
          events: [
            event('gen_ai.user.message', { content: JSON.stringify([{ text: ASKED }]) }),
            event('gen_ai.choice', {
              finish_reason: 'tool_use',
              message: JSON.stringify([{ toolUse: { toolUseId: 'c1', name: 'weather', input: ARGUMENTS } }]),
            }),
          ],
        },
      ),
      span(
        'execute_tool weather',
        { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'weather' },
        {
          events: [
            event('gen_ai.tool.message', { role: 'tool', id: 'c1', content: TEXT }),
            event('gen_ai.choice', { message: JSON.stringify([{ text: '3 degrees' }]), id: 'c1' }),
          ],
        },
      ),
      span(
        'chat',
        { ...chat, ...tokens },
        {
          events: [
            event('gen_ai.user.message', { content: JSON.stringify([{ text: ASKED }]) }),
            event('gen_ai.assistant.message', {
              content: JSON.stringify([{ toolUse: { toolUseId: 'c1', name: 'weather', input: ARGUMENTS } }]),
            }),
            event('gen_ai.tool.message', {
              content: JSON.stringify([
                { toolResult: { toolUseId: 'c1', status: 'success', content: [{ text: '3 degrees' }] } },
              ]),
            }),
            event('gen_ai.choice', { finish_reason: 'end_turn', message: JSON.stringify([{ text: SAID }]) }),
          ],
        },
      ),
    ],
  ],
  [
    'the Agent Development Kit',
    [
      span('call_llm', {
        ...{ 'gen_ai.system': 'gcp.vertex.agent', ...tokens },
        'gcp.vertex.agent.llm_request': JSON.stringify({
          model: 'gemini',
          config: {},
          contents: [{ role: 'user', parts: [{ text: ASKED }] }],
        }),
        'gcp.vertex.agent.llm_response': JSON.stringify({
          content: { role: 'model', parts: [{ function_call: { id: 'c1', name: 'weather', args: ARGUMENTS } }] },
        }),
      }),
      span('execute_tool weather', {
        ...{ 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'weather', 'gen_ai.tool.call.id': 'c1' },
        ...{
          'gcp.vertex.agent.llm_request': '{}',
          'gcp.vertex.agent.tool_call_args': TEXT,
          'gcp.vertex.agent.tool_response': '{"result":"3 degrees"}',
        },
      }),
      span('call_llm', {
        ...{ 'gen_ai.system': 'gcp.vertex.agent', ...tokens },
        'gcp.vertex.agent.llm_request': JSON.stringify({
          ...{ model: 'gemini', config: {} },
          contents: [
            { role: 'user', parts: [{ text: ASKED }] },
            { role: 'model', parts: [{ function_call: { id: 'c1', name: 'weather', args: ARGUMENTS } }] },
            {
              role: 'user',
              parts: [{ function_response: { id: 'c1', name: 'weather', response: { result: '3 degrees' } } }],
            },
          ],
        }),
        'gcp.vertex.agent.llm_response': JSON.stringify({ content: { role: 'model', parts: [{ text: SAID }] } }),
      }),
    ],
  ],
  [
    'Pydantic AI',
    [
      span('chat', {
        ...{ ...chat, ...tokens },
        events: JSON.stringify([
          { 'event.name': 'gen_ai.user.message', role: 'user', content: ASKED },
          { 'event.name': 'gen_ai.choice', index: 0, message: { role: 'assistant', tool_calls: [CALL] } },
        ]),
      }),
      span('running tool', {
        'gen_ai.tool.name': 'weather',
        'gen_ai.tool.call.id': 'c1',
        tool_arguments: TEXT,
        tool_response: '3 degrees',
      }),
      span('chat', {
        ...{ ...chat, ...tokens },
        events: JSON.stringify([
          { 'event.name': 'gen_ai.user.message', role: 'user', content: ASKED },
          { 'event.name': 'gen_ai.assistant.message', role: 'assistant', tool_calls: [CALL] },
          { 'event.name': 'gen_ai.tool.message', role: 'tool', id: 'c1', name: 'weather', content: '3 degrees' },
          { 'event.name': 'gen_ai.choice', index: 0, message: { role: 'assistant', content: SAID } },
        ]),
      }),
    ],
  ],
  [
    'Traceloop',
    [
      span('openai.chat', {
        ...{ 'llm.request.type': 'chat', 'gen_ai.usage.prompt_tokens': 5, 'gen_ai.usage.completion_tokens': 2 },
        ...{ 'gen_ai.prompt.0.role': 'user', 'gen_ai.prompt.0.content': ASKED },
        ...{ 'gen_ai.completion.0.role': 'assistant', 'gen_ai.completion.0.finish_reason': 'tool_calls' },
        'gen_ai.completion.0.tool_calls.0.id': 'c1',
        'gen_ai.completion.0.tool_calls.0.name': 'weather',
        'gen_ai.completion.0.tool_calls.0.arguments': TEXT,
      }),
      span('weather.tool', {
        'traceloop.span.kind': 'tool',
        'traceloop.entity.name': 'weather',
        'traceloop.entity.input': TEXT,
        'traceloop.entity.output': '3 degrees',
      }),
      span('openai.chat', {
        ...{ 'llm.request.type': 'chat', 'gen_ai.usage.prompt_tokens': 5, 'gen_ai.usage.completion_tokens': 2 },
        ...{ 'gen_ai.prompt.0.role': 'user', 'gen_ai.prompt.0.content': ASKED, 'gen_ai.prompt.1.role': 'assistant' },
        ...{
          'gen_ai.prompt.1.tool_calls.0.id': 'c1',
          'gen_ai.prompt.1.tool_calls.0.name': 'weather',
          'gen_ai.prompt.1.tool_calls.0.arguments': TEXT,
        },
        ...{
          'gen_ai.prompt.2.role': 'tool',
          'gen_ai.prompt.2.tool_call_id': 'c1',
          'gen_ai.prompt.2.content': '3 degrees',
        },
        ...{ 'gen_ai.completion.0.role': 'assistant', 'gen_ai.completion.0.content': SAID },
      }),
    ],
  ],
  [
    'the AI SDK',
    [
      span('ai.streamText.doStream', {
        ...{ 'ai.operationId': 'ai.streamText.doStream', ...tokens },
        'ai.prompt.messages': JSON.stringify([{ role: 'user', content: [{ type: 'text', text: ASKED }] }]),
        'ai.response.toolCalls': JSON.stringify([
          { toolCallType: 'function', toolCallId: 'c1', toolName: 'weather', args: TEXT },
        ]),
      }),
      span('ai.toolCall', {
        'ai.operationId': 'ai.toolCall',
        'ai.toolCall.name': 'weather',
        'ai.toolCall.id': 'c1',
        'ai.toolCall.args': TEXT,
        'ai.toolCall.result': '"3 degrees"',
      }),
      span('ai.streamText.doStream', {
        ...{ 'ai.operationId': 'ai.streamText.doStream', ...tokens },
        'ai.prompt.messages': JSON.stringify([
          { role: 'user', content: [{ type: 'text', text: ASKED }] },
          {
            role: 'assistant',
            content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'weather', input: ARGUMENTS }],
          },
          {
            role: 'tool',
            content: [
              {
                type: 'tool-result',
                toolCallId: 'c1',
                toolName: 'weather',
                output: { type: 'text', value: '3 degrees' },
              },
            ],
          },
        ]),
        'ai.response.text': SAID,
      }),
    ],
  ],
  [
    'rows of Phoenix',
    [
      {
        'message.role': 'assistant',
        'message.tool_calls': [
          { 'tool_call.id': 'c1', 'tool_call.function.name': 'weather', 'tool_call.function.arguments': TEXT },
        ],
      },
      { 'message.role': 'assistant', 'message.content': SAID },
    ].map((answer, index) => ({
      ...{ 'context.span_id': `b${index}`, 'context.trace_id': 'a1', name: 'llm', span_kind: 'LLM', parent_id: null },
      ...{ start_time: `2026-03-01T10:00:0${index}Z`, end_time: `2026-03-01T10:00:0${index}.5Z`, status_code: 'OK' },
      ...{ 'attributes.llm.token_count.prompt': 5, 'attributes.llm.token_count.completion': 2 },
      'attributes.llm.input_messages': [
        { 'message.role': 'user', 'message.content': ASKED },
        {
          'message.role': 'assistant',
          'message.tool_calls': [
            { 'tool_call.id': 'c1', 'tool_call.function.name': 'weather', 'tool_call.function.arguments': TEXT },
          ],
        },
        { 'message.role': 'tool', 'message.tool_call_id': 'c1', 'message.content': '3 degrees' },
      ].slice(0, index === 0 ? 1 : 3),
      'attributes.llm.output_messages': [answer],
    })),
  ],
  [
    'Zipkin',
    [
      {
        ...{ traceId: 'a1', id: 'b1', name: 'chat', timestamp: 1_772_000_000_000_000, duration: 1_000_000 },
        tags: {
          ...{ ...chat, 'gen_ai.usage.input_tokens': '10', 'gen_ai.usage.output_tokens': '4' },
          'gen_ai.input.messages': JSON.stringify([
            { role: 'user', parts: [{ type: 'text', content: ASKED }] },
            { role: 'assistant', parts: [{ type: 'tool_call', id: 'c1', name: 'weather', arguments: ARGUMENTS }] },
            { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response: '3 degrees' }] },
          ]),
          'gen_ai.output.messages': JSON.stringify([{ role: 'assistant', parts: [{ type: 'text', content: SAID }] }]),
        },
      },
    ],
  ],
];

describe('spans of libraries', () => {
  it.each(LIBRARIES)('are read: %s', (_, spans) => {
    expect(otelFormat.recognises(spans[0])).toBe(true);
    const [conversation, ...others] = readRecord(otelFormat, spans);
    expect(others).toEqual([]);
    expect(conversation?.losses).toEqual([]);
    expect(conversation?.trace).toMatchObject({
      ...{ input_tokens: 10, output_tokens: 4, final_content: SAID },
      messages: [
        { role: 'user', content: ASKED },
        { role: 'assistant', tool_calls: [{ id: 'c1', name: 'weather', arguments: ARGUMENTS }] },
        { role: 'tool_result', tool_call_id: 'c1', content: expect.stringContaining('3 degrees') },
        { role: 'assistant', content: SAID },
      ],
    });
    expect(conversation?.trace.messages).toHaveLength(4);
  });
});
