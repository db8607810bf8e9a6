import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('every promise of SECURITY.md names a test that exists', () => {
  const text = readFileSync('SECURITY.md', 'utf8');
  const promises =
    text
      .split('## Promises')[1]
      ?.split('\n## ')[0]
      ?.match(/^\| [A-Z].*\|$/gm) ?? [];
  expect(promises.length).toBeGreaterThan(10);
  for (const promise of promises) {
    const files = [...promise.matchAll(/`((?:src|test|scripts)\/[^`]+)`/g)].map(([, file = '']) => file);
    expect(files, promise).not.toEqual([]);
    expect(
      files.filter((file) => !existsSync(file)),
      promise,
    ).toEqual([]);
  }
});
