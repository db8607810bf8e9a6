import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonEqual, matchesSubset } from './json-equal.ts';

describe('jsonEqual', () => {
  it.each([
    [
      { a: 1, b: [1, { c: null }] },
      { b: [1, { c: null }], a: 1 },
    ],
    [[], []],
    [Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
    [0, -0],
  ])('%j equals %j', (a, b) => {
    expect(jsonEqual(a, b)).toBe(true);
  });

  it.each([
    [{ a: 1 }, { a: 1, b: undefined }],
    [{ a: undefined }, { b: 1 }],
    [
      [1, 2],
      [2, 1],
    ],
    [[], {}],
    [null, {}],
    ['1', 1],
    [JSON.parse('{"__proto__": 1}'), {}],
    [{ toString: 1 }, {}],
  ])('%j does not equal %j', (a, b) => {
    expect(jsonEqual(a, b)).toBe(false);
    expect(jsonEqual(b, a)).toBe(false);
  });

  it('holds for a value and its copy, and is symmetric', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        expect(jsonEqual(a, structuredClone(a))).toBe(true);
        expect(jsonEqual(a, b)).toBe(jsonEqual(b, a));
      }),
    );
  });

  it('compares a value of any depth with one a person wrote', () => {
    const deep: unknown = JSON.parse('['.repeat(200_000) + ']'.repeat(200_000));
    expect(jsonEqual(deep, [[[]]])).toBe(false);
    expect(jsonEqual([[['x']]], deep)).toBe(false);
  });
});

describe('matchesSubset', () => {
  it('lets objects have more keys, at every depth', () => {
    expect(matchesSubset({ id: 'A1', note: 'x', to: { city: 'Bern', zip: 3000 } }, { to: { city: 'Bern' } })).toBe(
      true,
    );
    expect(matchesSubset({ a: 1 }, {})).toBe(true);
  });

  it('requires arrays of the same length, element by element', () => {
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
        expect(matchesSubset({ extra, ...value }, value)).toBe(true);
      }),
    );
  });
});
