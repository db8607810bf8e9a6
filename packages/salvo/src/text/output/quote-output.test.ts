import fc from 'fast-check';
import { expect, test } from 'vitest';
import { quoteOutput } from './quote-output.ts';

test('short output is quoted as it is', () => {
  expect(quoteOutput(' line one\n\tline two \n')).toBe('line one\n\tline two');
});

test('of long output the start or the end is kept, and the cut is marked', () => {
  expect(quoteOutput('abcdef', { length: 3 })).toBe('abc...');
  expect(quoteOutput('abcdef', { keep: 'end', length: 3 })).toBe('...def');
});

test('colours are dropped, and other control characters are spelt out', () => {
  expect(quoteOutput('\u001b[31mred\u001b[0m \u001b]0;title\u0007 \u202e')).toBe(
    String.raw`red \u001b]0;title\u0007 \u202e`,
  );
});

test('nothing that controls a terminal is left', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(quoteOutput(text)).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
    }),
  );
});
