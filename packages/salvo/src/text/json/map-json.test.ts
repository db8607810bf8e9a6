import { describe, expect, test } from 'vitest';
import { LEFT_OUT, mapEntries, mapList } from './map-json.ts';

const upper = (part: unknown): unknown => (typeof part === 'string' ? part.toUpperCase() : part);

describe('mapEntries', () => {
  test('gives back the object itself when nothing changes', () => {
    const object = { a: 1, b: [] };
    expect(mapEntries(object, (_key, part) => part)).toBe(object);
  });

  test('changes parts in a copy, in the order of the object', () => {
    const object = { b: 'x', a: 1, c: 'y' };
    expect(Object.entries(mapEntries(object, (_key, part) => upper(part)))).toEqual([
      ['b', 'X'],
      ['a', 1],
      ['c', 'Y'],
    ]);
    expect(object).toEqual({ b: 'x', a: 1, c: 'y' });
  });

  test('takes `__proto__` for a key like any other, whether it is changed or renamed', () => {
    const object: Record<string, unknown> = JSON.parse('{"__proto__": "x", "a": "y"}');
    const changed = mapEntries(object, (_key, part) => upper(part));
    const renamed = mapEntries(
      { old: 'x' },
      (_key, part) => part,
      () => '__proto__',
    );
    expect(JSON.stringify([changed, renamed])).toBe('[{"__proto__":"X","a":"Y"},{"__proto__":"x"}]');
    expect([changed, renamed].map((each) => Object.getPrototypeOf(each))).toEqual([Object.prototype, Object.prototype]);
  });

  test('leaves parts out, and never makes one key of two', () => {
    const object = { a: 1, secret: 2, b: 3, key: 4 };
    const changed = mapEntries(
      object,
      (key, part) => (key === 'secret' ? LEFT_OUT : part),
      () => 'key',
    );
    expect(changed).toEqual({ key: 1, 'key (2)': 3, 'key (3)': 4 });
  });
});

test('mapList gives back the list itself when nothing changes, or a copy', () => {
  const list = ['a', 1];
  expect(mapList(list, (part) => part)).toBe(list);
  expect(mapList(list, upper)).toEqual(['A', 1]);
  expect(list).toEqual(['a', 1]);
});
