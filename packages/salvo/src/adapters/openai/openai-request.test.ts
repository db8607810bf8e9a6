import { describe, expect, it } from 'vitest';
import { openAiRequestBody } from './openai-request.ts';

const OPENAI = 'https://api.openai.com/v1';
const limitFor = (model: string, baseUrl: string, extras = {}) =>
  openAiRequestBody({ messages: [], tools: [], config: { model, maxTokens: 9, extras }, baseUrl });

describe('the limit of tokens', () => {
  it.each(['o1', 'o3-mini', 'o4-mini', 'gpt-5', 'gpt-5-nano-2025-08-07', 'ft:gpt-5:org'])(
    'has its new name for %s at OpenAI',
    (model) => {
      expect(limitFor(model, OPENAI)).toMatchObject({ max_completion_tokens: 9 });
      expect(limitFor(model, 'https://eu.api.openai.com/v1')).not.toHaveProperty('max_tokens');
      expect(limitFor(model, 'https://me.openai.azure.com/openai/v1')).toHaveProperty('max_completion_tokens');
    },
  );

  it('has its old name for other models and for other servers', () => {
    expect(limitFor('gpt-4o', OPENAI)).toMatchObject({ max_tokens: 9 });
    expect(limitFor('gpt-5', 'http://localhost:4000')).toMatchObject({ max_tokens: 9 });
    expect(limitFor('gpt-5', 'https://openai.com.evil.example')).toMatchObject({ max_tokens: 9 });
    expect(limitFor('o1', 'no url')).toMatchObject({ max_tokens: 9 });
  });

  it('is taken from the extras only if the scenario has none', () => {
    const extras = { max_completion_tokens: 5 };
    expect(limitFor('gpt-4o', OPENAI, extras)).toEqual({ model: 'gpt-4o', messages: [], max_tokens: 9 });
    const config = { model: 'gpt-4o', extras };
    expect(openAiRequestBody({ messages: [], tools: [], config, baseUrl: OPENAI })).toEqual({
      model: 'gpt-4o',
      messages: [],
      max_completion_tokens: 5,
    });
  });
});

describe('extras', () => {
  it('add to what Salvo sends, and change none of it', () => {
    const extras = { model: 'gpt-5-pro', messages: [1], tools: [], stream: true, seed: 2, top_p: 0.5 };
    const config = { model: 'gpt-4o-mini', seed: 1, extras };
    expect(openAiRequestBody({ messages: [], tools: [], config, baseUrl: OPENAI })).toEqual({
      model: 'gpt-4o-mini',
      messages: [],
      seed: 1,
      top_p: 0.5,
    });
  });
});

describe('the temperature', () => {
  const temperatureFor = (model: string, baseUrl: string) =>
    openAiRequestBody({ messages: [], tools: [], config: { model, temperature: 0 }, baseUrl });

  it('is left out for the reasoning models of OpenAI, which refuse it', () => {
    for (const model of ['o3-mini', 'gpt-5']) expect(temperatureFor(model, OPENAI)).not.toHaveProperty('temperature');
  });

  it('is sent to all others, 0 included', () => {
    expect(temperatureFor('gpt-4o', OPENAI)).toMatchObject({ temperature: 0 });
    expect(temperatureFor('gpt-5-chat-latest', OPENAI)).toMatchObject({ temperature: 0 });
    expect(temperatureFor('gpt-5', 'http://localhost:4000')).toMatchObject({ temperature: 0 });
  });
});

describe('an assistant message', () => {
  it('has text even when it is empty, and ignores the state of another provider', () => {
    const { messages } = openAiRequestBody({
      messages: [
        { role: 'assistant', content: null, tool_calls: [] },
        {
          role: 'assistant',
          content: 'x',
          tool_calls: [{ id: 'a', name: 't', arguments: { b: 1 } }],
          provider_state: { anthropic: { content: [] } },
        },
      ],
      tools: [],
      config: { model: 'm' },
      baseUrl: OPENAI,
    });
    expect(messages).toEqual([
      { role: 'assistant', content: '' },
      {
        role: 'assistant',
        content: 'x',
        tool_calls: [{ id: 'a', type: 'function', function: { name: 't', arguments: '{"b":1}' } }],
      },
    ]);
  });
});
