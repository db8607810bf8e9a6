import type {
  SDKAssistantMessage,
  SDKMessage,
  SDKPartialAssistantMessage,
  SDKUserMessage,
} from '@anthropic-ai/claude-agent-sdk';
import { type CompactedEvent, createEvent, type Event, type StructuredEvent } from '@google/adk';
import {
  type AgentStreamEvent,
  AudioBlock,
  CachePointBlock,
  CitationsBlock,
  type ContentBlock,
  type ContentBlockData,
  DocumentBlock,
  type DocumentSourceData,
  GuardContentBlock,
  ImageBlock,
  type ImageSourceData,
  JsonBlock,
  Message,
  type MessageData,
  ReasoningBlock,
  type Role,
  TextBlock,
  ToolResultBlock,
  type ToolResultContent,
  ToolUseBlock,
  VideoBlock,
} from '@strands-agents/sdk';
import { describe, expect, test } from 'vitest';
import { traceFrom } from '../../../packages/salvo/src/index.ts';

// Every member of the SDKs' own unions has a sample here, which is read or refused. If an SDK adds a member, this file
// does not compile until somebody has decided how it is read. The lines after `@ts-expect-error` prove that.

type Keys<Union> = Union extends unknown ? keyof Union : never;
type Added = { type: 'brand-new'; brandNew: object };
/** Checks the names of a sample's fields. */
type Fields<Member> = { [Field in Keys<Member>]?: unknown };

const question = { role: 'user', content: 'What is it?' };
/** What the messages after a question are read as, and the text of each. */
const read = (...messages: object[]) =>
  traceFrom([question, ...messages])
    .messages.slice(1)
    .map(({ role, content }) => `${role}: ${content}`);

