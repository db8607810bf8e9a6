import { describe, expect, it } from 'vitest';
import { shorten, showValue } from './show-value.ts';

describe('showValue', () => {
  it('shows a value as JSON in one line', () => {
    expect(showValue('a\nb\u0000')).toBe('"a\\nb\\u0000"');
    expect(showValue({ a: [1, null] })).toBe('{"a":[1,null]}');
    expect(showValue(false)).toBe('false');
    expect(showValue(null)).toBe('nothing');
    expect(showValue(undefined)).toBe('nothing');
  });

  it('shortens what is long, without cutting a character in half', () => {
    expect(showValue('abcdef', 3)).toBe('"abc…"');
    expect(showValue([1, 2, 3, 4], 4)).toBe('[1,2…');
    expect(shorten('ab😀cd', 3)).toBe('ab…');
    expect(shorten('ab😀cd', 4)).toBe('ab😀…');
    expect(shorten('abc', 3)).toBe('abc');
  });

  it('does not write out ten megabytes to show a line', () => {
    expect(showValue('x'.repeat(10_000_000))).toHaveLength(123);
  });

  it('copes with what JSON cannot hold', () => {
    const deep: unknown = JSON.parse('['.repeat(200_000) + ']'.repeat(200_000));
    expect(showValue(deep)).toBe('(a value that cannot be shown)');
    expect(showValue(10n)).toBe('(a value that cannot be shown)');
    expect(showValue('\ud800')).toBe('"\\ud800"');
  });
});
