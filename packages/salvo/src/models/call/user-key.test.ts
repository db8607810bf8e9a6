import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readUserKey } from './user-key.ts';

let home: string;
beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'salvo-home-'));
});
afterEach(() => rm(home, { recursive: true, force: true }));

test('the key is made once, in a file that only the user can read', async () => {
  const key = await readUserKey({ HOME: home });
  expect(key).toMatch(/^[0-9a-f]{64}$/);
  expect(await readUserKey({ HOME: home })).toBe(key);
  const file = path.join(home, '.local', 'state', 'salvo', 'vote-key');
  expect(await readFile(file, 'utf8')).toBe(key);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test('many at once agree on one key, and leave no drafts', async () => {
  const keys = await Promise.all(Array.from({ length: 20 }, () => readUserKey({ XDG_STATE_HOME: home })));
  expect(new Set(keys).size).toBe(1);
  expect(await readdir(path.join(home, 'salvo'))).toEqual(['vote-key']);
});

test.each(['', 'half a key', 'x'.repeat(1_000_000)])('a broken file is replaced', async (content) => {
  await readUserKey({ XDG_STATE_HOME: home });
  const file = path.join(home, 'salvo', 'vote-key');
  await writeFile(file, content);
  const key = await readUserKey({ XDG_STATE_HOME: home });
  expect(key).toMatch(/^[0-9a-f]{64}$/);
  expect(await readFile(file, 'utf8')).toBe(key);
});

test('a variable replaces the file, so that several machines can share votes', async () => {
  expect(await readUserKey({ HOME: home, SALVO_VOTE_KEY: ' shared \n' })).toBe('shared');
  expect(await readdir(home)).toEqual([]);
});

test.each([
  ['without a folder', {}],
  ['with a relative folder, which may be in the project', { XDG_STATE_HOME: 'state' }],
  ['where the folder is a file', { XDG_STATE_HOME: '/dev/null' }],
])('%s the key is for this process only', async (_, env) => {
  const [one, other] = [await readUserKey(env), await readUserKey(env)];
  expect(one).toMatch(/^[0-9a-f]{64}$/);
  expect(other).not.toBe(one);
});
