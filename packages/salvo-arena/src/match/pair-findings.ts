import { assign } from './assignment/assignment.ts';
import type { Finding } from './claims/finding.ts';
import { readClaim } from './claims/read-claim.ts';
import { createEvidenceMatcher, SAME_FINDING } from './evidence/evidence-matcher.ts';

/**
 * Pairs the findings of one list with those of another that report the same flaw, each at most once: indices of
 * `findings` to indices of `known`.
 */
export function pairFindings(known: readonly Finding[], findings: readonly Finding[]): Map<number, number> {
  if (known.length === 0 || findings.length === 0) return new Map();
  const candidates = createEvidenceMatcher(known.map(readClaim), findings.map(readClaim)).candidates(SAME_FINDING);
  const pairs = assign(candidates, { vulnerabilities: known.length, findings: findings.length }, 'optimal');
  return new Map(pairs.map(({ vulnerability, finding }) => [finding, vulnerability]));
}
