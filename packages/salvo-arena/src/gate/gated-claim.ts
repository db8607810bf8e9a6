import { readClaim } from '../match/claims/read-claim.ts';
import type { Vulnerability } from '../match/claims/vulnerability.ts';
import { weaknessById, weaknessesOfRule } from '../match/weaknesses/weaknesses.ts';

/** The parts of a manifest entry that can be compared with code. */
export type GatedClaim = ReturnType<typeof readGatedClaim>;

const LONGEST_TEXT = 20_000;
const MOST_RESOURCES = 50;

export function readGatedClaim(vulnerability: Vulnerability) {
  const claim = readClaim(vulnerability);
  const description = claim.description.slice(0, LONGEST_TEXT);
  const [firstSentence = ''] = description.split(/[.;\n](?:\s|$)/, 1);
  const name = `${claim.type} . ${claim.title}`.slice(0, LONGEST_TEXT);
  const byType = weaknessById(claim.type) ? [claim.type] : [];
  return {
    resources: claim.resources.filter((resource) => resource.trim() !== '').slice(0, MOST_RESOURCES),
    /** As they are written: `ingress.cidr_blocks`. */
    attributes: claim.attributes.slice(0, MOST_RESOURCES),
    evidence: claim.evidence.slice(0, LONGEST_TEXT),
    file: claim.file,
    line: claim.line,
    /** Type and title. */
    name,
    headline: `${name} . ${firstSentence}`,
    text: `${name} . ${description}`,
    /** Ids of the catalogue, by the entry's rule ids or its type. */
    weaknesses: [...new Set([...byType, ...claim.rule_ids.flatMap((id) => weaknessesOfRule(id))])],
  };
}