describe('@anthropic-ai/claude-agent-sdk', () => {
  type Kind<Member> = Member extends { isReplay: true }
    ? 'replay'
    : Member extends { type: infer Type extends string; subtype: infer Subtype extends string }
      ? `${Type} ${Subtype}`
      : Member extends { type: infer Type extends string }
        ? Type
        : never;
  type Samples<Union> = { [Member in Union as Kind<Member>]: Fields<Member> };

  const message = { id: 'm1', role: 'assistant', model: 'claude-haiku-4-5', content: [{ type: 'text', text: 'x' }] };
  const asked = { role: 'user', content: 'And that?' };
  const failed = { is_error: true, errors: ['no more'], usage: {} };

  const said = {
    assistant: { type: 'assistant', message, parent_tool_use_id: null },
    user: { type: 'user', message: asked, parent_tool_use_id: null },
    replay: { type: 'user', message: asked, isReplay: true, uuid: 'u', session_id: 's' },
  } satisfies Partial<Samples<SDKMessage>>;
  const results = {
    'result success': { type: 'result', subtype: 'success', result: 'x', is_error: false, usage: {} },
    'result error_during_execution': { type: 'result', subtype: 'error_during_execution', ...failed },
    'result error_max_turns': { type: 'result', subtype: 'error_max_turns', ...failed },
    'result error_max_budget_usd': { type: 'result', subtype: 'error_max_budget_usd', ...failed },
    'result error_max_structured_output_retries': {
      type: 'result',
      subtype: 'error_max_structured_output_retries',
      ...failed,
    },
  } satisfies Partial<Samples<SDKMessage>>;
  const notice = { type: 'system', content: 'A notice.' };
  const task = { type: 'system', task_id: 't', description: 'x' };
  const hook = { type: 'system', hook_id: 'h', hook_name: 'x', output: 'x' };
  /** What a program tells about its session, and not what was said. */
  const beside = {
    'system init': { type: 'system', subtype: 'init', model: 'claude-haiku-4-5', tools: [] },
    'system compact_boundary': { type: 'system', subtype: 'compact_boundary', compact_metadata: {} },
    'system status': { type: 'system', subtype: 'status', status: 'compacting' },
    'system api_retry': { type: 'system', subtype: 'api_retry', error: 'overloaded' },
    'system control_request_progress': { type: 'system', subtype: 'control_request_progress', status: 'started' },
    'system model_refusal_fallback': { ...notice, subtype: 'model_refusal_fallback', retracted_message_uuids: [] },
    'system model_refusal_no_fallback': { ...notice, subtype: 'model_refusal_no_fallback', original_model: 'x' },
    'system local_command_output': { ...notice, subtype: 'local_command_output' },
    'system informational': { ...notice, subtype: 'informational', level: 'info' },
    'system hook_started': { ...hook, subtype: 'hook_started' },
    'system hook_progress': { ...hook, subtype: 'hook_progress', stdout: 'x' },
    'system hook_response': { ...hook, subtype: 'hook_response', outcome: 'success' },
    'system plugin_install': { type: 'system', subtype: 'plugin_install', status: 'installed' },
    'system task_notification': { ...task, subtype: 'task_notification', summary: 'x' },
    'system task_started': { ...task, subtype: 'task_started', prompt: 'x' },
    'system task_updated': { ...task, subtype: 'task_updated', patch: {} },
    'system task_progress': { ...task, subtype: 'task_progress', usage: { total_tokens: 1 } },
    'system background_tasks_changed': { type: 'system', subtype: 'background_tasks_changed', tasks: [] },
    'system thinking_tokens': { type: 'system', subtype: 'thinking_tokens', estimated_tokens: 1 },
    'system session_state_changed': { type: 'system', subtype: 'session_state_changed', state: 'idle' },
    'system worker_shutting_down': { type: 'system', subtype: 'worker_shutting_down', reason: 'x' },
    'system commands_changed': { type: 'system', subtype: 'commands_changed', commands: [] },
    'system notification': { type: 'system', subtype: 'notification', text: 'x' },
    'system files_persisted': { type: 'system', subtype: 'files_persisted', files: [] },
    'system memory_recall': { type: 'system', subtype: 'memory_recall', memories: [] },
    'system elicitation_complete': { type: 'system', subtype: 'elicitation_complete', elicitation_id: 'x' },
    'system permission_denied': { type: 'system', subtype: 'permission_denied', message: 'x' },
    'system mirror_error': { type: 'system', subtype: 'mirror_error', error: 'x' },
    'system session_writes_lost': { type: 'system', subtype: 'session_writes_lost', lost: [] },
    stream_event: { type: 'stream_event', event: { type: 'message_start' } },
    tool_progress: { type: 'tool_progress', tool_name: 'look' },
    auth_status: { type: 'auth_status', output: [] },
    tool_use_summary: { type: 'tool_use_summary', summary: 'x' },
    rate_limit_event: { type: 'rate_limit_event', rate_limit_info: {} },
    prompt_suggestion: { type: 'prompt_suggestion', suggestion: 'x' },
    conversation_reset: { type: 'conversation_reset', trigger: 'clear' },
  } satisfies Partial<Samples<SDKMessage>>;

  test('messages of every type and subtype', () => {
    const all = { ...said, ...results, ...beside };
    all satisfies Samples<SDKMessage>;
    // @ts-expect-error a message that the SDK adds has no sample.
    all satisfies Samples<SDKMessage | Added>;
    // @ts-expect-error nor has a subtype.
    all satisfies Samples<SDKMessage | { type: 'system'; subtype: 'brand-new' }>;

    expect(Object.values(said).map((sample) => read(sample))).toEqual([
      ['assistant: x'],
      ['user: And that?'],
      ['user: And that?'],
    ]);
    for (const [kind, sample] of Object.entries(beside)) {
      expect(read(said.assistant, sample, results['result success']), kind).toEqual(['assistant: x']);
    }
    for (const [kind, sample] of Object.entries(results)) {
      const trace = () => traceFrom([question, said.assistant, sample]);
      if (kind === 'result error_during_execution') expect(trace).toThrow('(error_during_execution): no more');
      else expect(trace().finish_reason, kind).toBe(kind === 'result success' ? 'stop' : sample.subtype);
    }
  });

  type Part =
    | SDKAssistantMessage['message']['content'][number]
    | Exclude<SDKUserMessage['message']['content'], string>[number];
  const use = { id: 'c1', name: 'look', input: {} };
  const done = { tool_use_id: 'c1', content: [] };
  const parts: Record<Part['type'], Fields<Part>> = {
    text: { text: 'x' },
    thinking: { thinking: 'x' },
    redacted_thinking: { data: 'x' },
    ...{ tool_use: use, server_tool_use: use, mcp_tool_use: use },
    ...{ tool_result: done, mcp_tool_result: done, advisor_tool_result: done, tool_search_tool_result: done },
    ...{ web_search_tool_result: done, web_fetch_tool_result: done, code_execution_tool_result: done },
    ...{ bash_code_execution_tool_result: done, text_editor_code_execution_tool_result: done },
    ...{ container_upload: { file_id: 'f' }, compaction: { content: 'x' }, fallback: {} },
    mid_conv_system: { content: [{ type: 'text', text: 'Be brief.' }] },
    ...{ image: { source: {} }, document: { source: {} }, search_result: { title: 'x', content: [] } },
  };
  type PieceType = SDKPartialAssistantMessage['event']['type'];
  const pieces: Record<PieceType, object> = {
    ...{ message_start: {}, message_delta: {}, message_stop: {} },
    ...{ content_block_start: {}, content_block_delta: {}, content_block_stop: {} },
  };

  test('parts of every type, and pieces of a stream', () => {
    // @ts-expect-error a part that the SDK adds has no sample.
    parts satisfies Record<Part['type'] | Added['type'], object>;
    // @ts-expect-error nor has a piece.
    pieces satisfies Record<PieceType | Added['type'], object>;

    for (const [type, part] of Object.entries(parts)) {
      const content = [{ type, ...part }];
      const [first] = read({ ...said.assistant, message: { ...message, content } });
      expect(first, type).toBeDefined();
      if (type === 'mid_conv_system') expect(first).toBe('assistant: [system instructions]\nBe brief.');
    }
    for (const [type, piece] of Object.entries(pieces)) {
      const event = { ...beside.stream_event, event: { type, ...piece } };
      expect(read(event, said.assistant), type).toEqual(['assistant: x']);
    }
  });
});

