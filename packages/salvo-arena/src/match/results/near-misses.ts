import { type Candidate, forEachCandidate } from '../candidates/candidate-list.ts';
import type { Matcher } from '../candidates/matcher.ts';
import type { Pairing } from './pairing.ts';
import type { NearMiss } from './score-results.ts';

/** A score below half of the threshold is no near miss. */
const NEAR = 0.5;
/**
 * Beyond this many pairs, only findings that reach the threshold are near misses: comparing the others would take
 * longer than the rest of the scoring.
 */
const MOST_PAIRS = 50_000;

/**
 * The closest finding for each vulnerability that evaded, if one is close enough. It is below the threshold, or it
 * reaches the threshold and is matched with another vulnerability, or it is excluded because no flaw caused it.
 */
export function nearMissesOf(
  matcher: Matcher,
  { candidates, findingOf, vulnerabilityOf }: Pairing,
  { matchThreshold, excluded }: { matchThreshold: number; excluded: ReadonlySet<number> },
): (Candidate & Pick<NearMiss, 'reason'>)[] {
  const best = new Map<number, Candidate>();
  const consider = (vulnerability: number, finding: number, score: number) => {
    const known = best.get(vulnerability);
    if (known && (known.score > score || (known.score === score && known.finding < finding))) return;
    best.set(vulnerability, { vulnerability, finding, score });
  };
  forEachCandidate(candidates, (vulnerability, finding, score) => {
    if (findingOf[vulnerability] === -1) consider(vulnerability, finding, score);
  });
  const taken = new Set(best.keys());
  const withoutCandidate: number[] = [];
  for (const [vulnerability, finding] of findingOf.entries()) {
    if (finding === -1 && !taken.has(vulnerability)) withoutCandidate.push(vulnerability);
  }
  const findings = vulnerabilityOf.length;
  if (withoutCandidate.length * findings <= MOST_PAIRS) {
    const floor = Math.max(NEAR * matchThreshold, Number.MIN_VALUE);
    for (const vulnerability of withoutCandidate) {
      for (let finding = 0; finding < findings; finding += 1) {
        const score = matcher.score(vulnerability, finding);
        if (score >= floor) consider(vulnerability, finding, score);
      }
    }
  }
  return [...best.values()].map((pair) => {
    if (excluded.has(pair.finding)) return { ...pair, reason: 'in_twin' };
    return { ...pair, reason: taken.has(pair.vulnerability) ? 'taken' : 'below_threshold' };
  });
}
