import type Anthropic from '@anthropic-ai/sdk';
import type { ContentBlock, ConverseStreamOutput, ToolResultContentBlock } from '@aws-sdk/client-bedrock-runtime';
import type { Part } from '@google/genai';
import type { ContentBlock as LangChainBlock, MessageType } from '@langchain/core/messages';
import type { AgentChunkType } from '@mastra/core/stream';
import type { AgentInputItem, RunItem, RunStreamEvent } from '@openai/agents';
import type {
  AssistantContent,
  ContentPart,
  ModelMessage,
  TextStreamPart,
  ToolContent,
  ToolResultPart,
  ToolSet,
  UIDataTypes,
  UIMessageChunk,
  UIMessagePart,
  UITools,
  UserContent,
} from 'ai';
import type OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { readReply } from '../../packages/salvo/src/trace/forms/read-reply.ts';
import { streamReply } from '../../packages/salvo/src/trace/forms/stream/stream-reply.ts';

// Every member of the SDKs' own unions has a sample here, which is read. If an SDK adds a member, this file does not
// compile until somebody has decided how it is read.

type Types<Union> = Union extends { type?: infer Type } ? (Type extends string ? Type : never) : never;
type Keys<Union> = Union extends unknown ? keyof Union : never;
type PartOf<Content> = Content extends readonly (infer Entry)[] ? Entry : never;
/** A sample for every type. */
type Samples<Type extends string> = Record<Type, object>;

const question = { role: 'user', content: 'What is it?' };

function readAll(messages: object[]) {
  return readReply([question, ...messages], 'call')?.conversation.messages.slice(1) ?? [];
}

/** Reads each sample as a part of a message. */
function readParts(samples: Record<string, object>, around: (part: object) => object[]) {
  return Object.entries(samples).map(([type, sample]) => {
    return [type, readAll(around({ ...sample, type }))] as const;
  });
}

const call = { toolCallId: 'c1', toolName: 'look', input: {} };

