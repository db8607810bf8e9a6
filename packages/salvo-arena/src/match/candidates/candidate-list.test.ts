import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { candidateListOf } from '../../../test/match/assignment-cases.ts';
import type { Candidate } from './candidate-list.ts';
import { createCandidateList } from './candidate-list.ts';

const candidate: fc.Arbitrary<Candidate> = fc.record({
  vulnerability: fc.nat(2 ** 31 - 1),
  finding: fc.nat(2 ** 31 - 1),
  score: fc.double({ min: 0, max: 1, noNaN: true }),
});

describe('a candidate list', () => {
  it('is empty when nothing was pushed', () => {
    const list = createCandidateList().finish();
    expect(list.length).toBe(0);
    expect([list.vulnerability.length, list.finding.length, list.score.length]).toEqual([0, 0, 0]);
  });

  it('has every candidate, in order and to the last bit, however often it grew', () => {
    fc.assert(
      fc.property(fc.array(candidate, { maxLength: 500 }), (candidates) => {
        const list = candidateListOf(candidates);
        expect(list.length).toBe(candidates.length);
        expect([...list.vulnerability]).toEqual(candidates.map(({ vulnerability }) => vulnerability));
        expect([...list.finding]).toEqual(candidates.map(({ finding }) => finding));
        expect([...list.score]).toEqual(candidates.map(({ score }) => score));
      }),
    );
  });
});
