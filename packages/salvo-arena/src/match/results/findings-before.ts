import { forEachCandidate } from '../candidates/candidate-list.ts';
import type { Claim } from '../claims/claim.ts';
import type { PresentBefore } from '../claims/present-before.ts';
import { readClaim } from '../claims/read-claim.ts';
import { createEvidenceMatcher } from '../evidence/evidence-matcher.ts';
import { createNearness } from '../evidence/nearness.ts';
import { SAME_FINDING } from '../evidence/same-finding.ts';
import { whyItFollows } from '../weaknesses/weakness-relations.ts';
import { weaknessById, weaknessesOfRule } from '../weaknesses/weaknesses.ts';

/** Findings about weaknesses that the code had before flaws were planted: indices. */
export interface FindingsBefore {
  /** Their rule reports the weakness, or one that follows from it. */
  byRule: ReadonlySet<number>;
  /** They have no known rule, and say the same. */
  byWords: ReadonlySet<number>;
}

export function findingsBefore(findings: readonly Claim[], listed: readonly PresentBefore[]): FindingsBefore {
  const byRule = new Set<number>();
  const byWords = new Set<number>();
  if (listed.length === 0) return { byRule, byWords };
  const claims = listed.map(claimOf);
  const nearness = createNearness(claims, findings);
  const isThere = (entry: number, finding: number) => ['same', 'part'].includes(nearness(entry, finding));
  for (const [index, finding] of findings.entries()) {
    const weaknesses = finding.rule_ids.flatMap(weaknessesOfRule);
    const isListed = ({ weakness }: PresentBefore) =>
      weaknesses.some((id) => id === weakness || whyItFollows(weakness, id) !== null);
    if (listed.some((entry, at) => isListed(entry) && isThere(at, index))) byRule.add(index);
  }
  forEachCandidate(createEvidenceMatcher(claims, findings).candidates(SAME_FINDING), (entry, finding) => {
    const isUnknown = findings[finding]?.rule_ids.every((id) => weaknessesOfRule(id).length === 0) ?? false;
    if (isUnknown && isThere(entry, finding)) byWords.add(finding);
  });
  return { byRule, byWords };
}

function claimOf({ weakness, resource }: PresentBefore): Claim {
  const known = weaknessById(weakness);
  return readClaim({
    resource,
    rule_id: weakness,
    type: known?.category ?? '',
    title: known?.title ?? weakness.replaceAll('-', ' '),
  });
}
