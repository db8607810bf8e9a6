import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dehydrate, hydrate, traceIdOf } from './dehydrate.ts';

const LONG = 'a sentence that is long enough to be kept apart '.repeat(4);

function roundTrip(value: unknown): unknown {
  const { document, blobs } = dehydrate(value);
  return hydrate(document, (reference) => blobs.get(reference) ?? expect.fail(`no blob ${reference}`));
}

describe('dehydrate', () => {
  test('takes long strings out, once each', () => {
    const { document, blobs } = dehydrate({ a: LONG, b: [LONG, 'short'], c: { d: `${LONG}!` } });
    expect([...blobs.values()]).toEqual([LONG, `${LONG}!`]);
    expect(document).not.toContain('sentence');
    expect(document).toContain('short');
  });

  test('gives a text the same reference everywhere', () => {
    expect([...dehydrate([LONG]).blobs.keys()]).toEqual([...dehydrate({ other: LONG }).blobs.keys()]);
  });

  test('leaves in place what a database could not give back', () => {
    expect(dehydrate([`${LONG}\0`, `${LONG}\ud800`]).blobs.size).toBe(0);
  });

  test('leaves out what JSON leaves out', () => {
    expect(roundTrip({ a: undefined, b: 1 })).toEqual({ b: 1 });
    expect(roundTrip(undefined)).toBeNull();
  });
});

describe('hydrate undoes dehydrate', () => {
  test.each([
    ['look-alikes of a reference', ['~', '~~', `~${'A'.repeat(43)}`, `~${LONG}`, { '~key': '~value' }]],
    ['NULs and lone surrogates', [`\0${LONG}`, `~\0${LONG}`, '\ud800', `${LONG}\udfff`]],
    ['emptiness', ['', {}, [], null, 0, false]],
    ['a very long string', 'x'.repeat(10_000_000)],
    ['keys as long as texts', { [LONG]: LONG }],
  ])('for %s', (_, value) => {
    expect(roundTrip(value)).toEqual(value);
  });

  test('for keys that objects inherit', () => {
    const value = JSON.parse(`{"__proto__": {"a": "${LONG}"}, "constructor": "${LONG}", "toString": "~"}`);
    const restored = roundTrip(value);
    expect(JSON.stringify(restored)).toBe(JSON.stringify(value));
    expect(Object.getPrototypeOf(restored)).toBe(Object.prototype);
  });

  test('for any JSON', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'binary', minLength: 90, maxLength: 130 }),
      fc.string().map((tail) => `~${tail}`),
    );
    const { json } = fc.letrec((tie) => ({
      json: fc.oneof({ maxDepth: 4 }, text, fc.integer(), fc.boolean(), fc.constant(null), tie('list'), tie('object')),
      list: fc.array(tie('json')),
      object: fc.dictionary(text, tie('json'), { noNullPrototype: true }),
    }));
    fc.assert(
      fc.property(json, (value) => {
        expect(roundTrip(value)).toEqual(value);
        expect(JSON.stringify(roundTrip(value))).toBe(JSON.stringify(value));
      }),
    );
  });
});

describe('the id of a trace', () => {
  const idOf = (trace: { timestamp: string; answer?: string }) => traceIdOf(dehydrate(trace), trace);

  test('is its content', () => {
    const trace = { timestamp: '2026-11-17T10:00:00.000Z', answer: 'a' };
    expect(idOf({ ...trace })).toBe(idOf(trace));
    expect(idOf({ ...trace, answer: 'b' })).not.toBe(idOf(trace));
  });

  test('increases with time, so that a run writes to one place of each index', () => {
    const start = Date.parse('2026-11-17T10:00:00.000Z');
    const ids = Array.from({ length: 1000 }, (_, index) =>
      idOf({ timestamp: new Date(start + index * 100).toISOString() }),
    );
    expect(ids.toSorted()).toEqual(ids);
  });

  test.each(['', 'yesterday', '1969-12-31T23:59:59.999Z', '+275760-09-13T00:00:00.000Z', '2026-11-17'])(
    'has 32 digits whatever the time is: %j',
    (timestamp) => {
      expect(idOf({ timestamp })).toMatch(/^[0-9a-f]{32}$/);
    },
  );
});
