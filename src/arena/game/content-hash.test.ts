import { describe, expect, test } from 'vitest';
import { contentHash } from './content-hash.ts';

describe('contentHash', () => {
  test('is the same for the same content, whatever the order of its fields', () => {
    expect(contentHash({ a: 1, b: { c: [1, 2], d: null } })).toBe(contentHash({ b: { d: null, c: [1, 2] }, a: 1 }));
  });

  test('differs when anything does, the order of a list included', () => {
    const hashes = [{ a: 1 }, { a: '1' }, { a: [1, 2] }, { a: [2, 1] }, { b: 1 }].map(contentHash);
    expect(new Set(hashes).size).toBe(5);
  });

  test('takes names such as __proto__ for what they are', () => {
    expect(contentHash(JSON.parse('{"__proto__": 1}'))).not.toBe(contentHash({}));
  });
});
