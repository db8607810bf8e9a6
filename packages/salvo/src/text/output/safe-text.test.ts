import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HOSTILE_TEXTS } from '../../../../../test/hostile-texts.ts';
import { characters, displayWidth, safeBlock, safeLine, shorten, visibleControls } from './safe-text.ts';

const ACTS_OR_HIDES = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\p{Default_Ignorable_Code_Point}\u2028\u2029\p{Cs}]/u;

const anyText = fc
  .array(fc.oneof(fc.constantFrom(...HOSTILE_TEXTS), fc.string({ unit: 'binary', maxLength: 20 })), { maxLength: 8 })
  .map((parts) => parts.join(''));

describe('safeLine', () => {
  test('nothing in it can act on a terminal, hide, or begin a second line', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const line = safeLine(text);
        expect(line).not.toMatch(ACTS_OR_HIDES);
        expect(line).not.toContain('\n');
      }),
    );
  });

  test('never takes more columns than it may', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 0, max: 40 }), (text, max) => {
        expect(displayWidth(safeLine(text, max))).toBeLessThanOrEqual(max);
      }),
    );
  });

  test('is the text itself when there is nothing wrong with it', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[!-~]+( [!-~]+)*$/), (text) => {
        expect(safeLine(text)).toBe(text);
      }),
    );
  });

  test('colours are removed, any other escape sequence is shown', () => {
    expect(safeLine('\u001b[1;31mred\u001b[0m \u001b[2J\u001b]0;title\u0007')).toBe('red ␛[2J␛]0;title␇');
  });

  test('removing colours cannot create an escape sequence', () => {
    expect(safeLine('\u001b\u001b[0m[31m')).toBe('␛[31m');
  });

  test('line breaks show, whatever kind they are', () => {
    expect(safeLine('a\r\nb\rc\n\n d\u2028e\tf')).toBe('a↵b↵c↵d↵e f');
  });

  test('is cut between what a reader sees as characters', () => {
    expect(safeLine('返金返金', 5)).toBe('返金…');
    expect(safeLine('返金返金', 4)).toBe('返…');
    expect(safeLine('e\u0301e\u0301e\u0301', 2)).toBe('e\u0301…');
    expect(safeLine('abc', 0)).toBe('');
  });

  test('marks stacked on one letter are limited', () => {
    expect(safeLine(`z${'\u0301'.repeat(10_000)}`)).toHaveLength(5);
  });

  test('reads a text of blanks once, however long it is', () => {
    expect(safeLine(`a${' '.repeat(2_000_000)}b`)).toBe('a b');
    expect(safeLine(`a${' '.repeat(1_000_000)}\n${' '.repeat(1_000_000)}b`)).toBe('a↵b');
  });

  test('looks only at the beginning of a huge text', () => {
    expect(safeLine('x'.repeat(10_000_000), 5)).toBe('xxxx…');
    expect(safeLine(`${'\u200b'.repeat(1_000_000)}x`, 5)).toBe('…');
  });
});

describe('safeBlock', () => {
  test('keeps line breaks and nothing else that acts', () => {
    expect(safeBlock('a\r\n\tb\u0007\u009b\u202e')).toBe('a\n  b␇\ufffd');
    fc.assert(
      fc.property(anyText, (text) => {
        expect(safeBlock(text)).not.toMatch(ACTS_OR_HIDES);
      }),
    );
  });

  test('makes a text of 10 MB safe', () => {
    expect(safeBlock('\u001b[31m\u202e'.repeat(1_500_000))).toBe('');
  });
});

test('visibleControls keeps tabs and line breaks and replaces lone surrogates', () => {
  expect(visibleControls('a\t\r\n\u0000\u007f\u0080\ud800')).toBe('a\t\r\n␀␡\ufffd\ufffd');
});

test('shorten leaves a text alone that fits', () => {
  expect(shorten('abc', 3)).toBe('abc');
  expect(shorten('abcd', 3)).toBe('ab…');
});

test('characters joins marks with their letters', () => {
  expect([...characters('ae\u0301z')]).toEqual(['a', 'e\u0301', 'z']);
  expect([...characters('ab')]).toEqual(['a', 'b']);
});