describe('@google/adk', () => {
  const answer = { role: 'model', parts: [{ text: 'x' }] };
  type EventKey = Exclude<keyof Event | keyof CompactedEvent, symbol>;
  /** What an event of an agent with this field only is read as. */
  const fields: Record<EventKey, [value: unknown, read: string[]]> = {
    content: [answer, ['assistant: x']],
    partial: [true, []],
    inputTranscription: [{ text: 'heard', finished: true }, ['user: heard']],
    outputTranscription: [{ text: 'spoken', finished: true }, ['assistant: spoken']],
    output: [{ price: 5 }, ['assistant: {"price":5}']],
    compactedContent: ['A summary.', ['system: A summary.']],
    // Figures of an answer.
    ...{ usageMetadata: [{ promptTokenCount: 1 }, []], modelVersion: ['gemini', []], finishReason: ['STOP', []] },
    // Where and when it happened.
    ...{ id: ['e', []], invocationId: ['i', []], author: ['shop', []], timestamp: [1, []], branch: ['a.b', []] },
    ...{ interactionId: ['i', []], liveSessionId: ['s', []], isolationScope: ['s', []] },
    ...{ startTime: [1, []], endTime: [2, []], isCompacted: [true, []], isScratchpad: [true, []] },
    // What it changed, and how the stream goes on.
    ...{ actions: [{ stateDelta: { a: 1 } }, []], longRunningToolIds: [['c1'], []], route: ['left', []] },
    ...{ nodeInfo: [{ path: 'a' }, []], turnComplete: [true, []], interrupted: [true, []], goAway: [{}, []] },
    ...{ customMetadata: [{ a: 1 }, []], groundingMetadata: [{}, []], citationMetadata: [{}, []] },
    liveSessionResumptionUpdate: [{}, []],
    // An error is thrown.
    ...{ errorCode: ['SAFETY', []], errorMessage: ['Blocked.', []] },
  };

  test('events with every field', () => {
    // @ts-expect-error a field that the SDK adds has no sample.
    fields satisfies Record<EventKey | keyof Added, unknown>;

    const before = createEvent({ author: 'shop', invocationId: 'i', content: answer });
    for (const [field, [value, expected]] of Object.entries(fields)) {
      const events = [before, { ...createEvent({ author: 'shop', invocationId: 'i' }), [field]: value }];
      if (field === 'errorCode') expect(() => read(...events)).toThrow('reports an error (SAFETY): without a message');
      else expect(read(...events), field).toEqual(['assistant: x', ...expected]);
    }
  });

  test('an answer has its model, tokens, end and author; an event may lack the author', () => {
    const usageMetadata = { promptTokenCount: 3, candidatesTokenCount: 2 };
    const event = { modelVersion: 'gemini-2.5-flash', finishReason: 'MAX_TOKENS', usageMetadata, content: answer };
    const trace = traceFrom([question, { ...createEvent({ author: 'shop', invocationId: 'i' }), ...event }]);
    expect(trace).toMatchObject({ model: 'gemini-2.5-flash', finish_reason: 'length', total_tokens: 5 });
    expect(trace.messages.at(-1)).toMatchObject({ agent: 'shop' });
    expect(read(createEvent({ invocationId: 'i', content: answer }))).toEqual(['assistant: x']);
  });

  test('structured events, which are no messages, are refused', () => {
    const types: Record<StructuredEvent['type'], object> = {
      ...{ thought: { content: 'x' }, content: { content: 'x' }, finished: {}, error: { error: {} } },
      ...{ tool_call: { call: { name: 'look' } }, tool_result: { result: { name: 'look' } } },
      ...{ call_code: { code: { code: 'x' } }, code_result: { result: {} } },
      ...{ activity: { kind: 'x', detail: {} }, tool_confirmation: { confirmations: {} } },
    };
    for (const [type, event] of Object.entries(types)) {
      expect(() => read({ type, ...event }), type).toThrow(/messages\[1\]/);
    }
  });
});

