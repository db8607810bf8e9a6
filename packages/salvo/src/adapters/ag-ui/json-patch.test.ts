import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyPatch } from './json-patch.ts';

test.each([
  [{ a: 1 }, [{ op: 'add', path: '/b', value: 2 }], { a: 1, b: 2 }],
  [{ a: [1, 3] }, [{ op: 'add', path: '/a/1', value: 2 }], { a: [1, 2, 3] }],
  [{ a: [1] }, [{ op: 'add', path: '/a/-', value: 2 }], { a: [1, 2] }],
  [
    { a: { 'b/c': 1, '~': 2 } },
    [
      { op: 'replace', path: '/a/b~1c', value: 9 },
      { op: 'remove', path: '/a/~0' },
    ],
    { a: { 'b/c': 9 } },
  ],
  [
    { a: [1, 2] },
    [
      { op: 'move', from: '/a/0', path: '/b' },
      { op: 'copy', from: '/a', path: '/c' },
    ],
    { a: [2], b: 1, c: [2] },
  ],
  [
    { a: 1 },
    [
      { op: 'replace', path: '', value: { b: 1 } },
      { op: 'test', path: '/b', value: 1 },
    ],
    { b: 1 },
  ],
])('%j with %j is %j', (document, patch, expected) => {
  const before = structuredClone(document);
  expect(applyPatch(document, patch)).toEqual(expected);
  expect(document).toEqual(before);
});

test.each([
  [[{ op: 'remove', path: '/x' }]],
  [[{ op: 'replace', path: '/x', value: 1 }]],
  [[{ op: 'add', path: '/a/9', value: 1 }]],
  [[{ op: 'add', path: '/a/-1', value: 1 }]],
  [[{ op: 'add', path: '/x/y', value: 1 }]],
  [[{ op: 'add', path: 'a', value: 1 }]],
  [[{ op: 'explode', path: '/a' }]],
  [[null]],
  ['text'],
])('%j cannot be applied', (patch) => {
  expect(() => applyPatch({ a: [1] }, patch)).toThrow(/cannot be applied|should be a list/);
});

test('no patch reaches a prototype', () => {
  expect(() => applyPatch({}, [{ op: 'add', path: '/__proto__/x', value: 1 }])).toThrow(/cannot be applied/);
  const patched = applyPatch({}, [{ op: 'add', path: '/__proto__', value: { x: 1 } }]);
  expect(Object.getPrototypeOf(patched)).toBe(Object.prototype);
});

test('whatever a patch says, it is applied or refused', () => {
  const operation = fc.record({
    op: fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test', 'x'),
    path: fc.oneof(fc.string(), fc.constantFrom('', '/', '/a', '/a/0', '/a/b/c', '/~2')),
    from: fc.oneof(fc.string(), fc.constantFrom('', '/a')),
    value: fc.jsonValue(),
  });
  fc.assert(
    fc.property(fc.jsonValue(), fc.array(operation), (document, patch) => {
      try {
        applyPatch(document, patch);
      } catch (error) {
        expect(String(error)).toMatch(/cannot be applied/);
      }
    }),
  );
});
