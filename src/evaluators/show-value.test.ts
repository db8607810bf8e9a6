import { describe, expect, it } from 'vitest';
import { shorten, showPlace, showValue } from './show-value.ts';

describe('showValue', () => {
  it('shows a value as JSON in one line', () => {
    expect(showValue('a\nb\u0000')).toBe('"a\\nb\\u0000"');
    expect(showValue({ a: [1, null] })).toBe('{"a":[1,null]}');
    expect(showValue(false)).toBe('false');
    expect(showValue(null)).toBe('nothing');
    expect(showValue(undefined)).toBe('nothing');
  });

  it('shortens what is long, without cutting a character in half', () => {
    expect(showValue('abcdefghi', 6)).toBe('"abcd … hi"');
    expect(showValue('a😀bcdef😀', 6)).toBe('"a😀b … 😀"');
    expect(showValue('a😀bcdef😀i', 6)).toBe('"a😀b … i"');
    expect(showValue([1, 2, 3, 4], 6)).toBe('[1,2 … 4]');
    expect(shorten('ab😀cd', 3)).toBe('ab…');
    expect(shorten('ab😀cd', 4)).toBe('ab😀…');
    expect(shorten('abc', 3)).toBe('abc');
  });

  it('does not write out ten megabytes to show a line', () => {
    expect(showValue('x'.repeat(10_000_000))).toHaveLength(125);
  });

  it('copes with what JSON cannot hold', () => {
    const deep: unknown = JSON.parse('['.repeat(200_000) + ']'.repeat(200_000));
    expect(showValue(deep)).toBe('(a value that cannot be shown)');
    expect(showValue(10n)).toBe('(a value that cannot be shown)');
    expect(showValue('\ud800')).toBe('"\\ud800"');
  });

  it('shows a place in a long text with the words around it', () => {
    const text = `${'word '.repeat(100)}refund${' more'.repeat(100)}`;
    expect(showPlace(text, { start: 500, end: 506 })).toBe(
      `at character 501: "…${'word '.repeat(8)}refund${' more'.repeat(8)}…"`,
    );
    expect(showPlace('a "quoted" refund', { start: 11, end: 17 })).toBe('at character 12: "a \\"quoted\\" refund"');
    expect(showPlace('x'.repeat(1_000_000), { start: 0, end: 1_000_000 }).length).toBeLessThan(250);
  });
});
