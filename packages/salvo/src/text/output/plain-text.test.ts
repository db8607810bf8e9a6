import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plainText } from './plain-text.ts';

test('ordinary text stays as it is, in any script', () => {
  expect(plainText('One.\n\tTwo — drei, vier “fünf” 六 🙂')).toBe('One.\n\tTwo — drei, vier “fünf” 六 🙂');
});

test.each([
  ['zero-width characters', 'ig\u200bn\u2060ore\ufeff', 'ignore'],
  ['marks that turn the direction of text', '\u202ecba\u202c\u2066x\u2069\u200f', 'cbax'],
  ['tag characters, in which whole sentences can hide', 'a\u{e0069}\u{e0067}\u{e006e}b', 'ab'],
  ['variation selectors and soft hyphens', 'a\ufe0f\u00adb', 'ab'],
])('%s are removed', (_, text, plain) => {
  expect(plainText(text)).toBe(plain);
});

test('control characters become visible', () => {
  expect(plainText('\u001b[2J\u0000\u007f\u009b')).toBe('␛[2J␀␡\ufffd');
});

test('every line break is the same one', () => {
  expect(plainText('a\r\nb\rc\u2028d\u2029e\u0085f\u000bg\fh')).toBe('a\nb\nc\nd\ne\nf\ng\nh');
});

test('half a character becomes a replacement character', () => {
  expect(plainText('a\ud83d')).toBe('a\ufffd');
});

test('making text plain twice is the same as once', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(plainText(plainText(text))).toBe(plainText(text));
    }),
  );
});
