import { type CreateMatcher, claimAt } from '../candidates/matcher.ts';
import { evidenceCandidates } from './evidence-candidates.ts';
import { type EvidenceClaim, gatherEvidence, readEvidenceClaim, withAlone } from './evidence-claim.ts';
import { explainEvidence } from './explain-evidence.ts';
import { loadLexicon } from './lexicon/lexicon.ts';
import { weigh } from './weighing/weigh.ts';

/**
 * Scores pairs as a person would: by what is wrong (encryption at rest, logging, ...), the object concerned (a bucket,
 * a database, ...), details (SSH or remote desktop), rare words, and the place in the code. Different flaws, objects,
 * details or places keep a score below 0.4, however much else agrees. The place alone proves nothing.
 *
 * A pair's score depends on the pair and on whether the manifest has another flaw of the service. Words are weighted by a
 * lexicon and not by how rare they are in the game, so that a further finding cannot change the scores of others.
 */
export const createEvidenceMatcher: CreateMatcher = (vulnerabilities, findings, options) => {
  const lexicon = loadLexicon();
  const left = withAlone(
    lexicon,
    vulnerabilities.map((claim) => readEvidenceClaim(lexicon, claim)),
  );
  const right = findings.map((claim) => readEvidenceClaim(lexicon, claim));
  const gather = (vulnerability: EvidenceClaim, finding: EvidenceClaim) =>
    gatherEvidence(lexicon, vulnerability, finding, options);
  const evidenceOf = (vulnerability: number, finding: number) =>
    gather(claimAt(left, vulnerability), claimAt(right, finding));
  return {
    candidates: (floor) => evidenceCandidates(lexicon, left, right, { floor, gather }),
    score: (vulnerability, finding) => weigh(evidenceOf(vulnerability, finding)).score,
    isInPart: (vulnerability, finding) => evidenceOf(vulnerability, finding).rules === 'in_part',
    explain: (vulnerability, finding) =>
      explainEvidence(
        lexicon,
        evidenceOf(vulnerability, finding),
        [claimAt(left, vulnerability), claimAt(vulnerabilities, vulnerability)],
        [claimAt(right, finding), claimAt(findings, finding)],
      ),
  };
};

/**
 * The score from which two findings say the same: of several reporters, of the flawed code and its clean twin, or of
 * what the code had before. It is above the threshold of a match. A flaw is paired with the best of many findings and
 * may be described loosely, while these are mostly titles of rules, whose labels agree best with scores from 0.7 on; and
 * a wrong pair here hides a finding that could be a match.
 */
export const SAME_FINDING = 0.7;
