import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutEnd, cutMiddle } from './cut-text.ts';

const anyText = fc.string({ unit: 'grapheme', maxLength: 80 });
const max = fc.integer({ min: 0, max: 60 });

describe('cutEnd', () => {
  it('keeps what is short enough', () => {
    expect(cutEnd('abcde', 5)).toBe('abcde');
  });

  it('shows that there was more', () => {
    expect(cutEnd('abcdef', 5)).toBe('abcde...');
  });

  it('does not cut through a character', () => {
    expect(cutEnd('ab🙂cd', 3)).toBe('ab...');
  });
});

describe('cutMiddle', () => {
  it('keeps what is short enough', () => {
    expect(cutMiddle('abcde', 5)).toBe('abcde');
  });

  it('keeps the beginning and the end, and says how much is missing', () => {
    expect(cutMiddle('abcdefghij', 5)).toBe('abc\n[... 5 characters left out ...]\nij');
  });

  it('can leave out everything', () => {
    expect(cutMiddle('abc', 0)).toBe('\n[... 3 characters left out ...]\n');
  });

  it('does not cut through a character, and keeps no more than it may', () => {
    fc.assert(
      fc.property(anyText, max, (text, length) => {
        const cut = cutMiddle(text, length);
        expect(cut.isWellFormed()).toBe(true);
        fc.pre(text.length > length);
        const [start = '', end = ''] = cut.split(/\n\[\.\.\. \d+ characters left out \.\.\.\]\n/);
        expect(text.startsWith(start) && text.endsWith(end)).toBe(true);
        expect(start.length + end.length).toBeLessThanOrEqual(length);
      }),
    );
  });
});
