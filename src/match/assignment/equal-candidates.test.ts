import { describe, expect, it } from 'vitest';
import { twinsOf } from './equal-candidates.ts';

describe('twinsOf', () => {
  it('finds the first vertex with the same targets at the same weights', () => {
    const rows = [
      [[7, 50]],
      [[7, 50]],
      [[7, 51]],
      [[8, 50]],
      [
        [7, 50],
        [8, 40],
      ],
      [],
      [[7, 50]],
      [],
    ];
    let end = 0;
    const start = Int32Array.of(0, ...rows.map((row) => (end += row.length)));
    const target = Int32Array.from(rows.flat(), ([vertex = -1]) => vertex);
    const weight = Int32Array.from(rows.flat(), ([, weight = -1]) => weight);
    expect([...twinsOf({ start, target, weight })]).toEqual([0, 0, 2, 3, 4, 5, 0, 5]);
  });
});
