import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assigned, largerCases } from '../../../test/match/assignment-cases.ts';

describe('greedyAssignment', () => {
  it('takes the best candidate, then the best of what is left; of equals, the first vulnerability, then finding', () => {
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
