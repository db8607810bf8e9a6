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
    expect(showValue('aa bb cc dd ee ff', 6)).toBe('"aa bb … ff"');
    expect(showValue([1, 2, 3, 4], 6)).toBe('[1,2 … 4]');
    const pairs = '😀'.repeat(1000);
    expect(showValue(pairs, 150)).toBe(`"${'😀'.repeat(50)} … ${'😀'.repeat(25)}"`);
    expect(showValue(pairs, 151)).toBe(`"${'😀'.repeat(50)} … ${'😀'.repeat(25)}"`);
    expect(showValue(pairs, 153)).toBe(`"${'😀'.repeat(51)} … ${'😀'.repeat(25)}"`);
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

  it('never shows half of a secret, which would not be redacted any more', () => {
    const key = `sk-${'aB3dE5gH7jK9mN1pQ3sT5vX7zA9c'}`;
    const text = `${'word '.repeat(40)}my password: swordfish-1234 and the key ${key} for a refund ${'more '.repeat(40)}`;
    const start = text.indexOf('refund');
    for (let before = 0; before < 90; before += 1) {
      const shown = showPlace(text, { start: start - before, end: start - before + 1 });
      expect(shown).not.toMatch(/swordfish|gH7jK9|mN1pQ3|vX7zA9/);
    }
    for (let length = 100; length < 320; length += 1) {
      expect(showValue(text.slice(0, 320), length)).not.toMatch(/gH7jK9|mN1pQ3|vX7zA9/);
    }
  });
});
