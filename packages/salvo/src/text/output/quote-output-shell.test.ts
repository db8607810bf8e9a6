import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shellQuote } from './quote-output.ts';

test.each([
  ['refund', 'refund'],
  ['run-1/refund/3', 'run-1/refund/3'],
  ['a b', "'a b'"],
  ["it's", `'it'\\''s'`],
  ['$(id)', "'$(id)'"],
  ['', "''"],
])('%j is written %s', (word, quoted) => {
  expect(shellQuote(word)).toBe(quoted);
});

test('a shell reads back what was quoted', () => {
  const words = fc.array(fc.string({ unit: 'grapheme-ascii' }), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(words, (list) => {
      const script = `printf '%s\\0' ${list.map(shellQuote).join(' ')}`;
      expect(execFileSync('sh', ['-c', script], { encoding: 'utf8' })).toBe(list.map((word) => `${word}\0`).join(''));
    }),
    { numRuns: 20 },
  );
});
