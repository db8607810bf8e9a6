import { describe, expect, test } from 'vitest';
import type { TapedRequest } from '../../adapters/observe/observation.ts';
import { exchangeRequest } from './exchange-request.ts';

function taped(json: Record<string, unknown> | null, changes: Partial<TapedRequest> = {}): TapedRequest {
  const target = {
    provider: 'openai',
    api: 'chat',
    url: new URL('http://model/v1'),
    model: null,
    problem: null,
  } as const;
  const body = Buffer.from(json === null ? '' : JSON.stringify(json));
  return { target, method: 'POST', path: '/v1/chat/completions', json, body, ...changes };
}

describe('the request of an exchange', () => {
  test('has the system prompt as its first message, and all other settings', () => {
    const json = {
      model: 'm',
      system: 'Be kind.',
      messages: [{ role: 'user', content: 'Hi' }],
      tools: [{ name: 't' }],
    };
    expect(exchangeRequest(taped(json))).toEqual({
      settings: { api: 'openai', method: 'POST', path: '/v1/chat/completions', query: {}, body: { model: 'm' } },
      messages: [{ system: 'Be kind.' }, { role: 'user', content: 'Hi' }],
      tools: [{ name: 't' }],
    });
  });

  test('has neither keys in the query nor who asks', () => {
    const path = '/v1beta/models/g:streamGenerateContent?alt=sse&key=AIza-1&access_token=2';
    const json = { contents: [], metadata: { user_id: 'session 1' }, user: 'ann', prompt_cache_key: 'k' };
    expect(exchangeRequest(taped(json, { path })).settings).toEqual({
      ...{ api: 'openai', method: 'POST', path: '/v1beta/models/g:streamGenerateContent', query: { alt: 'sse' } },
      body: {},
    });
  });

  test.each<[string, (id: string) => object[]]>([
    [
      'chat completions',
      (id: string) => [{ tool_calls: [{ id, function: {} }] }, { role: 'tool', tool_call_id: id, content: 'x' }],
    ],
    [
      'responses',
      (call_id: string) => [
        { type: 'function_call', call_id },
        { type: 'function_call_output', call_id },
      ],
    ],
    [
      'messages',
      (id: string) => [
        { content: [{ type: 'tool_use', id }] },
        { content: [{ type: 'tool_result', tool_use_id: id }] },
      ],
    ],
    ['gemini', (id: string) => [{ parts: [{ functionCall: { id } }] }, { parts: [{ functionResponse: { id } }] }]],
  ])('is the same if only the ids of tool calls differ: %s', (_, messagesOf) => {
    const request = (...ids: string[]) => exchangeRequest(taped({ messages: ids.flatMap(messagesOf) }));
    expect(request('a', 'b')).toEqual(request('c', 'd'));
    expect(JSON.stringify(request('a', 'b'))).toContain('"call 2"');
    expect(request('a', 'b')).not.toEqual(request('a', 'a'));
  });

  test('is another one if an id in the arguments of a tool differs', () => {
    const request = (id: string) =>
      exchangeRequest(
        taped({
          messages: [{ content: [{ type: 'tool_use', id: 'a', input: { id, call_id: id, tool_use_id: id } }] }],
        }),
      );
    expect(request('A-1')).not.toEqual(request('A-2'));
  });

  test('has the hash of an image, not its content', () => {
    const request = (byte: string) => {
      const url = `data:image/png;base64,${byte.repeat(5000)}`;
      return JSON.stringify(exchangeRequest(taped({ messages: [{ content: [{ image_url: { url } }] }] })));
    };
    expect(request('A')).toContain('[FILE sha256 ');
    expect(request('A').length).toBeLessThan(300);
    expect(request('A')).not.toBe(request('B'));
  });

  test('of something else than an object has a hash of its body', () => {
    const hashOf = (text: string) => exchangeRequest(taped(null, { body: Buffer.from(text) })).settings.body_sha256;
    expect(hashOf('[1]')).toMatch(/^[0-9a-f]{64}$/);
    expect(hashOf('[1]')).not.toBe(hashOf('[2]'));
    expect(exchangeRequest(taped(null)).settings).not.toHaveProperty('body_sha256');
    let deep: Record<string, unknown> = {};
    for (let level = 0; level < 198; level += 1) deep = { deep };
    expect(exchangeRequest(taped(deep)).settings).toHaveProperty('body_sha256');
  });

  test.each([
    { messages: [null, 1, 'x', [], { content: 'x', tool_calls: 3, parts: null }] },
    {
      messages: [
        { tool_calls: [null, { id: 7 }], content: [1, { type: 'tool_use' }], parts: [null, { functionCall: 1 }] },
      ],
    },
    { contents: 'x', input: 'Hi', tools: {}, system: null },
  ])('keeps what has another form than expected: %j', (json) => {
    const { settings, messages } = exchangeRequest(taped(json));
    const all = JSON.stringify([settings, messages]);
    for (const [name, value] of Object.entries(json)) expect(all, name).toContain(JSON.stringify(value));
  });
});
