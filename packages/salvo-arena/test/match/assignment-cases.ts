import fc from 'fast-check';
import { seededRandom } from '../../../salvo/src/stats/seeded-random.ts';
import { assign } from '../../src/match/assignment/assignment.ts';
import type { Sizes } from '../../src/match/assignment/candidate-graph.ts';
import { type Candidate, type CandidateList, createCandidateList } from '../../src/match/candidates/candidate-list.ts';

/** Candidates to choose from. */
export interface AssignmentCase {
  candidates: Candidate[];
  sizes: Sizes;
}

/** Scores of the documented formula are often equal, those of other matchers hardly ever. */
const SCORES = {
  tying: (at: number) => [0.4, 0.45, 0.5, 0.55, 0.75, 1][Math.floor(at * 6)] ?? 1,
  any: (at: number) => (400_000 + Math.floor(600_000 * at)) / 1_000_000,
};

/** Generated cell by cell from a seed, because fast-check itself is slow for thousands of cells. */
function cases(most: number): fc.Arbitrary<AssignmentCase> {
  return fc
    .record({
      vulnerabilities: fc.nat(most),
      findings: fc.nat(most),
      density: fc.constantFrom(0.1, 0.4, 1),
      scores: fc.constantFrom('tying', 'any'),
      seed: fc.nat(),
    })
    .map(({ vulnerabilities, findings, density, scores, seed }) => {
      const random = seededRandom(seed);
      const candidates: Candidate[] = [];
      for (let vulnerability = 0; vulnerability < vulnerabilities; vulnerability += 1) {
        for (let finding = 0; finding < findings; finding += 1) {
          if (random() < density) candidates.push({ vulnerability, finding, score: SCORES[scores](random()) });
        }
      }
      return { candidates, sizes: { vulnerabilities, findings } };
    });
}

export const smallCases = cases(5);
export const largerCases = cases(40);

export const assigned = ({ candidates, sizes }: AssignmentCase, kind: 'optimal' | 'greedy' = 'optimal'): Candidate[] =>
  assign(candidateListOf(candidates), sizes, kind);
/** In whole billionths. */
export const totalOf = (pairs: readonly Candidate[]): number =>
  pairs.reduce((sum, { score }) => sum + Math.round(score * 1e9), 0);

/** A path that alternates between the sides: finding 0, vulnerability 0, finding 1, vulnerability 1, and so on. */
export function chain(...scores: number[]): AssignmentCase {
  const candidates = scores.map((score, at) => ({ vulnerability: at >> 1, finding: (at + 1) >> 1, score }));
  return { candidates, sizes: { vulnerabilities: (scores.length >> 1) + 1, findings: ((scores.length + 1) >> 1) + 1 } };
}

export function star(scores: readonly number[], center: 'vulnerability' | 'finding'): AssignmentCase {
  const candidates = scores.map((score, at) =>
    center === 'vulnerability' ? { vulnerability: 0, finding: at, score } : { vulnerability: at, finding: 0, score },
  );
  const sizes =
    center === 'vulnerability'
      ? { vulnerabilities: 1, findings: scores.length }
      : { vulnerabilities: scores.length, findings: 1 };
  return { candidates, sizes };
}

/** The columns that `assign` takes. */
export function candidateListOf(candidates: readonly Candidate[]): CandidateList {
  const list = createCandidateList();
  for (const { vulnerability, finding, score } of candidates) list.push(vulnerability, finding, score);
  return list.finish();
}
