import { describe, expect, it } from 'vitest';
import { tableMatcher } from '../../../test/match/table-matcher.ts';
import { duplicatesOf, pairUp } from './pairing.ts';

const matcher = tableMatcher([
  [0.9, 0.5, 0.6, 0],
  [0, 0.8, 0.6, 0],
]);

function duplicates({ matchThreshold = 0.4, candidates = matcher.candidates } = {}) {
  const sizes = { vulnerabilities: 2, findings: 4 };
  const settings = { matchThreshold, exactThreshold: 0.95, assignment: 'optimal' } as const;
  return duplicatesOf(pairUp({ ...matcher, candidates }, sizes, settings));
}

describe('duplicates', () => {
  it('are the findings without a match that reach the threshold, each with the vulnerability it fits best', () => {
    expect(duplicates()).toEqual([{ vulnerability: 0, finding: 2, score: 0.6 }]);
  });

  it('do not depend on the order of the candidates', () => {
    const { length, vulnerability, finding, score } = matcher.candidates(0.4);
    const turned = {
      length,
      vulnerability: vulnerability.toReversed(),
      finding: finding.toReversed(),
      score: score.toReversed(),
    };
    expect(duplicates({ candidates: () => turned })).toEqual([{ vulnerability: 0, finding: 2, score: 0.6 }]);
  });

  it('are none when nothing reaches the threshold', () => {
    expect(duplicates({ matchThreshold: 0.95 })).toEqual([]);
  });
});
