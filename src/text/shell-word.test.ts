import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shellWord } from './shell-word.ts';

test('a plain word stays as it is, others are quoted', () => {
  expect(shellWord('scenarios/refund.yaml')).toBe('scenarios/refund.yaml');
  expect(shellWord('a refund')).toBe("'a refund'");
  expect(shellWord("it's")).toBe("'it'\\''s'");
  expect(shellWord('')).toBe("''");
});

test('a shell reads back every text as one word', () => {
  const texts = fc.sample(
    fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', '').toWellFormed()),
    { numRuns: 200, seed: 1 },
  );
  const script = `printf '%s\\0' ${texts.map(shellWord).join(' ')}`;
  expect(execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1)).toEqual(texts);
});
