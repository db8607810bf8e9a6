import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { duplicateKey } from './duplicate-key.ts';

describe('duplicateKey', () => {
  it('finds a key that occurs twice, however it is escaped', () => {
    expect(duplicateKey('{"a": 1, "b": [{}], "a": 2}', [])).toBe('a');
    expect(duplicateKey(String.raw`{"a\"}": 1, "\u0061\"}": 2}`, [])).toBe('a"}');
    expect(duplicateKey('{"labels": {"tone": 1, "x": [1, 2], "tone": 0}}', ['labels'])).toBe('tone');
  });

  it('looks only in the given maps: a tool may have had any arguments', () => {
    expect(duplicateKey('{"trace": {"a": 1, "a": 2}, "labels": {"a": 1}}', ['labels'])).toBeUndefined();
    expect(duplicateKey('{"labels": {"a": {"b": 1, "b": 2}}}', ['labels'])).toBeUndefined();
  });

  it('takes neither values nor brackets in texts for keys', () => {
    expect(duplicateKey('{"a": "a", "b": ["a", "a", {"a": 1}], "c": "{\\"a\\": 1, "}', ['labels'])).toBeUndefined();
    expect(duplicateKey('["a", "a"]', [])).toBeUndefined();
    expect(duplicateKey('"a"', [])).toBeUndefined();
  });

  it('finds nothing in what was made from an object', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        expect(duplicateKey(JSON.stringify(value), Object.keys(value))).toBeUndefined();
      }),
    );
  });
});
