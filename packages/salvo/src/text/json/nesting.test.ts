import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bracketsFrom, isNestedTooDeeply, MAX_NESTING } from './nesting.ts';

it('ends where the value does, whatever its strings hold', () => {
  fc.assert(
    fc.property(fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue())), (value) => {
      const json = JSON.stringify(value);
      expect(bracketsFrom(`${json}]}"`, 0).end).toBe(json.length);
    }),
  );
});

it('has no end without a bracket to begin with, or to end with', () => {
  for (const text of ['', 'x', '"[]"', ']', '[', '[[]', '["', '["\\"]']) expect(bracketsFrom(text, 0).end).toBeNull();
});

it('counts the levels that a value has', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  for (const depth of [1, 2, MAX_NESTING]) {
    expect(bracketsFrom(nested(depth), 0)).toEqual({ deepest: depth, end: 2 * depth });
    expect(isNestedTooDeeply(JSON.parse(nested(depth)))).toBe(false);
  }
  expect(bracketsFrom(nested(MAX_NESTING + 1), 0)).toEqual({ deepest: MAX_NESTING + 1, end: null });
});

it('reads over any number of escaped characters', () => {
  for (const escaped of ['\\\\', '\\"']) {
    const text = `["${escaped.repeat(1000)}"]`;
    expect(bracketsFrom(text, 0)).toEqual({ deepest: 1, end: text.length });
  }
});
