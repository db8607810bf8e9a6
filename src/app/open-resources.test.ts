import { expect, test } from 'vitest';
import { openResources } from './open-resources.ts';

test('what was opened last is closed first, each once', async () => {
  const closed: string[] = [];
  const resources = openResources();
  expect(resources.adopt('store', async (name) => void closed.push(name))).toBe('store');
  resources.defer(async () => void closed.push('adapters'));
  await resources[Symbol.asyncDispose]();
  await resources[Symbol.asyncDispose]();
  expect(closed).toEqual(['adapters', 'store']);
});

test('one that cannot be closed keeps none of the others open, and is not kept quiet', async () => {
  const closed: string[] = [];
  const resources = openResources();
  resources.defer(async () => void closed.push('first'));
  resources.defer(() => Promise.reject(new Error('stuck')));
  await expect(resources[Symbol.asyncDispose]()).rejects.toThrow('stuck');
  expect(closed).toEqual(['first']);
});

test('what was handed over is closed by its new owner only', async () => {
  const closed: string[] = [];
  let moved: AsyncDisposable;
  {
    await using resources = openResources();
    resources.defer(async () => void closed.push('store'));
    moved = resources.move();
  }
  expect(closed).toEqual([]);
  await moved[Symbol.asyncDispose]();
  expect(closed).toEqual(['store']);
});