describe('ai', () => {
  const roles: Record<ModelMessage['role'], object> = {
    system: { content: 's' },
    user: { content: 'u' },
    assistant: { content: 'a' },
    tool: { content: [{ type: 'tool-result', ...call, output: { type: 'text', value: 'x' } }] },
  };
  const userParts: Samples<Types<PartOf<UserContent>>> = {
    text: { text: 'x' },
    image: { image: 'data:' },
    file: { data: 'data:', mediaType: 'text/plain' },
  };
  const assistantParts: Samples<Types<PartOf<AssistantContent>>> = {
    text: { text: 'x' },
    custom: { kind: 'x.y' },
    file: { data: 'data:', mediaType: 'text/plain' },
    reasoning: { text: 'x' },
    'reasoning-file': { data: 'data:', mediaType: 'text/plain' },
    'tool-call': call,
    'tool-result': { ...call, output: { type: 'text', value: 'x' } },
    'tool-approval-request': { approvalId: 'a', toolCallId: 'c1' },
  };
  const toolParts: Samples<Types<PartOf<ToolContent>>> = {
    'tool-result': { ...call, output: { type: 'text', value: 'x' } },
    'tool-approval-response': { approvalId: 'a', approved: true },
  };
  const outputs: Samples<Types<ToolResultPart['output']>> = {
    text: { value: 'x' },
    json: { value: { x: 1 } },
    content: { value: [{ type: 'text', text: 'x' }] },
    'error-text': { value: 'x' },
    'error-json': { value: { x: 1 } },
    'execution-denied': { reason: 'no' },
  };
  const stepParts: Samples<Types<ContentPart<ToolSet>>> = {
    ...{ text: { text: 'x' }, custom: { kind: 'x.y' }, reasoning: { text: 'x' }, 'reasoning-file': {} },
    file: { file: { mediaType: 'text/plain' } },
    source: { sourceType: 'url', url: 'http://x' },
    'tool-call': call,
    'tool-result': { ...call, output: 'x' },
    'tool-error': { ...call, error: { message: 'x' } },
    'tool-approval-request': { approvalId: 'a', toolCall: call },
    'tool-approval-response': { approvalId: 'a', approved: true },
  };
  const pageParts: Samples<Types<UIMessagePart<UIDataTypes, UITools>>> = {
    text: { text: 'x' },
    reasoning: { text: 'x' },
    'reasoning-file': { mediaType: 'text/plain', url: 'data:' },
    custom: { kind: 'x.y' },
    'dynamic-tool': { ...call, state: 'input-available' },
    'source-url': { url: 'http://x' },
    'source-document': { title: 'x' },
    'steering-message': { parts: [{ type: 'text', text: 'x' }] },
    'step-start': {},
    file: { mediaType: 'text/plain', url: 'data:' },
    'tool-look': { toolCallId: 'c1', state: 'input-available', input: {} },
    'data-x': { data: {} },
  };

  test('messages of every role and parts of every type', () => {
    for (const [role, message] of Object.entries(roles)) expect(readAll([{ role, ...message }])).toHaveLength(1);
    const inMessage = (role: string) => (part: object) => [{ role, content: [part] }];
    expect(readParts(userParts, inMessage('user'))).toHaveLength(3);
    expect(readParts(assistantParts, inMessage('assistant'))).toHaveLength(8);
    expect(readParts(toolParts, inMessage('tool'))).toHaveLength(2);
    const result = (output: object) => [{ role: 'tool', content: [{ type: 'tool-result', ...call, output }] }];
    expect(readParts(outputs, result).map(([, [message]]) => message?.role)).toEqual(Array(6).fill('tool_result'));
    expect(readParts(pageParts, (part) => [{ role: 'assistant', parts: [part] }])).toHaveLength(12);
    for (const [type, part] of Object.entries(stepParts)) {
      const steps = [
        {
          content: [
            { type: 'text', text: 'x' },
            { type, ...part },
          ],
        },
      ];
      expect(readReply({ steps }, 'call')?.conversation.messages.length, type).toBeGreaterThan(0);
    }
  });

  const streamParts: Samples<Types<TextStreamPart<ToolSet>>> = {
    ...stepParts,
    ...{ 'text-start': { id: 't' }, 'text-delta': { id: 't', text: 'x' }, 'text-end': { id: 't' } },
    ...{ 'reasoning-start': { id: 'r' }, 'reasoning-delta': { id: 'r', text: 'x' }, 'reasoning-end': { id: 'r' } },
    ...{ 'tool-input-start': {}, 'tool-input-delta': {}, 'tool-input-end': {}, 'tool-output-denied': call },
    ...{ start: {}, 'start-step': {}, 'finish-step': { usage: {} }, finish: {}, ping: {}, raw: { rawValue: 1 } },
    'steering-message': {},
    ...{ abort: {}, error: { error: { message: 'x' } } },
  };
  const pageChunks: Samples<Types<UIMessageChunk>> = {
    ...{ 'text-start': { id: 't' }, 'text-delta': { id: 't', delta: 'x' }, 'text-end': { id: 't' } },
    ...{ 'reasoning-start': { id: 'r' }, 'reasoning-delta': { id: 'r', delta: 'x' }, 'reasoning-end': { id: 'r' } },
    ...{ 'tool-input-start': {}, 'tool-input-delta': {}, 'tool-input-available': call },
    'tool-input-error': { ...call, errorText: 'x' },
    'tool-output-available': { toolCallId: 'c1', output: 'x' },
    'tool-output-error': { toolCallId: 'c1', errorText: 'x' },
    'tool-output-denied': { toolCallId: 'c1' },
    ...{ 'tool-approval-request': {}, 'tool-approval-response': {}, 'message-metadata': {}, 'steering-message': {} },
    ...{ 'source-url': { url: 'http://x' }, 'source-document': { title: 'x' }, 'reset-step': {} },
    ...{ custom: { kind: 'x.y' }, file: { mediaType: 'text/plain' }, 'reasoning-file': {}, 'data-x': { data: 1 } },
    ...{ start: {}, 'start-step': {}, 'finish-step': {}, finish: {}, abort: {}, error: { errorText: 'x' } },
  };

  test.each([
    ['fullStream', streamParts],
    ['the stream of a page', pageChunks],
  ])('chunks of every type of %s', (_, chunks) => readChunks(chunks, ['abort', 'error']));
});

