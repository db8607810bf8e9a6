import { describe, expect, it } from 'vitest';
import { baseUrlVariables, modelTarget, placeholderKeys } from './model-target.ts';

const OWN = {
  OPENAI_BASE_URL: 'http://gateway/openai/v1/',
  ANTHROPIC_BASE_URL: 'http://gateway/anthropic/v1',
  GOOGLE_GEMINI_BASE_URL: 'http://gateway/gemini',
};

describe('where a request of an agent goes', () => {
  it.each([
    ['/v1/chat/completions', {}, 'chat', 'https://api.openai.com/v1/chat/completions'],
    ['/v1/responses', {}, 'responses', 'https://api.openai.com/v1/responses'],
    ['/v1/embeddings', {}, null, 'https://api.openai.com/v1/embeddings'],
    ['/v1/messages?beta=true', {}, 'messages', 'https://api.anthropic.com/v1/messages?beta=true'],
    // The AI SDK expects the version in the base URL.
    ['/messages', {}, 'messages', 'https://api.anthropic.com/v1/messages'],
    ['/v1/models', { 'anthropic-version': '2023-06-01' }, null, 'https://api.anthropic.com/v1/models'],
    [
      '/v1beta/models/gemini-2.5-flash:generateContent',
      {},
      'gemini',
      'https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash:generateContent',
    ],
    [
      '/v1/models/a:streamGenerateContent?alt=sse',
      {},
      'gemini',
      'https://generativelanguage.googleapis.com/v1/models/a:streamGenerateContent?alt=sse',
    ],
    ['/v1//evil.example/x', {}, null, 'https://api.openai.com/v1//evil.example/x'],
    ['//evil.example/v1/chat/completions', {}, 'chat', 'https://api.openai.com/v1/v1/chat/completions'],
    ['http://evil.example/v1/messages', {}, 'messages', 'https://api.anthropic.com/v1/messages'],
  ])('%s is sent to its provider', (path, headers, api, url) => {
    const target = modelTarget(path, headers, {});
    expect(target.api).toBe(api);
    expect(target.url.origin).toBe(new URL(url).origin);
    if (!path.startsWith('//')) expect(target.url.href).toBe(url);
  });

  it.each([
    ['/v1/chat/completions', 'http://gateway/openai/v1/chat/completions'],
    ['/v1/messages', 'http://gateway/anthropic/v1/messages'],
    ['/v1beta/models/a:generateContent', 'http://gateway/gemini/v1beta/models/a:generateContent'],
  ])("%s is sent to the user's own address, if there is one", (path, url) => {
    expect(modelTarget(path, {}, OWN).url.href).toBe(url);
  });

  it('is told to the agent by a variable of each SDK', () => {
    expect(baseUrlVariables('http://127.0.0.1:8787', {})).toEqual({
      OPENAI_BASE_URL: 'http://127.0.0.1:8787/v1',
      ANTHROPIC_BASE_URL: 'http://127.0.0.1:8787',
      GOOGLE_GEMINI_BASE_URL: 'http://127.0.0.1:8787',
    });
  });
});

describe('Azure OpenAI', () => {
  const env = { AZURE_OPENAI_ENDPOINT: 'https://shop.openai.azure.com/' };
  const variables = (more: Record<string, string>) => baseUrlVariables('http://127.0.0.1:1', { ...env, ...more });

  it.each([
    ['/openai/deployments/gpt%204o/chat/completions?api-version=1', 'chat', 'gpt 4o'],
    // The SDK for JavaScript, if it was given the base URL of OpenAI.
    ['/v1/deployments/gpt%204o/chat/completions?api-version=1', 'chat', 'gpt 4o'],
    ['/openai/responses?api-version=1', 'responses', null],
    ['/openai/v1/responses', 'responses', null],
  ])('%s is sent to the resource', (path, api, model) => {
    const rest = path.replace(/^\/v1/, '/openai');
    const target = modelTarget(path, { 'api-key': 'k' }, env);
    expect(target).toMatchObject({ provider: 'azure', api, model, problem: null });
    expect(target.url.href).toBe(`https://shop.openai.azure.com${rest}`);
  });

  it('has its variable only if the environment has it, and then none of OpenAI unless that is used, too', () => {
    expect(variables({})).toMatchObject({ AZURE_OPENAI_ENDPOINT: 'http://127.0.0.1:1' });
    expect(variables({})).not.toHaveProperty('OPENAI_BASE_URL');
    expect(variables({ OPENAI_API_KEY: 'k' })).toHaveProperty('OPENAI_BASE_URL');
    expect(Object.keys(placeholderKeys(env))).toContain('AZURE_OPENAI_API_KEY');
  });

  it.each([
    [{}, 'AZURE_OPENAI_ENDPOINT is not set'],
    [{ AZURE_OPENAI_ENDPOINT: 'shop' }, 'AZURE_OPENAI_ENDPOINT is not a URL'],
  ])('is not called with %j, and the problem says why', (own, words) => {
    expect(modelTarget('/openai/responses', {}, own)).toMatchObject({ problem: expect.stringContaining(words) });
  });
});

it.each([
  ['/model/anthropic.claude/converse', {}],
  ['/v1/chat/completions', { authorization: 'AWS4-HMAC-SHA256 Credential=A/20261117/eu-west-1/bedrock/aws4_request' }],
])('%s of Bedrock is sent to nobody, least of all to another provider', (path, headers) => {
  const { url, problem } = modelTarget(path, headers, OWN);
  expect(url.host).toBe('unknown.invalid');
  expect(problem).toContain('signed');
});

describe('the keys for a replay', () => {
  it('are placeholders for each provider of which the environment has none', () => {
    const names = (env: Record<string, string>) => Object.keys(placeholderKeys(env));
    const google = ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'];
    expect(names({ OPENAI_API_KEY: '' })).toEqual(['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', ...google]);
    expect(names({ OPENAI_API_KEY: 'sk', GOOGLE_API_KEY: 'k' })).toEqual(['ANTHROPIC_API_KEY']);
  });
});
