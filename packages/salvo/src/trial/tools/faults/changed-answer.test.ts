import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HOSTILE_TEXTS } from '../../../../../../test/hostile-texts.ts';
import { duplicates, emptyList, truncated, wrongTypes } from './changed-answer.ts';

test('numbers and booleans become texts; without any, texts become lists', () => {
  expect(wrongTypes('{"total":25,"paid":true,"id":"A-1","none":null}')).toBe(
    '{"total":"25","paid":"true","id":"A-1","none":null}',
  );
  expect(wrongTypes('["a"]')).toBe('[["a"]]');
  expect(wrongTypes('{}')).toBeNull();
  expect(wrongTypes('rain')).toBeNull();
});

test('lists lose their entries; an answer without lists is an empty list', () => {
  expect(emptyList('{"orders":[1,2],"page":{"more":[3]}}')).toBe('{"orders":[],"page":{"more":[]}}');
  expect(emptyList('{"id":7}')).toBe('[]');
  expect(emptyList('rain')).toBe('[]');
  expect(emptyList('[]')).toBeNull();
});

test('entries of lists are there twice', () => {
  expect(duplicates('{"orders":[{"id":1},{"id":2}]}')).toBe('{"orders":[{"id":1},{"id":1},{"id":2},{"id":2}]}');
  expect(duplicates('{"orders":[]}')).toBeNull();
  expect(duplicates('{"id":1}')).toBeNull();
});

test('a truncated answer is a beginning of half of it or more, and is shorter', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 2 }), fc.double({ min: 0, max: 0.999, noNaN: true }), (text, number) => {
      const cut = truncated(text, () => number) ?? '';
      expect(text.startsWith(cut)).toBe(true);
      expect(cut.length).toBeLessThan(text.length);
      expect(cut.length).toBeGreaterThanOrEqual(Math.max(1, Math.floor(text.length / 2)));
    }),
  );
  expect(truncated('x', () => 0.5)).toBeNull();
  expect(truncated('', () => 0.5)).toBeNull();
});

test('keys of objects stay keys, and deep or hostile answers do not throw', () => {
  expect(wrongTypes('{"__proto__":{"a":1}}')).toBe('{"__proto__":{"a":"1"}}');
  expect(Object.hasOwn(Object.prototype, 'a')).toBe(false);
  const deep = `${'['.repeat(5000)}1${']'.repeat(5000)}`;
  for (const text of [deep, ...HOSTILE_TEXTS, '1e999', '"', '{"a":']) {
    for (const change of [wrongTypes, emptyList, duplicates]) expect(() => change(text)).not.toThrow();
  }
});