/** Each chunk between the beginning of an answer and its end. */
function readChunks(chunks: Record<string, object>, ends: readonly string[], wrap = (chunk: object): object => chunk) {
  const text = { id: 't', text: 'x', delta: 'x' };
  for (const [type, chunk] of Object.entries(chunks)) {
    const stream = [wrap({ type: 'text-delta', ...text }), wrap({ ...chunk, type }), wrap({ type: 'finish' })];
    if (ends.includes(type)) expect(() => streamReply(stream, { isPartial: false }), type).toThrow();
    else {
      const read = readReply(streamReply(stream, { isPartial: false }), 'call');
      expect(read?.conversation.messages.length, type).toBeGreaterThan(0);
    }
  }
}

test('@mastra/core: chunks of every type', () => {
  const chunks: Samples<AgentChunkType['type']> = {
    ...{ 'text-start': { id: 't' }, 'text-delta': { id: 't', text: 'x' }, 'text-end': { id: 't' } },
    ...{
      'reasoning-start': {},
      'reasoning-delta': { id: 'r', text: 'x' },
      'reasoning-end': {},
      'reasoning-signature': {},
    },
    ...{ 'redacted-reasoning': {}, 'reasoning-file': {}, 'response-metadata': {}, raw: {}, watch: {}, goal: {} },
    ...{ source: { url: 'http://x' }, file: { mimeType: 'text/plain' }, custom: { kind: 'x' } },
    'tool-call': { toolCallId: 'c1', toolName: 'look', args: {} },
    'tool-result': { toolCallId: 'c1', toolName: 'look', result: 'x' },
    'tool-error': { toolCallId: 'c1', toolName: 'look', error: { message: 'x' } },
    ...{ 'tool-output': {}, 'tool-output-denied': call, 'tool-call-approval': {}, 'tool-call-suspended': {} },
    ...{ 'tool-call-input-streaming-start': {}, 'tool-call-delta': {}, 'tool-call-input-streaming-end': {} },
    ...{ start: {}, 'step-start': {}, 'step-output': {}, finish: {}, object: {}, 'object-result': {} },
    'step-finish': { output: { usage: {} }, stepResult: { reason: 'stop' } },
    ...{ 'background-task-started': {}, 'background-task-running': {}, 'background-task-progress': {} },
    ...{ 'background-task-output': {}, 'background-task-completed': {}, 'background-task-failed': {} },
    ...{ 'background-task-cancelled': {}, 'background-task-suspended': {}, 'background-task-resumed': {} },
    'is-task-complete': {},
    ...{ tripwire: { reason: 'x' }, abort: {}, error: { error: { message: 'x' } } },
  };
  readChunks(chunks, ['abort', 'error', 'tripwire'], ({ type, ...payload }: { type?: string }) => ({
    ...{ type, payload, runId: 'r', from: 'AGENT' },
  }));
});

