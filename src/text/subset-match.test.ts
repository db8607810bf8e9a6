import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchesSubset } from './subset-match.ts';

describe('matchesSubset', () => {
  it('lets objects have more keys, at every depth', () => {
    expect(matchesSubset({ id: 'A1', note: 'x', to: { city: 'Bern', zip: 3000 } }, { to: { city: 'Bern' } })).toBe(
      true,
    );
    expect(matchesSubset({ a: 1 }, {})).toBe(true);
  });

  it('wants arrays of the same length, element by element', () => {
    expect(matchesSubset({ items: [{ sku: 1, n: 2 }] }, { items: [{ sku: 1 }] })).toBe(true);
    expect(matchesSubset({ items: [1, 2] }, { items: [1] })).toBe(false);
    expect(matchesSubset({ items: [2, 1] }, { items: [1, 2] })).toBe(false);
    expect(matchesSubset({ items: { 0: 1, length: 1 } }, { items: [1] })).toBe(false);
  });

  it('takes neither a missing key for null nor a text for a number', () => {
    expect(matchesSubset({}, { a: null })).toBe(false);
    expect(matchesSubset({ a: null }, { a: null })).toBe(true);
    expect(matchesSubset({ a: '1' }, { a: 1 })).toBe(false);
    expect(matchesSubset({ a: null }, { a: {} })).toBe(false);
  });

  it('looks at own keys only', () => {
    expect(matchesSubset({}, JSON.parse('{"__proto__": {}}'))).toBe(false);
    expect(matchesSubset({}, { constructor: Object })).toBe(false);
    expect(matchesSubset(JSON.parse('{"__proto__": {"a": 1}}'), JSON.parse('{"__proto__": {"a": 1}}'))).toBe(true);
  });

  it('holds between a value and itself, and still when keys are added', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), (value, extra) => {
        expect(matchesSubset(value, value)).toBe(true);
        if (!Object.hasOwn(value, 'extra')) expect(matchesSubset({ ...value, extra }, value)).toBe(true);
      }),
    );
  });
});