describe('@strands-agents/sdk', () => {
  const bytes = new Uint8Array([1, 2, 3]);
  const result = { toolUseId: 'c1', status: 'success' as const };
  const use = { toolUseId: 'c1', name: 'look', input: {} };
  const document = { name: 'd', format: 'txt' as const };
  const citations = { citations: [], content: [{ text: 'x' }] };
  const guarded = { qualifiers: [], text: 'x' };
  /** As they are written, and what each is read as. */
  const blocks: Record<Keys<ContentBlockData>, [block: unknown, read: string]> = {
    text: ['x', 'assistant: x'],
    toolUse: [use, 'assistant: null'],
    toolResult: [{ ...result, content: [{ text: 'x' }] }, 'tool_result: x'],
    reasoning: [{ text: 'x' }, 'assistant: null'],
    cachePoint: [{ cacheType: 'default' }, 'assistant: null'],
    guardContent: [{ text: guarded }, 'assistant: x'],
    audio: [{ format: 'mp3', source: { bytes: '' } }, 'assistant: [audio]'],
    image: [{ format: 'png', source: { bytes: '' } }, 'assistant: [image]'],
    video: [{ format: 'mp4', source: { bytes: '' } }, 'assistant: [video]'],
    document: [{ ...document, source: { text: 'x' } }, 'assistant: [document: d]'],
    citations: [citations, 'assistant: x'],
  };
  /** As an agent has them. */
  const live: { [Type in ContentBlock['type']]: [block: Extract<ContentBlock, { type: Type }>, read: string] } = {
    textBlock: [new TextBlock('x'), 'assistant: x'],
    toolUseBlock: [new ToolUseBlock(use), 'assistant: null'],
    toolResultBlock: [new ToolResultBlock({ ...result, content: [new TextBlock('x')] }), 'tool_result: x'],
    reasoningBlock: [new ReasoningBlock({ text: 'x' }), 'assistant: null'],
    cachePointBlock: [new CachePointBlock({ cacheType: 'default' }), 'assistant: null'],
    guardContentBlock: [new GuardContentBlock({ text: guarded }), 'assistant: x'],
    audioBlock: [new AudioBlock({ format: 'mp3', source: { bytes } }), 'assistant: [audio]'],
    imageBlock: [new ImageBlock({ format: 'png', source: { bytes } }), 'assistant: [image]'],
    videoBlock: [new VideoBlock({ format: 'mp4', source: { bytes } }), 'assistant: [video]'],
    documentBlock: [new DocumentBlock({ ...document, source: { bytes } }), 'assistant: [document: d]'],
    citationsBlock: [new CitationsBlock(citations), 'assistant: x'],
  };
  const resultBlocks: { [Type in ToolResultContent['type']]: [Extract<ToolResultContent, { type: Type }>, string] } = {
    textBlock: [new TextBlock('x'), 'x'],
    jsonBlock: [new JsonBlock({ json: { a: 1 } }), '{"a":1}'],
    imageBlock: [new ImageBlock({ format: 'png', source: { bytes } }), '[image]'],
    videoBlock: [new VideoBlock({ format: 'mp4', source: { bytes } }), '[video]'],
    documentBlock: [new DocumentBlock({ ...document, source: { bytes } }), '[document: d]'],
  };
  const roles: Record<Role, string> = { user: 'user: x', assistant: 'assistant: x' };

  test('messages of every role, blocks of every type, as they are and as they are written', () => {
    // @ts-expect-error a block that the SDK adds has no sample.
    blocks satisfies Record<Keys<ContentBlockData> | 'brandNew', unknown>;
    // @ts-expect-error nor has a class of one.
    live satisfies Record<(ContentBlock | Added)['type'], unknown>;
    // @ts-expect-error nor has a block of a result.
    resultBlocks satisfies Record<(ToolResultContent | Added)['type'], unknown>;

    for (const [field, [block, expected]] of Object.entries(blocks)) {
      expect(read({ role: 'assistant', content: [{ [field]: block }] }), field).toContain(expected);
    }
    for (const [type, [block, expected]] of Object.entries(live)) {
      expect(read(new Message({ role: 'assistant', content: [block] })), type).toContain(expected);
    }
    for (const [type, [block, expected]] of Object.entries(resultBlocks)) {
      const content = [new ToolResultBlock({ ...result, content: [block] })];
      expect(read(new Message({ role: 'user', content })), type).toEqual([`tool_result: ${expected}`]);
    }
    for (const [role, expected] of Object.entries(roles)) {
      expect(read({ role, content: [{ text: 'x' }] })).toEqual([expected]);
    }
  });

  test('media of every source', () => {
    const location = { type: 's3', uri: 's3://bucket/x' };
    const images: Record<Keys<ImageSourceData>, unknown> = { bytes: '', location, url: 'https://example.com/x.png' };
    const documents: Record<Keys<DocumentSourceData>, unknown> = {
      ...{ bytes: '', location, text: 'x', content: [{ text: 'x' }] },
    };
    for (const [kind, source] of Object.entries(images)) {
      const image = { format: 'png', source: { [kind]: source } };
      expect(read({ role: 'user', content: [{ image }] }), kind).toEqual(['user: [image]']);
    }
    for (const [kind, source] of Object.entries(documents)) {
      const content = [{ document: { ...document, source: { [kind]: source } } }];
      expect(read({ role: 'user', content }), kind).toEqual(['user: [document: d]']);
    }
  });

  test('events of every type: those that add a message are read', async () => {
    const added: MessageData = { role: 'assistant', content: [{ text: 'x' }] };
    const tool = { toolUse: use, tool: { name: 'look' } };
    const events: Record<AgentStreamEvent['type'], object> = {
      messageAddedEvent: { message: added },
      modelMessageEvent: { message: added, stopReason: 'endTurn' },
      modelStreamUpdateEvent: {
        event: { type: 'modelContentBlockDeltaEvent', delta: { type: 'textDelta', text: 'x' } },
      },
      contentBlockEvent: { contentBlock: { text: 'x' } },
      toolStreamUpdateEvent: { event: { type: 'toolStreamEvent', data: 'x' } },
      toolResultEvent: { result: { toolResult: { ...result, content: [] } } },
      ...{ beforeInvocationEvent: {}, afterInvocationEvent: {}, beforeModelCallEvent: {}, afterModelCallEvent: {} },
      ...{ beforeToolsEvent: { message: added }, afterToolsEvent: { message: added } },
      ...{ beforeToolCallEvent: tool, afterToolCallEvent: { ...tool, result: {} } },
      interruptEvent: { interrupt: { id: 'i', name: 'confirm' } },
      agentResultEvent: { result: { stopReason: 'endTurn', lastMessage: added } },
    };
    // @ts-expect-error an event that the SDK adds has no sample.
    events satisfies Record<(AgentStreamEvent | Added)['type'], object>;
    for (const [type, event] of Object.entries(events)) {
      const stream = (async function* () {
        if (type !== 'messageAddedEvent') yield { type, ...event };
        yield { type: 'messageAddedEvent', ...events.messageAddedEvent };
      })();
      const { messages } = await traceFrom(stream);
      expect(messages, type).toMatchObject([{ role: 'assistant', content: 'x' }]);
    }
  });
});