describe('@openai/agents and the Responses API', () => {
  const made = { callId: 'c1', call_id: 'c1', name: 'look' };
  const input: Samples<Types<AgentInputItem>> = {
    message: { role: 'assistant', content: [{ type: 'output_text', text: 'x' }] },
    reasoning: { content: [{ type: 'input_text', text: 'x' }] },
    compaction: {},
    unknown: { providerData: { type: 'new' } },
    function_call: { ...made, arguments: '{}' },
    function_call_result: { ...made, output: 'x' },
    hosted_tool_call: { ...made, arguments: '{}' },
    computer_call: { ...made, action: { type: 'screenshot' } },
    computer_call_result: { ...made, output: { type: 'computer_screenshot', data: 'data:' } },
    shell_call: { ...made, action: {} },
    shell_call_output: { ...made, output: [] },
    apply_patch_call: { ...made, operation: {} },
    apply_patch_call_output: { ...made, output: 'x' },
    tool_search_call: { ...made, arguments: {} },
    tool_search_output: { ...made, tools: [] },
    program: { ...made, code: 'x' },
    program_output: { ...made, result: 'x' },
  };
  /** A reference stands for an item that is not there, so it is refused. */
  type ResponsesType = Types<OpenAI.Responses.ResponseInputItem> | OpenAI.Responses.ResponseOutputItem['type'];
  const responses: Samples<Exclude<ResponsesType, 'item_reference'>> = {
    ...input,
    function_call_output: { ...made, output: 'x' },
    computer_call_output: { ...made, output: {} },
    local_shell_call: { ...made, action: {} },
    local_shell_call_output: { ...made, output: 'x' },
    custom_tool_call: { ...made, input: 'x' },
    custom_tool_call_output: { ...made, output: 'x' },
    ...{ web_search_call: {}, file_search_call: {}, code_interpreter_call: {}, image_generation_call: {} },
    mcp_call: { ...made, arguments: '{}' },
    ...{ mcp_list_tools: {}, mcp_approval_request: {}, mcp_approval_response: {} },
    ...{ additional_tools: {}, configuration_update: {}, compaction_trigger: {} },
  };
  const runItems: Samples<RunItem['type']> = {
    input_item: { rawItem: { role: 'user', content: 'x' } },
    message_output_item: { rawItem: { ...input.message, type: 'message' } },
    reasoning_item: { rawItem: { ...input.reasoning, type: 'reasoning' } },
    compaction_item: { rawItem: { type: 'compaction' } },
    tool_call_item: { rawItem: { ...input.function_call, type: 'function_call' } },
    tool_call_output_item: { rawItem: { ...input.function_call_result, type: 'function_call_result' } },
    tool_search_call_item: { rawItem: { ...input.tool_search_call, type: 'tool_search_call' } },
    tool_search_output_item: { rawItem: { ...input.tool_search_output, type: 'tool_search_output' } },
    handoff_call_item: { rawItem: { ...input.function_call, type: 'function_call' } },
    handoff_output_item: { rawItem: { ...input.function_call_result, type: 'function_call_result' } },
    tool_approval_item: { rawItem: { ...input.function_call, type: 'function_call' } },
  };
  const events: Samples<RunStreamEvent['type']> = {
    raw_model_stream_event: { data: { type: 'response_done', response: { output: [], usage: {} } } },
    run_item_stream_event: { item: { ...runItems.message_output_item, type: 'message_output_item' } },
    agent_updated_stream_event: { agent: { name: 'x' } },
  };
  /** Any other event would be taken for a message. */
  const others: Exclude<OpenAI.Responses.ResponseStreamEvent['type'], `response.${string}` | 'error'>[] = [];

  test('items and events of every type', () => {
    expect(readParts(input, (item) => [item])).toHaveLength(17);
    expect(readParts(responses, (item) => [item]).length).toBeGreaterThan(30);
    expect(readParts(runItems, (item) => [item])).toHaveLength(11);
    const stream = Object.entries(events).map(([type, event]) => ({ type, ...event }));
    expect(readReply(streamReply(stream, { isPartial: false }), 'call')?.conversation.messages).toHaveLength(1);
    expect(others).toEqual([]);
  });
});

