/** The same conversation in every form: a question with an image, thoughts, a call, its result or error, an answer. */
export const MESSAGE_FORMS: Record<string, (result: 'answered' | 'failed') => unknown[]> = {
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
  'Converse of Bedrock': (result) => [
    { role: 'user', content: [{ text: 'What is it?' }, { image: { format: 'png', source: { bytes: '' } } }] },
    {
      role: 'assistant',
      content: [
        { reasoningContent: { reasoningText: { text: 'hm', signature: 's' } } },
        { text: 'Let me look.' },
        { toolUse: { toolUseId: 'c1', name: 'look', input: { at: 'it' } } },
        { cachePoint: { type: 'default' } },
      ],
    },
    {
      role: 'user',
      content: [
        {
          toolResult:
            result === 'answered'
              ? { toolUseId: 'c1', content: [{ text: 'a cat' }], status: 'success' }
              : { toolUseId: 'c1', content: [{ text: 'too dark' }], status: 'error' },
        },
      ],
    },
    { role: 'assistant', content: [{ text: 'A cat.' }] },
  ],
  Strands: (result) => [
    { role: 'user', content: [{ text: 'What is it?' }, { image: { format: 'png' } }], trackingId: 't1' },
    {
      role: 'assistant',
      content: [
        { reasoning: { text: 'hm' } },
        { text: 'Let me look.' },
        { toolUse: { name: 'look', toolUseId: 'c1', input: { at: 'it' } } },
      ],
      trackingId: 't2',
    },
    {
      role: 'user',
      content: [
        {
          toolResult: {
            toolUseId: 'c1',
            status: result === 'answered' ? 'success' : 'error',
            content: [{ text: result === 'answered' ? 'a cat' : 'too dark' }],
          },
        },
      ],
    },
    { role: 'assistant', content: [{ text: 'A cat.' }] },
  ],
  'Pydantic AI': (result) => [
    {
      kind: 'request',
      parts: [{ part_kind: 'user-prompt', content: ['What is it?', { kind: 'image-url', url: 'data:' }] }],
    },
    {
      kind: 'response',
      parts: [
        { part_kind: 'thinking', content: 'hm' },
        { part_kind: 'text', content: 'Let me look.' },
        { part_kind: 'tool-call', tool_name: 'look', args: '{"at":"it"}', tool_call_id: 'c1' },
      ],
    },
    {
      kind: 'request',
      parts: [
        result === 'answered'
          ? { part_kind: 'tool-return', tool_name: 'look', content: 'a cat', tool_call_id: 'c1' }
          : { part_kind: 'retry-prompt', tool_name: 'look', content: 'too dark', tool_call_id: 'c1' },
      ],
    },
    { kind: 'response', parts: [{ part_kind: 'text', content: 'A cat.' }] },
  ],
};
