import { canonicalOrder } from './canonical-order.ts';
import type { Claim } from './claim.ts';
import { findingClaim, vulnerabilityClaim } from './claims.ts';
import { findingRecords, vulnerabilityRecords } from './match-input-records.ts';
import { type VulnerabilityLabels, vulnerabilityLabels } from './vulnerability-labels.ts';

/** One side of a game in an order that depends on what is in it only, so that the order of the input decides nothing. */
interface Side {
  claims: readonly Claim[];
  /** Where each of the claims stood in the input. */
  positions: readonly number[];
}

/** A Red against a Blue, ready to be matched. */
export interface Game {
  vulnerabilities: Side;
  findings: Side;
  /** Of the vulnerabilities, in the order of the input. */
  labels: readonly VulnerabilityLabels[];
}

/** Throws a `JudgeError` when one of the two cannot be read. */
export function gameOf(manifest: unknown, findings: unknown): Game {
  const records = vulnerabilityRecords(manifest);
  const labels = records.map(vulnerabilityLabels);
  return {
    vulnerabilities: inOrder(records.map(vulnerabilityClaim), labels.map(tieBreaker)),
    findings: inOrder(findingRecords(findings).map(findingClaim)),
    labels,
  };
}

function inOrder(claims: readonly Claim[], tieBreakers?: readonly string[]): Side {
  const positions = canonicalOrder(claims, tieBreakers);
  const ordered: Claim[] = [];
  for (const position of positions) {
    const claim = claims[position];
    if (claim) ordered.push(claim);
  }
  return { claims: ordered, positions };
}

/** Vulnerabilities that claim the same may still be told apart. By its place is not how: that is what must not count. */
function tieBreaker({ id, difficulty, technique }: VulnerabilityLabels): string {
  return [id.startsWith('#') ? '' : id, difficulty, technique].join('\n');
}
