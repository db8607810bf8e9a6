import { expect, test } from 'vitest';
import { findText, plainSpelling } from './plain-spelling.ts';

test.each([
  ['a no-break space', 'As an\u00a0AI', 'As an AI'],
  ['a narrow no-break space', '10\u202feuro', '10 euro'],
  ['an ideographic space', 'As\u3000an', 'As an'],
  ['a tab', 'As\tan', 'As an'],
  ['a soft hyphen', 'for\u00adbid\u00adden', 'forbidden'],
  ['a zero-width space', 'for\u200bbidden', 'forbidden'],
  ['decomposed letters', 'cafe\u0301', 'café'],
])('%s is found as it looks', (_, text, part) => {
  expect(plainSpelling(text)).toBe(part);
  expect(findText(`x ${text} y`, part)).not.toBeNull();
  expect(findText(text, part.toUpperCase())).toBeNull();
  expect(findText(text, part.toUpperCase(), { caseSensitive: false })).not.toBeNull();
});

test('a part with decomposed letters is found in composed ones', () => {
  expect(findText('un café', 'cafe\u0301')).not.toBeNull();
});

test('an odd space in the part is meant', () => {
  expect(findText('a b', '\u00a0')).toBeNull();
  expect(findText('a\u00a0b', '\u00a0')).toMatchObject({ start: 1, end: 2 });
  expect(findText('ab', '\u200b')).toBeNull();
});

test('a line break is no space', () => {
  expect(findText('As an\nAI', 'As an AI')).toBeNull();
});

test('the place is that of the text as it is written, if both are equally long', () => {
  expect(findText('Say: As an\u00a0AI', 'As an AI')).toEqual({ text: 'Say: As an\u00a0AI', start: 5, end: 13 });
});
