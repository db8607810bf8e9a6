import { describe, expect, it } from 'vitest';
import { tableMatcher } from '../../../test/match/table-matcher.ts';
import { duplicatesOf, pairingOf } from './pairing.ts';

const sizes = { vulnerabilities: 2, findings: 4 };

describe('duplicates', () => {
  const { candidates } = tableMatcher([
    [0.9, 0.5, 0.6, 0],
    [0, 0.8, 0.6, 0],
  ]);
  const chosen = [
    { vulnerability: 0, finding: 0, score: 0.9 },
    { vulnerability: 1, finding: 1, score: 0.8 },
  ];

  it('are the findings without a match that reach the threshold, each with the vulnerability it fits best', () => {
    expect(duplicatesOf(pairingOf(candidates(0.4), chosen, sizes))).toEqual([
      { vulnerability: 0, finding: 2, score: 0.6 },
    ]);
  });

  it('do not depend on the order of the candidates', () => {
    const { length, vulnerability, finding, score } = candidates(0.4);
    const turned = {
      length,
      vulnerability: vulnerability.toReversed(),
      finding: finding.toReversed(),
      score: score.toReversed(),
    };
    expect(duplicatesOf(pairingOf(turned, chosen, sizes))[0]?.vulnerability).toBe(0);
  });

  it('are none when nothing reaches the threshold', () => {
    expect(duplicatesOf(pairingOf(candidates(0.95), [], sizes))).toEqual([]);
  });
});
