import { readClaim } from '../match/claims/read-claim.ts';
import type { Vulnerability } from '../match/claims/vulnerability.ts';
import { weaknessById, weaknessesOfRule } from '../match/weaknesses/weaknesses.ts';

/** The parts of a manifest entry that can be compared with code. */
export interface GatedClaim {
  resources: readonly string[];
  /** As they are written: `ingress.cidr_blocks`. */
  attributes: readonly string[];
  evidence: string;
  file: string | null;
  line: number | null;
  /** Type and title. */
  name: string;
  /** Type, title and the first sentence of the description. */
  headline: string;
  /** The headline and the whole description, without evidence. */
  text: string;
  /** Ids of the catalogue, by the entry's rule ids or its type. */
  weaknesses: readonly string[];
}

const LONGEST_TEXT = 20_000;
const MOST_RESOURCES = 50;

export function readGatedClaim(vulnerability: Vulnerability): GatedClaim {
  const claim = readClaim(vulnerability);
  const description = claim.description.slice(0, LONGEST_TEXT);
  const [firstSentence = ''] = description.split(/[.;\n](?:\s|$)/, 1);
  const name = `${claim.type} . ${claim.title}`.slice(0, LONGEST_TEXT);
  const byType = weaknessById(claim.type) ? [claim.type] : [];
  return {
    resources: claim.resources.filter((resource) => resource.trim() !== '').slice(0, MOST_RESOURCES),
    attributes: claim.attributes.slice(0, MOST_RESOURCES),
    evidence: claim.evidence.slice(0, LONGEST_TEXT),
    file: claim.file,
    line: claim.line,
    name,
    headline: `${name} . ${firstSentence}`,
    text: `${name} . ${description}`,
    weaknesses: [...new Set([...byType, ...claim.rule_ids.flatMap((id) => weaknessesOfRule(id))])],
  };
}
