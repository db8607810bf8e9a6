import type { Candidate } from '../candidates/candidate-list.ts';
import type { Matcher } from '../candidates/matcher.ts';
import type { Pairing } from './pairing.ts';
import type { NearMiss } from './score-results.ts';

/** What gets less than half of what it needs did not come near. */
const NEAR = 0.5;
/** Beyond this many pairs to look at, only findings that reach the threshold are near misses: the rest would cost more than the game. */
const MOST_PAIRS = 50_000;

/**
 * For each vulnerability that evaded the finding that came closest, if one came near: it stayed below the threshold, or
 * it reached it and serves another vulnerability.
 */
export function nearMissesOf(
  matcher: Matcher,
  { candidates, findingOf, vulnerabilityOf }: Pairing,
  matchThreshold: number,
): (Candidate & Pick<NearMiss, 'reason'>)[] {
  const best = new Map<number, Candidate>();
  const consider = (vulnerability: number, finding: number, score: number) => {
    const known = best.get(vulnerability);
    if (known && (known.score > score || (known.score === score && known.finding < finding))) return;
    best.set(vulnerability, { vulnerability, finding, score });
  };
  for (let index = 0; index < candidates.length; index += 1) {
    const vulnerability = candidates.vulnerability[index] ?? 0;
    if (findingOf[vulnerability] === -1) {
      consider(vulnerability, candidates.finding[index] ?? 0, candidates.score[index] ?? 0);
    }
  }
  const taken = new Set(best.keys());
  const alone: number[] = [];
  for (const [vulnerability, finding] of findingOf.entries()) {
    if (finding === -1 && !taken.has(vulnerability)) alone.push(vulnerability);
  }
  const findings = vulnerabilityOf.length;
  if (alone.length * findings <= MOST_PAIRS) {
    const floor = Math.max(NEAR * matchThreshold, Number.MIN_VALUE);
    for (const vulnerability of alone) {
      for (let finding = 0; finding < findings; finding += 1) {
        const score = matcher.score(vulnerability, finding);
        if (score >= floor) consider(vulnerability, finding, score);
      }
    }
  }
  return [...best.values()].map((pair) => {
    return { ...pair, reason: taken.has(pair.vulnerability) ? 'taken' : 'below_threshold' };
  });
}
