import { expect, test } from 'vitest';
import { openResources } from './open-resources.ts';

test('resources are closed in reverse order, each once', async () => {
  const closed: string[] = [];
  const resources = openResources();
  expect(resources.adopt('store', async (name) => void closed.push(name))).toBe('store');
  const project = { [Symbol.asyncDispose]: async () => void closed.push('project') };
  expect(resources.use(project)).toBe(project);
  resources.defer(async () => void closed.push('adapters'));
  await resources[Symbol.asyncDispose]();
  await resources[Symbol.asyncDispose]();
  expect(closed).toEqual(['adapters', 'project', 'store']);
});

test('a resource that fails to close keeps no other open, and its error is thrown', async () => {
  const closed: string[] = [];
  const resources = openResources();
  resources.defer(async () => void closed.push('first'));
  resources.defer(() => Promise.reject(new Error('stuck')));
  await expect(resources[Symbol.asyncDispose]()).rejects.toThrow('stuck');
  expect(closed).toEqual(['first']);
});

test('resources that are kept for a result are closed with it only', async () => {
  const closed: string[] = [];
  let result: AsyncDisposable & { name: string };
  {
    await using resources = openResources();
    resources.defer(async () => void closed.push('store'));
    result = resources.keepFor({ name: 'result' });
  }
  expect([result.name, closed]).toEqual(['result', []]);
  await result[Symbol.asyncDispose]();
  expect(closed).toEqual(['store']);
});
