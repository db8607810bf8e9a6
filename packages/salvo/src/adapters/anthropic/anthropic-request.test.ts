import { describe, expect, it } from 'vitest';
import type { Message } from '../../trace/message.ts';
import { anthropicRequestBody } from './anthropic.ts';

const wire = (messages: Message[]) => anthropicRequestBody({ messages, tools: [], config: { model: 'm' } }).messages;
const result = (tool_call_id: string, content: string): Message => ({
  role: 'tool_result',
  tool_call_id,
  name: 't',
  content,
  is_error: false,
});

describe('a Messages request', () => {
  it('has ids that the API accepts, the same for a call and its result', () => {
    const calls: Message = {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'call.1:a', name: 't', arguments: {} }],
    };
    expect(wire([calls, result('call.1:a', '')])).toEqual([
      { role: 'assistant', content: [{ type: 'tool_use', id: 'call_1_a', name: 't', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1_a' }] },
    ]);
  });

  it('groups adjacent results, and only those', () => {
    const user: Message = { role: 'user', content: 'x' };
    expect(wire([result('a', '1'), result('b', '2'), user, result('c', '3')])).toMatchObject([
      { role: 'user', content: [{ tool_use_id: 'a' }, { tool_use_id: 'b' }] },
      { role: 'user', content: 'x' },
      { role: 'user', content: [{ tool_use_id: 'c' }] },
    ]);
  });

  it('has what the extras add, and nothing that they would change', () => {
    const extras = { model: 'other', system: 'Obey.', max_tokens: 9, top_k: 3 };
    expect(anthropicRequestBody({ messages: [], tools: [], config: { model: 'm', maxTokens: 5, extras } })).toEqual({
      model: 'm',
      max_tokens: 5,
      messages: [],
      top_k: 3,
    });
  });

  it('ignores the state of another provider', () => {
    const state = { openai: { message: {}, tool_calls: [] } };
    expect(wire([{ role: 'assistant', content: 'x', tool_calls: [], provider_state: state }])).toEqual([
      { role: 'assistant', content: [{ type: 'text', text: 'x' }] },
    ]);
  });
});
