import type { CandidateList } from './assignment/candidate-list.ts';
import type { Claim } from './claims/claim.ts';

/** A pair that may be matched. Indices are those of the lists the matcher was made for. */
export interface Candidate {
  vulnerability: number;
  finding: number;
  /** From 0 to 1. */
  score: number;
}

/** What one factor gave to a pair's score. */
export interface Factor {
  /** Such as `category` or `resource`. */
  name: string;
  points: number;
  /** The most it could have given; 0 when it can only take away. */
  most: number;
  /** In words, for a person: `both are about encryption`. */
  reason: string;
}

/** Compares the vulnerabilities of one manifest with the findings on it. */
export interface Matcher {
  /** Every pair with a score of at least `floor` (which is above 0), each once. It may not miss one. */
  candidates(floor: number): CandidateList;
  /** The score of any pair, the same as among the candidates. */
  score(vulnerability: number, finding: number): number;
  /** How a pair's score came about. The points add up to the score, but for its bounds. */
  explain(vulnerability: number, finding: number): Factor[];
}

export type CreateMatcher = (vulnerabilities: readonly Claim[], findings: readonly Claim[]) => Matcher;

export type MatcherName = 'documented' | 'evidence';
