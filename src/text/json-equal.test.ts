import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonEqual } from './json-equal.ts';

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
