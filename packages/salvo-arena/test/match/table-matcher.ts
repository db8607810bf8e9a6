import type { Matcher } from '../../src/match/candidates/matcher.ts';
import { candidateListOf } from './assignment-cases.ts';

/** A matcher with the given scores: a row for each vulnerability, a column for each finding. */
export function tableMatcher(scores: readonly (readonly number[])[]): Matcher {
  const score = (vulnerability: number, finding: number) => scores[vulnerability]?.[finding] ?? 0;
  return {
    score,
    candidates: (floor) =>
      candidateListOf(
        scores.flatMap((row, vulnerability) =>
          row.flatMap((each, finding) => (each >= floor ? [{ vulnerability, finding, score: each }] : [])),
        ),
      ),
    explain: (vulnerability, finding) => [
      { name: 'table', points: score(vulnerability, finding), most: 1, reason: 'as written' },
    ],
  };
}
