import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assigned, largerCases, smallCases, star } from '../../../test/match/assignment-cases.ts';

describe.each(['optimal', 'greedy'] as const)('assign, %s', (kind) => {
  it('chooses nothing without candidates', () => {
    expect(assigned({ candidates: [], sizes: { vulnerabilities: 0, findings: 0 } }, kind)).toEqual([]);
    expect(assigned({ candidates: [], sizes: { vulnerabilities: 3, findings: 2 } }, kind)).toEqual([]);
  });

  it('chooses among the candidates, each side at most once, and orders by vulnerability', () => {
    fc.assert(
      fc.property(largerCases, (given) => {
        const pairs = assigned(given, kind);
        for (const pair of pairs) expect(given.candidates).toContainEqual(pair);
        const vulnerabilities = pairs.map(({ vulnerability }) => vulnerability);
        expect(vulnerabilities).toEqual([...new Set(vulnerabilities)].sort((a, b) => a - b));
        expect(new Set(pairs.map(({ finding }) => finding)).size).toBe(pairs.length);
      }),
    );
  });

  it('leaves no candidate with both sides unpaired', () => {
    fc.assert(
      fc.property(largerCases, (given) => {
        const pairs = assigned(given, kind);
        const left = given.candidates.filter(
          ({ vulnerability, finding }) =>
            !pairs.some((pair) => pair.vulnerability === vulnerability || pair.finding === finding),
        );
        expect(left).toEqual([]);
      }),
    );
  });

  it('does not depend on the order of the candidates', () => {
    const shuffled = fc
      .oneof(smallCases, largerCases)
      .chain((given) =>
        fc.tuple(fc.constant(given), fc.shuffledSubarray(given.candidates, { minLength: given.candidates.length })),
      );
    fc.assert(
      fc.property(shuffled, ([given, candidates]) => {
        expect(assigned({ ...given, candidates }, kind)).toEqual(assigned(given, kind));
      }),
    );
  });

  it.each(['vulnerability', 'finding'] as const)('takes the best candidate of one %s', (center) => {
    const pairs = assigned(star([0.5, 0.8, 0.8, 0.6], center), kind);
    expect(pairs).toEqual([{ vulnerability: 0, finding: 0, score: 0.8, [opposite(center)]: 1 }]);
  });

  it('breaks ties by the numbers of the two sides', () => {
    const all = [0, 1, 2].flatMap((vulnerability) =>
      [0, 1, 2].map((finding) => ({ vulnerability, finding, score: 0.5 })),
    );
    const pairs = assigned({ candidates: all, sizes: { vulnerabilities: 3, findings: 3 } }, kind);
    expect(pairs.map(({ finding }) => finding)).toEqual([0, 1, 2]);
  });
});

describe('assign, greedy', () => {
  it('takes the best candidate, then the best of the rest; of equal ones, the first vulnerability, then the first finding', () => {
    fc.assert(
      fc.property(largerCases, (given) => {
        const [vulnerabilities, findings] = [new Set<number>(), new Set<number>()];
        const expected = given.candidates
          .toSorted((a, b) => b.score - a.score || a.vulnerability - b.vulnerability || a.finding - b.finding)
          .filter(({ vulnerability, finding }) => {
            if (vulnerabilities.has(vulnerability) || findings.has(finding)) return false;
            vulnerabilities.add(vulnerability);
            findings.add(finding);
            return true;
          });
        expect(assigned(given, 'greedy')).toEqual(expected.sort((a, b) => a.vulnerability - b.vulnerability));
      }),
    );
  });
});

function opposite(side: 'vulnerability' | 'finding'): 'vulnerability' | 'finding' {
  return side === 'vulnerability' ? 'finding' : 'vulnerability';
}
