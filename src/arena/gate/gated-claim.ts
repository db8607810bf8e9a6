import { readClaim } from '../../match/claims/read-claim.ts';
import type { Vulnerability } from '../../match/claims/vulnerability.ts';
import { weaknessById, weaknessesOfRule } from '../../match/weaknesses/weaknesses.ts';

/** What an entry of a manifest claims, as far as it can be held against code. */
export interface GatedClaim {
  resources: readonly string[];
  /** As they are written: `ingress.cidr_blocks`. */
  attributes: readonly string[];
  evidence: string;
  file: string | null;
  line: number | null;
  /** Type and title, or what is said first when there is neither. */
  headline: string;
  /** All that is said, quotes left out. */
  text: string;
  /** Of the catalogue, by its rule ids or its type. */
  weaknesses: readonly string[];
}

const LONGEST_TEXT = 20_000;
const MOST_RESOURCES = 50;

export function readGatedClaim(vulnerability: Vulnerability): GatedClaim {
  const claim = readClaim(vulnerability);
  const description = claim.description.slice(0, LONGEST_TEXT);
  const [firstSentence = ''] = description.split(/[.;\n](?:\s|$)/, 1);
  const headline = `${claim.type} . ${claim.title}`.slice(0, LONGEST_TEXT);
  const byType = weaknessById(claim.type) ? [claim.type] : [];
  return {
    resources: claim.resources.filter((resource) => resource.trim() !== '').slice(0, MOST_RESOURCES),
    attributes: claim.attributes.slice(0, MOST_RESOURCES),
    evidence: claim.evidence.slice(0, LONGEST_TEXT),
    file: claim.file,
    line: claim.line,
    headline: `${headline} . ${firstSentence}`,
    text: `${headline} . ${description}`,
    weaknesses: [...new Set([...byType, ...claim.rule_ids.flatMap((id) => weaknessesOfRule(id))])],
  };
}
