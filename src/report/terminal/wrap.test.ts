import fc from 'fast-check';
import { expect, test } from 'vitest';
import { displayWidth, safeBlock } from '../../text/safe-text.ts';
import { wrap } from './wrap.ts';

const anyText = fc.string({ unit: 'grapheme', maxLength: 200 }).map(safeBlock);

test('no line is wider than it may be', () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 2, max: 60 }), (text, width) => {
      const lines = wrap(text, width);
      fc.pre(lines.length > 0);
      for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(width);
    }),
  );
});

test('nothing but blanks is lost or added', () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 2, max: 60 }), (text, width) => {
      expect(wrap(text, width).join('').replaceAll(/\s/g, '')).toBe(text.replaceAll(/\s/g, ''));
    }),
  );
});

test('breaks between words and keeps indentation', () => {
  expect(wrap('the quick brown fox', 10)).toEqual(['the quick', 'brown fox']);
  expect(wrap('  - the quick brown fox', 12)).toEqual(['  - the', '  quick', '  brown fox']);
  expect(wrap('a\n\nb', 10)).toEqual(['a', '', 'b']);
});

test('breaks a word that is longer than a line', () => {
  expect(wrap('abcdefgh ij', 5)).toEqual(['abcde', 'fgh', 'ij']);
});

test('wraps a long line of megabytes', () => {
  expect(wrap('word '.repeat(200_000), 80)).toHaveLength(12_500);
});
