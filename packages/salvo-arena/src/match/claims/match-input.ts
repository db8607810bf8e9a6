import { canonicalOrder } from './canonical-order.ts';
import type { Claim } from './claim.ts';
import { fieldKeys } from './claim-fields.ts';
import { readLocations } from './flaw-location.ts';
import { readClaim, readClaimFields, readLabels, type VulnerabilityLabels } from './read-claim.ts';

const WEAKNESS_ID = /^[a-z0-9-]{3,80}$/;

type Records = readonly Record<string, unknown>[];

/** One side in an order that depends on its content only, so that the order of the input decides nothing. */
export interface Side {
  claims: readonly Claim[];
  /** The index of each claim in the input. */
  positions: readonly number[];
}

/** A manifest and the findings on it, ready to be matched. */
export type MatchInput = ReturnType<typeof buildMatchInput>;

export function buildMatchInput(vulnerabilities: Records, findings: Records) {
  /** Of the vulnerabilities, in the order of the input. */
  const labels: VulnerabilityLabels[] = [];
  const claims = vulnerabilities.map((record, index) => {
    const keys = fieldKeys(record);
    const label = readLabels(record, keys, index);
    labels.push(label);
    const claim = readClaimFields(record, keys);
    // The id of a weakness is a rule id: some weaknesses have no rule of any scanner.
    const rule_ids = WEAKNESS_ID.test(label.weakness) ? [...claim.rule_ids, label.weakness] : claim.rule_ids;
    return { ...claim, rule_ids, locations: readLocations(record.locations) };
  });
  return {
    vulnerabilities: sideInCanonicalOrder(claims, labels.map(tieBreaker)),
    findings: readSide(findings),
    sizes: { vulnerabilities: vulnerabilities.length, findings: findings.length },
    labels,
  };
}

/** A pair of the matcher's indices, as the input names it. */
export function pairInInput(
  { vulnerabilities, findings, labels }: MatchInput,
  pair: { vulnerability: number; finding: number },
) {
  const vulnerabilityIndex = vulnerabilities.positions[pair.vulnerability] ?? 0;
  return {
    vulnerabilityId: labels[vulnerabilityIndex]?.id ?? '',
    vulnerabilityIndex,
    findingIndex: findings.positions[pair.finding] ?? 0,
  };
}

/** A side on its own, such as a report on other code. */
export function readSide(records: Records): Side {
  return sideInCanonicalOrder(records.map(readClaim));
}

function sideInCanonicalOrder(claims: readonly Claim[], tieBreakers?: readonly string[]): Side {
  const positions = canonicalOrder(claims, tieBreakers);
  return { claims: positions.flatMap((position) => claims[position] ?? []), positions };
}

/** Orders identical claims by id, difficulty and technique; never by position, since input order must not matter. */
function tieBreaker({ id, difficulty, technique }: VulnerabilityLabels): string {
  return [id.startsWith('#') ? '' : id, difficulty, technique].join('\n');
}
