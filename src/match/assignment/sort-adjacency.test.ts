import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sortAdjacency } from './sort-adjacency.ts';

interface Entry {
  target: number;
  weight: number;
}

const weight = fc.oneof(fc.constantFrom(400_000_000, 550_000_000, 1_000_000_000), fc.nat(1_000_000_000));
const entry = fc.record({ target: fc.oneof(fc.nat(5), fc.nat(8_000_000)), weight });
const few = fc.array(entry, { maxLength: 6 });
const many = fc.array(entry, { minLength: 24, maxLength: 300, size: 'max' });

function sorted(rows: readonly (readonly Entry[])[]): Entry[][] {
  const all = rows.flat();
  let end = 0;
  const start = Int32Array.of(0, ...rows.map((row) => (end += row.length)));
  const target = Int32Array.from(all, (entry) => entry.target);
  const weight = Int32Array.from(all, (entry) => entry.weight);
  sortAdjacency({ start, target, weight });
  return rows.map((row, vertex) =>
    row.map((_, at) => {
      const place = (start[vertex] ?? 0) + at;
      return { target: target[place] ?? -1, weight: weight[place] ?? -1 };
    }),
  );
}

describe('sortAdjacency', () => {
  it('brings the candidates of each vertex into order: by falling weight, then by rising target', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(few, many), { maxLength: 5 }), (rows) => {
        const expected = rows.map((row) => row.toSorted((a, b) => b.weight - a.weight || a.target - b.target));
        expect(sorted(rows)).toEqual(expected);
      }),
    );
  });
});
