import fc from 'fast-check';
import { expect, it } from 'vitest';
import { assignCalls } from './assign-calls.ts';

it('gives an entry another call if a later entry accepts no other', () => {
  expect(assignCalls([[0, 1], [0]])).toEqual([1, 0]);
  expect(assignCalls([[0, 1], [0, 2], [0]])).toEqual([1, 2, 0]);
});

it('leaves entries without a call if there are too few', () => {
  expect(assignCalls([[0], [0], []])).toEqual([0, null, null]);
  expect(assignCalls([])).toEqual([]);
});

it('gives as many entries a call as possible, each call once, and only calls that fit', () => {
  const fitting = fc.array(fc.uniqueArray(fc.nat(5), { maxLength: 4 }), { maxLength: 6 });
  fc.assert(
    fc.property(fitting, (entries) => {
      const assigned = assignCalls(entries);
      const calls = assigned.filter((call) => call !== null);
      expect(new Set(calls).size).toBe(calls.length);
      for (const [entry, call] of assigned.entries()) if (call !== null) expect(entries[entry]).toContain(call);
      expect(calls.length).toBe(mostByTrying(entries));
    }),
  );
});

it('takes no longer for many equal entries and calls', () => {
  const all = Array.from({ length: 5000 }, (_, index) => index);
  expect(assignCalls(Array.from({ length: 500 }, () => all)).every((call) => call !== null)).toBe(true);
  expect(
    assignCalls(Array.from({ length: 500 }, () => all.slice(0, 250))).filter((call) => call === null),
  ).toHaveLength(250);
});

function mostByTrying([first, ...others]: readonly (readonly number[])[], taken: readonly number[] = []): number {
  if (!first) return 0;
  const free = first.filter((call) => !taken.includes(call));
  return Math.max(mostByTrying(others, taken), ...free.map((call) => 1 + mostByTrying(others, [...taken, call])));
}
