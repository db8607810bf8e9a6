import type { Candidate } from '../candidates/candidate-list.ts';
import type { Pairing } from './pairing.ts';

/**
 * Further findings of vulnerabilities that are matched already: each finding without a match that reaches the threshold
 * with a vulnerability, paired with the one it fits best. Such a vulnerability always has a match: a pairing that leaves
 * both sides of a candidate alone would not be the best.
 */
export function duplicatesOf({ candidates, findingOf, vulnerabilityOf }: Pairing): Candidate[] {
  const best = new Map<number, Candidate>();
  for (let index = 0; index < candidates.length; index += 1) {
    const vulnerability = candidates.vulnerability[index] ?? 0;
    const finding = candidates.finding[index] ?? 0;
    const score = candidates.score[index] ?? 0;
    if (vulnerabilityOf[finding] !== -1 || findingOf[vulnerability] === -1) continue;
    const known = best.get(finding);
    // Of equals the first, whatever order the candidates come in.
    if (known && (known.score > score || (known.score === score && known.vulnerability < vulnerability))) continue;
    best.set(finding, { vulnerability, finding, score });
  }
  return [...best.values()];
}
