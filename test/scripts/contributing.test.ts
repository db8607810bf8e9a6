import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const guide = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
const walks = guide
  .slice(guide.indexOf('## The way through the house'), guide.indexOf('## To add an assertion type'))
  .split('\n### ')
  .slice(1)
  .map((walk) => ({
    title: walk.split('\n', 1)[0] ?? '',
    files: [...walk.matchAll(/^\| `([^`]+\.ts)` \|/gm)].map(([, file = '']) => file),
  }));

describe('the way through the house', () => {
  it('has the four walks', () => {
    expect(walks.map(({ title }) => title.split(':', 1)[0])).toEqual([
      '`salvo run`',
      '`salvo score`',
      '`salvo game`',
      '`salvo experiment`',
    ]);
  });

  it.each(walks)('$title: every file exists, and none is visited twice', ({ files }) => {
    expect(files.length).toBeGreaterThan(15);
    expect(files.filter((file) => !existsSync(join(ROOT, 'src', file)))).toEqual([]);
    expect(new Set(files).size).toBe(files.length);
  });
});
