import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { doubledKey } from './doubled-keys.ts';

describe('doubledKey', () => {
  it.each([
    ['{"a": 0, "a": 1}', 'a'],
    ['{"a": {"score": 1, "score": 0}}', 'score'],
    ['[{"b": [{"c": 1}, {"d": 1, "e": {}, "d": 2}]}]', 'd'],
    ['{"a": 1, "\\u0061": 2}', 'a'],
    [String.raw`{"a\"}": 1, "\u0061\"}": 2}`, 'a"}'],
    ['{"x": "}", "x": "{"}', 'x'],
    ['{"": 1, "": 2}', ''],
    ['{"__proto__": 1, "__proto__": 2}', '__proto__'],
  ])('finds it in %s', (json, key) => {
    expect(doubledKey(json)).toBe(key);
  });

  it.each([
    '{"a": "a", "b": "a"}',
    '[{"a": 1}, {"a": 2}]',
    '{"a": {"a": {"a": 1}}}',
    '["a", "a"]',
    '{"a": "\\"a\\": 1"}',
    '',
    '"',
  ])('finds none in %s', (json) => {
    expect(doubledKey(json)).toBeNull();
  });

  it('looks only into the outermost object and the given ones in it: a tool may have had any arguments', () => {
    expect(doubledKey('{"a": 1, "b": [{}], "a": 2}', [])).toBe('a');
    expect(doubledKey('{"labels": {"tone": 1, "x": [1, 2], "tone": 0}}', ['labels'])).toBe('tone');
    expect(doubledKey('{"trace": {"a": 1, "a": 2}, "labels": {"a": 1}}', ['labels'])).toBeNull();
    expect(doubledKey('{"labels": {"a": {"b": 1, "b": 2}}}', ['labels'])).toBeNull();
    expect(doubledKey('{"a": "a", "b": ["a", "a", {"a": 1}], "c": "{\\"a\\": 1, "}', ['labels'])).toBeNull();
  });

  it('finds none in what JSON.stringify wrote, and finds any key that is written again', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), fc.nat(), (value, pick) => {
        const json = JSON.stringify(value);
        expect(doubledKey(json)).toBeNull();
        const keys = Object.keys(value);
        const key = keys[pick % keys.length] ?? '';
        expect(doubledKey(`${json.slice(0, -1)}, ${JSON.stringify(key)}: 1}`)).toBe(key);
      }),
    );
  });
});
