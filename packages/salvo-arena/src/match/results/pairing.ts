import { THRESHOLD_TOLERANCE } from 'salvo/kit/stats';
import { assign } from '../assignment/assignment.ts';
import type { Sizes } from '../assignment/candidate-graph.ts';
import { type Candidate, forEachCandidate } from '../candidates/candidate-list.ts';
import type { Matcher } from '../candidates/matcher.ts';

/** What decides which pairs are matches, and of which type. */
export interface MatchSettings {
  /** The lowest score of a match. */
  matchThreshold: number;
  /** The lowest score of an exact match. */
  exactThreshold: number;
  assignment: 'optimal' | 'greedy';
}

/** Which vulnerability was paired with which finding. All indices are those of the matcher. */
export type Pairing = ReturnType<typeof pairUp>;

/**
 * The lowest score of any candidate. Matchers accept scores that are below a floor by no more than the tolerance, and a
 * pair with nothing in common must not be accepted.
 */
export const LEAST_SCORE = 2 * THRESHOLD_TOLERANCE;

/** Pairs up the two sides. A pair with nothing in common is no match, however low the threshold. */
export function pairUp(matcher: Matcher, sizes: Sizes, settings: MatchSettings) {
  /** Every pair that reaches the threshold, chosen or not. */
  const candidates = matcher.candidates(Math.max(settings.matchThreshold, LEAST_SCORE));
  const chosen = assign(candidates, sizes, settings.assignment);
  /** The finding of each vulnerability, or -1. */
  const findingOf = new Int32Array(sizes.vulnerabilities).fill(-1);
  /** The vulnerability of each finding, or -1. */
  const vulnerabilityOf = new Int32Array(sizes.findings).fill(-1);
  for (const { vulnerability, finding } of chosen) {
    findingOf[vulnerability] = finding;
    vulnerabilityOf[finding] = vulnerability;
  }
  return { candidates, chosen, findingOf, vulnerabilityOf };
}

/**
 * Further findings of vulnerabilities that are matched already: each finding without a match that reaches the threshold
 * with a vulnerability, paired with the vulnerability it fits best. That vulnerability always has a match, because an
 * assignment never leaves both sides of a candidate without a partner.
 */
export function duplicatesOf({ candidates, findingOf, vulnerabilityOf }: Pairing): Candidate[] {
  const best = new Map<number, Candidate>();
  forEachCandidate(candidates, (vulnerability, finding, score) => {
    if (vulnerabilityOf[finding] !== -1 || findingOf[vulnerability] === -1) return;
    const known = best.get(finding);
    // Of equal scores the first vulnerability wins, in whatever order the candidates come.
    if (known && (known.score > score || (known.score === score && known.vulnerability < vulnerability))) return;
    best.set(finding, { vulnerability, finding, score });
  });
  return [...best.values()];
}
