import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalJson, contentHash } from './canonical-json.ts';

/** The keys of every map in another order. */
function shuffled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shuffled);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, part]): [string, unknown] => [key, shuffled(part)]);
  return Object.fromEntries(entries.reverse());
}

describe('canonicalJson', () => {
  test('is JSON of the same value, whatever the order of its keys', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(shuffled(value))).toBe(canonicalJson(value));
      }),
    );
  });

  test('leaves out what JSON leaves out, and takes a Date for its text', () => {
    const when = new Date(0);
    expect(canonicalJson({ b: undefined, a: () => 1, c: [undefined], when })).toBe(
      '{"c":[null],"when":"1970-01-01T00:00:00.000Z"}',
    );
    expect(canonicalJson(undefined)).toBe('null');
  });

  test('never changes: stored hashes depend on it', () => {
    const scale = { 1: 'whole', 0.5: 'half', 10: 'more', 0: 'none' };
    expect(canonicalJson({ scale, b: [2, 1], a: { d: null, c: -0 } })).toBe(
      '{"a":{"c":0,"d":null},"b":[2,1],"scale":{"0":"none","1":"whole","10":"more","0.5":"half"}}',
    );
    const odd = { at: { toJSON: () => undefined }, list: [{ toJSON: () => 'text' }, () => 1], empty: {} };
    expect(canonicalJson(odd)).toBe('{"at":null,"empty":{},"list":["text",null]}');
    expect(canonicalJson(JSON.parse('{"b":"\\ud800","__proto__":{"z":1,"a":2}}'))).toBe(
      '{"__proto__":{"a":2,"z":1},"b":"\\ud800"}',
    );
    expect(contentHash({ scale })).toBe('0f6b4c67df83dcdd164eb2c80db5832c5946b74b91bf9dc3f94d3aab3cc1a4d1');
  });
});

describe('contentHash', () => {
  test('is the same for the same content, and another for any other', () => {
    expect(contentHash({ a: 1, b: { c: [1, 2], d: null } })).toBe(contentHash({ b: { d: null, c: [1, 2] }, a: 1 }));
    const hashes = [{ a: 1 }, { a: '1' }, { a: [1, 2] }, { a: [2, 1] }, { b: 1 }].map(contentHash);
    expect(new Set(hashes).size).toBe(5);
  });

  test('takes `__proto__` for a key like any other', () => {
    expect(contentHash(JSON.parse('{"__proto__": 1}'))).not.toBe(contentHash({}));
  });
});
