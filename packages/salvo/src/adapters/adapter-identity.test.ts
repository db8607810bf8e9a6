import { expect, test } from 'vitest';
import { projectFixture } from '../../../../test/project-fixture.ts';
import type { AdapterContext } from './adapter-factory.ts';
import { adapterIdentity } from './adapter-identity.ts';
import type { AdapterOptions } from './adapter-options-schema.ts';
import { registerAdapter } from './registered-adapters.ts';

const of = (options: AdapterOptions, changes: Partial<AdapterContext> = {}) =>
  adapterIdentity('mine', { root: '/', adapters: { mine: options }, env: {}, ...changes });

test.each<[string, AdapterOptions, string]>([
  ['a provider', { type: 'openai' }, 'openai'],
  ['a server', { type: 'openai', base_url: 'http://localhost:1/v1' }, 'openai http://localhost:1/v1'],
  ['an SDK', { type: 'ai-sdk', package: '@ai-sdk/google' }, 'ai-sdk @ai-sdk/google'],
  ['an agent behind a URL', { type: 'http', url: 'http://localhost:1/judge' }, 'http http://localhost:1/judge'],
  ['a program', { type: 'exec', command: ['judge', '--mild'], cwd: 'tools' }, 'exec ["judge","--mild"] in tools'],
])('%s is known by its address', (_, options, identity) => {
  expect(of(options)).toBe(identity);
});

test('the name that a project gives, keys and limits do not matter', () => {
  const context = {
    root: '/',
    adapters: { mine: { type: 'openai', api_key_env: 'K', max_concurrency: 2 } as const },
    env: {},
  };
  expect(adapterIdentity('mine', context)).toBe(adapterIdentity('openai', context));
});

test('the address in the environment and headers matter, and no other value of the environment is in it', () => {
  const plain = of({ type: 'openai' });
  expect(of({ type: 'openai' }, { env: { OPENAI_BASE_URL: 'http://localhost:2/v1' } })).not.toBe(plain);
  const headers = { authorization: `Bearer \${TOKEN}` };
  const identity = of({ type: 'openai', headers }, { env: { TOKEN: 'secret-1', OPENAI_API_KEY: 'secret-2' } });
  expect(identity).not.toBe(plain);
  expect(identity).not.toMatch(/secret-/);
});

test('a module is known by its content, a script by its answers, a model file by its name and size', async () => {
  await using folder = await projectFixture({ 'judge.ts': 'one', 'm.gguf': 'one' });
  const root = { root: folder.root };
  const module = () => of({ type: 'module', path: 'judge.ts' }, root);
  const file = () => of({ type: 'llama', model_path: 'm.gguf' }, root);
  const [before, model] = [module(), file()];
  expect(module()).toBe(before);
  await folder.write('judge.ts', 'two');
  await folder.write('m.gguf', 'three');
  expect(module()).not.toBe(before);
  expect(file()).not.toBe(model);
  expect(of({ type: 'module', path: 'gone.ts' }, root)).toBe('module gone.ts');
  expect(of({ type: 'scripted', script: [{ content: 'a' }] })).not.toBe(
    of({ type: 'scripted', script: [{ content: 'b' }] }),
  );
});

test('of an adapter that is registered in code, only the name is known', () => {
  registerAdapter('identity-test', () => ({ providerName: () => 'x', sendTurn: () => Promise.reject(new Error()) }));
  expect(adapterIdentity('identity-test', { root: '/', adapters: {}, env: {} })).toBe('registered identity-test');
});
