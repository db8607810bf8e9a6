import { utimes } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { projectFixture } from '../../../../test/project-fixture.ts';
import type { AdapterContext } from './adapter-factory.ts';
import { adapterFingerprint } from './adapter-fingerprint.ts';
import type { AdapterOptions } from './adapter-options-schema.ts';
import { registerAdapter } from './registered-adapters.ts';

const of = (options: AdapterOptions, changes: Partial<AdapterContext> = {}) =>
  adapterFingerprint('mine', { root: '/', adapters: { mine: options }, env: {}, ...changes });

test('adapters that ask the same models have the same fingerprint, whatever their names', () => {
  const context = { root: '/', adapters: { mine: { type: 'openai' } as const }, env: { OPENAI_API_KEY: 'x' } };
  expect(adapterFingerprint('mine', context)).toBe(adapterFingerprint('openai', context));
  expect(adapterFingerprint('openai', context)).not.toBe(adapterFingerprint('anthropic', context));
});

test('limits and keys do not change the fingerprint', () => {
  const plain = of({ type: 'openai' });
  const limited = { max_concurrency: 1, requests_per_minute: 2, timeout_seconds: 3, api_key_env: 'OTHER' };
  expect(of({ type: 'openai', ...limited })).toBe(plain);
});

test.each<[string, AdapterOptions, Partial<AdapterContext>]>([
  ['the address', { type: 'openai', base_url: 'http://localhost:1234/v1' }, {}],
  ['the address in the environment', { type: 'openai' }, { env: { OPENAI_BASE_URL: 'http://localhost:1234/v1' } }],
  ['a header', { type: 'openai', headers: { 'x-deployment': 'b' } }, {}],
])('%s changes it', (_, options, context) => {
  expect(of(options, context)).not.toBe(of({ type: 'openai' }));
});

test('for the AI SDK, the package and its export count', () => {
  const google = of({ type: 'ai-sdk', package: '@ai-sdk/google' });
  expect(of({ type: 'ai-sdk', package: '@ai-sdk/mistral' })).not.toBe(google);
  expect(of({ type: 'ai-sdk', package: '@ai-sdk/google', export: 'createVertex' })).not.toBe(google);
});

test('for a model file, its size and time count', async () => {
  await using folder = await projectFixture({ 'm.gguf': 'one' });
  const now = () => of({ type: 'llama', model_path: 'm.gguf' }, { root: folder.root });
  const before = now();
  expect(now()).toBe(before);
  await folder.write('m.gguf', 'two');
  await utimes(folder.path('m.gguf'), 1, 1);
  expect(now()).not.toBe(before);
  expect(of({ type: 'llama', model_path: 'gone.gguf' }, { root: folder.root })).not.toBe(before);
});

test('no value from the environment is in it', () => {
  const headers = { authorization: `Bearer \${TOKEN}` };
  const fingerprint = of({ type: 'openai', headers }, { env: { TOKEN: 'secret-1', OPENAI_API_KEY: 'secret-2' } });
  expect(fingerprint).not.toMatch(/secret-/);
});

test.each<[string, AdapterOptions]>([
  ['a script', { type: 'scripted', script: [] }],
  ['a program', { type: 'exec', command: 'x' }],
  ['a server', { type: 'http', url: 'http://localhost/' }],
  ['a module', { type: 'module', path: './x.ts' }],
])('%s has none: what is behind it can change at any time', (_, options) => {
  expect(of(options)).toBeNull();
});

test('an adapter registered in code has none, not even under a known name', () => {
  registerAdapter('fingerprint-test', () => ({ providerName: () => 'x', sendTurn: () => Promise.reject(new Error()) }));
  expect(adapterFingerprint('fingerprint-test', { root: '/', adapters: {}, env: {} })).toBeNull();
  expect(adapterFingerprint('no-such-adapter', { root: '/', adapters: {}, env: {} })).toBeNull();
});
