import { createCandidateList, forEachCandidate } from '../candidates/candidate-list.ts';
import type { Matcher } from '../candidates/matcher.ts';
import type { Claim } from '../claims/claim.ts';
import type { MatchInput, Side } from '../claims/match-input.ts';
import type { PresentBefore } from '../claims/present-before.ts';
import { readClaim } from '../claims/read-claim.ts';
import { createEvidenceMatcher, SAME_FINDING } from '../evidence/evidence-matcher.ts';
import { createNearness } from '../evidence/nearness.ts';
import { whyItFollows } from '../weaknesses/weakness-relations.ts';
import { weaknessById, weaknessesOfRule } from '../weaknesses/weaknesses.ts';
import { pairWithTwin } from './pair-with-twin.ts';

/** What Blue reports on the clean twin, and what was wrong before flaws were planted. */
export interface KnownBefore {
  /** Null when Blue did not look at the twin. */
  twin: Side | null;
  presentBefore: readonly PresentBefore[];
}

export type TwinComparison = ReturnType<typeof compareWithTwin>;

/**
 * Compares the findings with those on the clean twin: what is known about them before they are matched. Indices are
 * those of the matcher.
 */
export function compareWithTwin(input: MatchInput, { twin, presentBefore }: KnownBefore) {
  const findings = input.findings.claims;
  const before = findingsAbout(findings, presentBefore);
  /** Whether the finding is about a weakness that the code had before flaws were planted. */
  const isPresentBefore = (finding: number) => before.byRule.has(finding) || before.byWords.has(finding);
  const sameAs = twin && pairWithTwin(findings, twin.claims, (finding) => isAtFlaw(input, findings[finding]));
  /** Whether Blue reports the finding on the twin, too. */
  const isInTwin = (finding: number) => sameAs !== null && sameAs[finding] !== -1;
  /** The index of the same finding in the report on the twin; undefined if it is not there. */
  const twinIndexOf = (finding: number) => (isInTwin(finding) ? twin?.positions[sameAs?.[finding] ?? -1] : undefined);
  const twinBefore = twin && findingsAbout(twin.claims, presentBefore);
  return {
    hasTwin: twin !== null,
    isInTwin,
    twinIndexOf,
    isPresentBefore,
    /** Findings that no flaw caused, which must never become a match. By words alone, one about a flaw could be. */
    excluded: new Set([...before.byRule, ...(twin ? [...findings.keys()].filter(isInTwin) : [])]),
    /** Findings on the twin about nothing that was wrong before: indices of the report on the twin. */
    cleanAlarms: (twin?.positions ?? [])
      .filter((_, index) => !twinBefore?.byRule.has(index) && !twinBefore?.byWords.has(index))
      .toSorted((a, b) => a - b),
  };
}

/** Whether the finding points at the lines of a flaw. */
function isAtFlaw({ vulnerabilities }: MatchInput, finding: Claim | undefined): boolean {
  if (!finding || finding.line === null) return false;
  const [first, last] = [finding.line, finding.end_line ?? finding.line];
  return vulnerabilities.claims.some(
    ({ file, line, end_line }) =>
      file === finding.file &&
      line !== null &&
      first <= (end_line ?? line) &&
      line <= last &&
      last - first < WHOLE_BLOCK,
  );
}

/** A finding with more lines is about a block as a whole, and says nothing about which of its lines is meant. */
const WHOLE_BLOCK = 10;

/** The matcher without these findings among its candidates. */
export function withoutFindings(matcher: Matcher, excluded: ReadonlySet<number>): Matcher {
  if (excluded.size === 0) return matcher;
  return {
    ...matcher,
    candidates(floor) {
      const kept = createCandidateList();
      forEachCandidate(matcher.candidates(floor), (vulnerability, finding, score) => {
        if (!excluded.has(finding)) kept.push(vulnerability, finding, score);
      });
      return kept.finish();
    },
  };
}

/** The indices of findings about listed weaknesses at their resources: what was wrong before, or what looks wrong. */
export function findingsAbout(findings: readonly Claim[], listed: readonly PresentBefore[]) {
  /** Their rule reports the weakness, or one that follows from it. */
  const byRule = new Set<number>();
  /** They have no known rule, and say the same. */
  const byWords = new Set<number>();
  /** Indices of what is listed, if a finding is about it. */
  const reported = new Set<number>();
  if (listed.length === 0) return { byRule, byWords, reported };
  const claims = listed.map(claimOf);
  const nearness = createNearness(claims, findings);
  const isThere = (entry: number, finding: number) => ['same', 'part'].includes(nearness(entry, finding).relation);
  for (const [index, finding] of findings.entries()) {
    const weaknesses = finding.rule_ids.flatMap(weaknessesOfRule);
    const isListed = ({ weakness }: PresentBefore) =>
      weaknesses.some((id) => id === weakness || whyItFollows(weakness, id) !== null);
    for (const [at, entry] of listed.entries()) {
      if (!isListed(entry) || !isThere(at, index)) continue;
      byRule.add(index);
      reported.add(at);
    }
  }
  forEachCandidate(createEvidenceMatcher(claims, findings).candidates(SAME_FINDING), (entry, finding) => {
    const isUnknown = findings[finding]?.rule_ids.every((id) => weaknessesOfRule(id).length === 0) ?? false;
    if (!isUnknown || !isThere(entry, finding)) return;
    byWords.add(finding);
    reported.add(entry);
  });
  return { byRule, byWords, reported };
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
