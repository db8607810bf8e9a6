import { formatScore } from 'salvo/kit/stats';
import { z } from 'zod';
import type { Claim } from '../claims/claim.ts';
import type { CandidateList } from './candidate-list.ts';

/** How much one factor contributed to a pair's score. */
export const factorSchema = z.object({
  /** Such as `category` or `resource`. */
  name: z.string(),
  points: z.number(),
  /** The most it could have given; 0 when it can only take away. */
  most: z.number(),
  /** In words, for a person: `both are about encryption`. */
  reason: z.string(),
});

export type Factor = z.infer<typeof factorSchema>;

/** Compares the vulnerabilities of one manifest with the findings on it. */
export interface Matcher {
  /** Every pair with a score of at least `floor` (which is above 0), each once. No such pair may be left out. */
  candidates(floor: number): CandidateList;
  /** The score of any pair, the same as among the candidates. */
  score(vulnerability: number, finding: number): number;
  /** Whether the finding names a part of the vulnerability only, so that it is a match but never a duplicate. */
  isInPart?(vulnerability: number, finding: number): boolean;
  /** The factors of a pair's score. Their points add up to the score, before it is limited to its range. */
  explain(vulnerability: number, finding: number): Factor[];
}

/** Options of matchers. A matcher ignores those that are not its own. */
export interface MatcherOptions {
  /** Evidence: `same` if "not encrypted with a key of one's own" is to count as "not encrypted". */
  keys?: 'different' | 'same' | undefined;
}

export type CreateMatcher = (
  vulnerabilities: readonly Claim[],
  findings: readonly Claim[],
  options?: MatcherOptions,
) => Matcher;

export const MATCHER_NAMES = ['documented', 'evidence'] as const;

export type MatcherName = (typeof MATCHER_NAMES)[number];

export function claimAt<T>(claims: readonly T[], index: number): T {
  const claim = claims[index];
  if (claim === undefined) throw new RangeError(`There is no claim at ${index}: there are ${claims.length}.`);
  return claim;
}

/**
 * Where a pair's score comes from, as one sentence: first the factors that gave points, then those that did not.
 * `0.55: category 0.30 (both are about encryption), resource 0.25 (...); no points for severity (...)`
 */
export function explainPair(score: number, factors: readonly Factor[]): string {
  const gavePoints = ({ points }: Factor) => Math.abs(points) >= 0.005;
  const given = factors
    .filter(gavePoints)
    .map(({ name, points, reason }) => `${name} ${points.toFixed(2)} (${reason})`);
  const missing = factors.filter((factor) => !gavePoints(factor)).map(({ name, reason }) => `${name} (${reason})`);
  const parts = [given.join(', '), missing.length > 0 ? `no points for ${missing.join(', ')}` : ''].filter(Boolean);
  return parts.length === 0 ? formatScore(score) : `${formatScore(score)}: ${parts.join('; ')}`;
}