test('openai: chat messages of every role and parts of every type', () => {
  const roles: Record<OpenAI.ChatCompletionMessageParam['role'], object> = {
    ...{ system: {}, developer: {}, user: {}, assistant: {}, tool: { tool_call_id: 'c1' }, function: { name: 'look' } },
  };
  const parts: Samples<OpenAI.ChatCompletionContentPart['type']> = {
    text: { text: 'x' },
    image_url: { image_url: { url: 'data:' } },
    input_audio: { input_audio: {} },
    file: { file: { filename: 'x.pdf' } },
  };
  for (const [role, fields] of Object.entries(roles))
    expect(readAll([{ role, content: 'x', ...fields }])).toHaveLength(1);
  expect(readParts(parts, (part) => [{ role: 'user', content: [part] }])).toHaveLength(4);
});

test('anthropic: blocks, events and deltas of every type', () => {
  const result = { tool_use_id: 'c1', content: [] };
  const use = { id: 'c1', name: 'look', input: {} };
  type Block = Anthropic.Beta.BetaContentBlock | Anthropic.Beta.BetaContentBlockParam | Anthropic.ContentBlockParam;
  const blocks: Samples<Block['type']> = {
    ...{ text: { text: 'x' }, thinking: { thinking: 'x' }, redacted_thinking: {}, compaction: {}, fallback: {} },
    ...{ tool_use: use, server_tool_use: use, mcp_tool_use: use, mcp_tool_listing: {} },
    ...{ tool_result: result, mcp_tool_result: result, advisor_tool_result: result, tool_search_tool_result: result },
    ...{ web_search_tool_result: result, web_fetch_tool_result: result, code_execution_tool_result: result },
    ...{ bash_code_execution_tool_result: result, text_editor_code_execution_tool_result: result },
    ...{ image: {}, document: {}, container_upload: {}, search_result: { title: 'x', content: [] } },
    ...{ tool_addition: {}, tool_removal: {} },
  };
  expect(readParts(blocks, (block) => [{ role: 'assistant', content: [block] }])).toHaveLength(24);
  const deltas: Samples<Anthropic.Beta.BetaRawContentBlockDelta['type']> = {
    text_delta: { text: 'x' },
    thinking_delta: { thinking: 'x' },
    input_json_delta: { partial_json: '{}' },
    signature_delta: { signature: 'x' },
    citations_delta: { citation: {} },
    compaction_delta: { content: 'x' },
  };
  const events: Samples<Anthropic.Beta.BetaRawMessageStreamEvent['type']> = {
    message_start: { message: { role: 'assistant', content: [], usage: {} } },
    content_block_start: { index: 0, content_block: { type: 'text', text: '' } },
    content_block_delta: { index: 0, delta: { type: 'text_delta', text: 'x' } },
    content_block_stop: { index: 0 },
    message_delta: { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } },
    message_stop: {},
  };
  const order: object[] = Object.entries(events).map(([type, event]) => ({ type, ...event }));
  for (const [type, delta] of Object.entries(deltas)) {
    const stream = order.toSpliced(3, 0, { type: 'content_block_delta', index: 0, delta: { type, ...delta } });
    expect(readReply(streamReply(stream, { isPartial: false }), 'call')?.conversation.messages, type).toHaveLength(1);
  }
});

test('@langchain/core: messages and blocks of every type', () => {
  const types: Record<Exclude<MessageType, 'remove' | 'generic'>, object> = {
    ...{ human: {}, ai: {}, system: {}, developer: {}, tool: { tool_call_id: 'c1' }, function: { name: 'look' } },
  };
  const made = { id: 'c1', name: 'look', args: {} };
  const blocks: Samples<LangChainBlock.Standard['type']> = {
    ...{ text: { text: 'x' }, reasoning: { reasoning: 'x' }, 'text-plain': {}, non_standard: { value: {} } },
    ...{ image: {}, audio: {}, video: {}, file: { mimeType: 'text/plain' } },
    ...{ tool_call: made, server_tool_call: made, tool_call_chunk: {}, server_tool_call_chunk: {} },
    invalid_tool_call: { id: 'c1', name: 'look', args: '{' },
    server_tool_call_result: { toolCallId: 'c1', status: 'success', output: 'x' },
  };
  for (const [type, fields] of Object.entries(types))
    expect(readAll([{ type, content: 'x', ...fields }])).toHaveLength(1);
  expect(readParts(blocks, (block) => [{ type: 'ai', content: [block] }])).toHaveLength(14);
});

