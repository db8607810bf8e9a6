import fc from 'fast-check';
import { expect, test } from 'vitest';
import { displayWidth, safeBlock } from '../../text/output/safe-text.ts';
import { fewLines, wrap } from './wrap.ts';

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

test('breaks a long name or path at its own parts', () => {
  expect(wrap('src/report/run/terminal-report.ts', 12)).toEqual(['src/report/', 'run/', 'terminal-', 'report.ts']);
});

test('a message is not cut, only the middle of a very long one', () => {
  const message = `"issue_refund" was called 0 times, expected exactly once; its calls: {"order_id":"A-1001","amount":50}`;
  expect(fewLines(message, 30).join(' ')).toMatch(/"amount":50\}$/);
  const long = fewLines(`first ${'word '.repeat(1_000_000)}last`, 60);
  expect(long.length).toBeLessThan(30);
  expect(long.join(' ')).toMatch(/^first .*characters left out.* last$/);
});

test('wraps a long line of megabytes', () => {
  expect(wrap('word '.repeat(200_000), 80)).toHaveLength(12_500);
});

test('what a program printed keeps its first and last lines', () => {
  expect(fewLines('It ended.\n\n  at one\nat two', 40, { lines: true })).toEqual(['It ended.', '  at one', 'at two']);
  const many = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`);
  const shown = fewLines(many.join('\n'), 40, { lines: true });
  expect([shown.length, shown[0], shown[5], shown.at(-1)]).toEqual([12, 'line 1', '…', 'line 30']);
});
