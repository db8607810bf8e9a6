import { describe, expect, test } from 'vitest';
import { visibleText } from './visible-text.ts';

describe('a text that somebody else wrote', () => {
  test.each([
    ['plain\ttext\n', 'plain\ttext\n'],
    ['one\r\ntwo\u2028three', 'one\ntwo\nthree'],
    ['a\u202eb', 'a⟨U+202E⟩b'],
    ['👩\u200d💻', '👩\u200d💻'],
  ])('%j is shown as %j', (text, shown) => {
    expect(visibleText(text)).toBe(shown);
  });

  test('shows control characters as symbols', () => {
    expect(visibleText('a\u001b[31m')).not.toContain('\u001b');
  });
});
