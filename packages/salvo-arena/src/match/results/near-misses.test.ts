import { describe, expect, it } from 'vitest';
import { tableMatcher } from '../../../test/match/table-matcher.ts';
import { nearMissesOf } from './near-misses.ts';
import { pairUp } from './pairing.ts';
import { withoutFindings } from './twin-comparison.ts';

const settings = { matchThreshold: 0.4, exactThreshold: 0.7, assignment: 'optimal' } as const;

function nearMisses(scores: number[][], excluded: ReadonlySet<number> = new Set()) {
  const matcher = withoutFindings(tableMatcher(scores), excluded);
  const sizes = { vulnerabilities: scores.length, findings: scores[0]?.length ?? 0 };
  return nearMissesOf(matcher, pairUp(matcher, sizes, settings), { matchThreshold: 0.4, excluded });
}

describe('near misses', () => {
  it('are the closest findings below the threshold', () => {
    expect(nearMisses([[0.2, 0.39, 0.3]])).toEqual([
      { vulnerability: 0, finding: 1, score: 0.39, reason: 'below_threshold' },
    ]);
  });

  it('are the findings that reached it and are matched with another vulnerability', () => {
    const scores = [
      [0.9, 0.1],
      [0.5, 0.3],
    ];
    expect(nearMisses(scores)).toEqual([{ vulnerability: 1, finding: 0, score: 0.5, reason: 'taken' }]);
  });

  it('are the findings that no flaw caused', () => {
    expect(nearMisses([[0.9, 0.2]], new Set([0]))).toEqual([
      { vulnerability: 0, finding: 0, score: 0.9, reason: 'in_twin' },
    ]);
  });

  it('do not exist where no score is half of the threshold', () => {
    expect(nearMisses([[0.19, 0]])).toEqual([]);
    expect(nearMisses([[]])).toEqual([]);
  });

  it('below the threshold are not searched for in a large game', () => {
    const row = Array.from({ length: 300 }, (_, finding) => (finding === 7 ? 0.3 : 0));
    const rows = (count: number) => Array.from({ length: count }, () => row);
    expect(nearMisses(rows(100))).toHaveLength(100);
    expect(nearMisses(rows(200))).toEqual([]);
  });
});