test('@google/genai: parts with every field', () => {
  /** Fields that say something about the part beside what it is. */
  type Besides =
    | 'thought'
    | 'thoughtSignature'
    | 'mediaResolution'
    | 'videoMetadata'
    | 'partMetadata'
    | 'mediaProcessing'
    | 'speechMetadata';
  const parts: Record<Exclude<keyof Part, Besides>, unknown> = {
    text: 'x',
    inlineData: { mimeType: 'image/png' },
    fileData: { mimeType: 'image/png' },
    functionCall: { name: 'look', args: {} },
    functionResponse: { name: 'look', response: {} },
    executableCode: { code: 'x' },
    codeExecutionResult: { outcome: 'OUTCOME_OK', output: 'x' },
    toolCall: { id: 'c1', toolType: 'GOOGLE_SEARCH', args: {} },
    toolResponse: { id: 'c1', toolType: 'GOOGLE_SEARCH', response: {} },
    audioTranscription: { text: 'x' },
  };
  for (const [field, value] of Object.entries(parts)) {
    expect(readAll([{ role: 'model', parts: [{ [field]: value }] }]).length, field).toBeGreaterThan(0);
  }
});

test('Bedrock: blocks, results and events with every field', () => {
  const blocks: Record<Exclude<Keys<ContentBlock>, '$unknown'>, unknown> = {
    text: 'x',
    toolUse: { toolUseId: 'c1', name: 'look', input: {} },
    toolResult: { toolUseId: 'c1', content: [] },
    reasoningContent: { reasoningText: { text: 'x' } },
    ...{ image: {}, audio: {}, video: {}, document: { name: 'x' } },
    guardContent: { text: { text: 'x' } },
    citationsContent: { content: [{ text: 'x' }] },
    searchResult: { title: 'x', content: [{ text: 'x' }] },
    ...{ cachePoint: { type: 'default' }, toolAddition: {}, toolRemoval: {} },
  };
  for (const [field, value] of Object.entries(blocks)) {
    expect(readAll([{ role: 'assistant', content: [{ [field]: value }] }]).length, field).toBeGreaterThan(0);
  }
  const results: Record<Exclude<Keys<ToolResultContentBlock>, '$unknown'>, unknown> = {
    ...{ text: 'x', json: { x: 1 }, image: {}, video: {}, document: {}, searchResult: {} },
  };
  for (const [field, value] of Object.entries(results)) {
    const [message] = readAll([
      { role: 'user', content: [{ toolResult: { toolUseId: 'c1', content: [{ [field]: value }] } }] },
    ]);
    expect(message?.content, field).not.toBe('');
  }
  const events: Record<Exclude<Keys<ConverseStreamOutput>, '$unknown' | `${string}Exception`>, object> = {
    messageStart: { role: 'assistant' },
    contentBlockStart: { contentBlockIndex: 0, start: {} },
    contentBlockDelta: { contentBlockIndex: 0, delta: { text: 'x' } },
    contentBlockStop: { contentBlockIndex: 0 },
    messageStop: { stopReason: 'end_turn' },
    metadata: { usage: { inputTokens: 1, outputTokens: 2 }, metrics: { latencyMs: 5 } },
  };
  const stream = Object.entries(events).map(([name, event]) => ({ [name]: event }));
  expect(readReply(streamReply(stream, { isPartial: false }), 'call')?.conversation.messages).toEqual([
    {
      role: 'assistant',
      content: 'x',
      tool_calls: [],
      step: { input_tokens: 1, output_tokens: 2, latency_seconds: 0.005 },
    },
  ]);
});
