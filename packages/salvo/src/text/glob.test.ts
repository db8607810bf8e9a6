import { expect, test } from 'vitest';
import { createGlob } from './glob.ts';

test.each([
  ['a.ts', 'a.ts', true],
  ['a.ts', 'src/a.ts', false],
  ['src', 'src/a/b.ts', true],
  ['src/', 'src/a.ts', true],
  ['./src', 'src/a.ts', true],
  ['src', 'srcs/a.ts', false],
  ['src/*', 'src/a/b.ts', true],
  ['src/**', 'src/a/b.ts', true],
  ['**', 'anything', true],
  ['**/*.ts', 'a.ts', true],
  ['**/*.ts', 'a/b/c.ts', true],
  ['**/*.ts', 'a/b/c.tsx', false],
  ['**/node_modules', 'a/node_modules/b/c.js', true],
  ['test/**/*.snap', 'test/a/b/c.snap', true],
  ['test/**/*.snap', 'src/c.snap', false],
  ['?.md', 'a.md', true],
  ['?.md', 'ab.md', false],
  ['a*b*c', 'a-b-b-c', true],
  ['a*b*c', 'a-b-b-d', false],
  ['*', '.env', true],
  ['[a].ts', '[a].ts', true],
  ['', 'a', false],
])('%s and %s: %s', (pattern, path, expected) => {
  expect(createGlob([pattern])(path)).toBe(expected);
});

test('a hostile pattern is as fast as others', () => {
  const pattern = `${'**/'.repeat(200)}${'a*'.repeat(500)}b`;
  expect(createGlob([pattern])(`${'x/'.repeat(200)}${'a'.repeat(1000)}`)).toBe(false);
});
