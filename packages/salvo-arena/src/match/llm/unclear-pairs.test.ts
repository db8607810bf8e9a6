import { describe, expect, it } from 'vitest';
import { tableMatcher } from '../../../test/match/table-matcher.ts';
import { unclearPairs } from './unclear-pairs.ts';

const options = { band: [0.25, 0.7] as const, settled: [], maxPairs: 100 };
const unclear = (scores: number[][], changes: Partial<Parameters<typeof unclearPairs>[1]> = {}) => {
  const { pairs, leftOut } = unclearPairs(tableMatcher(scores).candidates(0.01), { ...options, ...changes });
  return { pairs: pairs.map(({ vulnerability, finding }) => `${vulnerability}-${finding}`), leftOut };
};

describe('unclearPairs', () => {
  it('are those in the band, its upper end excluded', () => {
    expect(unclear([[0.24, 0.25, 0.69, 0.7]])).toEqual({ pairs: ['0-2', '0-1'], leftOut: 0 });
  });

  it('tolerate rounding errors of sums', () => {
    expect(unclear([[0.25 - 1e-12, 0.7 - 1e-12]]).pairs).toEqual(['0-0']);
  });

  it('do not include a side that has an exact match already', () => {
    const scores = [
      [0.9, 0.5, 0.3],
      [0.5, 0.3, 0.3],
    ];
    expect(unclear(scores, { settled: [{ vulnerability: 0, finding: 0, score: 0.9 }] }).pairs).toEqual(['1-1', '1-2']);
  });

  it('are at most three of a vulnerability, and the others are counted', () => {
    expect(unclear([[0.3, 0.6, 0.5, 0.4, 0.35]])).toEqual({ pairs: ['0-1', '0-2', '0-3'], leftOut: 2 });
  });

  it('give the best pair of every vulnerability before any second one', () => {
    const scores = [
      [0.6, 0.55],
      [0.3, 0.28],
    ];
    expect(unclear(scores, { maxPairs: 3 })).toEqual({ pairs: ['0-0', '1-0', '0-1'], leftOut: 1 });
  });

  it('are none when none may be asked, and all are counted', () => {
    expect(unclear([[0.5, 0.5]], { maxPairs: 0 })).toEqual({ pairs: [], leftOut: 2 });
  });
});
