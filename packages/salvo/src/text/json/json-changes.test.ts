import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changesBetween, copyJson, withChanges } from './json-changes.ts';

const json = fc.jsonValue({ maxDepth: 4 });

describe('changes between two JSON documents', () => {
  it('are the places that differ, with both values', () => {
    const before = { orders: { 'A-1': { status: 'open', items: [1, 2, 3] } }, log: ['a'], old: true };
    const after = { log: ['a', 'b'], orders: { 'A-1': { items: [1, 5], status: 'open' } }, 'new/one': null };
    expect(changesBetween(before, after)).toEqual([
      { path: '/orders/A-1/items/1', before: 2, after: 5 },
      { path: '/orders/A-1/items/2', before: 3 },
      { path: '/log/1', after: 'b' },
      { path: '/old', before: true },
      { path: '/new~1one', after: null },
    ]);
  });

  it('are none between a document and its copy, in any order of keys', () => {
    fc.assert(fc.property(json, (value) => changesBetween(value, copyJson(value)).length === 0));
    expect(changesBetween({ a: 1, b: 25 }, { b: 25.0, a: 1 })).toEqual([]);
    expect(changesBetween({ a: 0 }, { a: -0 })).toEqual([]);
  });

  it('lead from one document to the other, and leave the first as it was', () => {
    fc.assert(
      fc.property(json, json, (before, after) => {
        const kept = JSON.stringify(before);
        expect(JSON.stringify(changesBetween(after, withChanges(before, changesBetween(before, after))))).toBe('[]');
        expect(JSON.stringify(before)).toBe(kept);
      }),
    );
  });

  it('see a document as JSON writes it', () => {
    const before = { at: null, gone: 1, list: [null] };
    const after = { at: Number.NaN, gone: undefined, list: [undefined], day: new Date(0), call: () => 1 };
    expect(changesBetween(before, after)).toEqual([
      { path: '/gone', before: 1 },
      { path: '/day', after: '1970-01-01T00:00:00.000Z' },
    ]);
  });

  it('cannot be told of what JSON cannot write', () => {
    const cyclic: Record<string, unknown> = {};
    cyclic.self = cyclic;
    expect(() => changesBetween({}, { cyclic })).toThrow(TypeError);
    expect(() => changesBetween({ n: 1 }, { n: 1n })).toThrow(TypeError);
  });

  it('are refused by another document', () => {
    expect(() => withChanges({ a: 1 }, [{ path: '/b/c', after: 1 }])).toThrow(RangeError);
    expect(() => withChanges({}, [{ path: '/constructor/name', after: 1 }])).toThrow(RangeError);
    for (const index of ['4294967294', '2', '01', '-1', 'length']) {
      expect(() => withChanges({ list: [1] }, [{ path: `/list/${index}`, after: 1 }])).toThrow(RangeError);
    }
  });

  it('keep keys with special meanings', () => {
    const after = JSON.parse('{"__proto__":{"a":1},"a/b":{"~":2}}');
    const changed = withChanges({}, changesBetween({}, after));
    expect(JSON.stringify(changed)).toBe(JSON.stringify(after));
    expect(JSON.stringify(copyJson(after))).toBe(JSON.stringify(after));
  });
});
