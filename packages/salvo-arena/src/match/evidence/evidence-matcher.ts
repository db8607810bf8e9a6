import { type CreateMatcher, claimAt } from '../candidates/matcher.ts';
import { evidenceCandidates } from './evidence-candidates.ts';
import { gatherEvidence, readEvidenceClaim } from './evidence-claim.ts';
import { explainEvidence } from './explain-evidence.ts';
import { loadLexicon } from './lexicon/lexicon.ts';
import { weigh } from './weighing/weigh.ts';

/**
 * Scores pairs as a person would: by what is wrong (encryption at rest, logging, ...), the object concerned (a bucket,
 * a database, ...), details (SSH or remote desktop), rare words, and the place in the code. Different flaws, objects,
 * details or places keep a score below 0.4, however much else agrees. The place alone proves nothing.
 *
 * A pair's score depends on the pair only. Words are weighted by a lexicon and not by how rare they are in the game, so
 * that a further finding cannot change the scores of others.
 */
export const createEvidenceMatcher: CreateMatcher = (vulnerabilities, findings) => {
  const lexicon = loadLexicon();
  const left = vulnerabilities.map((claim) => readEvidenceClaim(lexicon, claim));
  const right = findings.map((claim) => readEvidenceClaim(lexicon, claim));
  return {
    candidates: (floor) => evidenceCandidates(lexicon, left, right, floor),
    score: (vulnerability, finding) =>
      weigh(gatherEvidence(lexicon, claimAt(left, vulnerability), claimAt(right, finding))).score,
    isInPart: (vulnerability, finding) =>
      gatherEvidence(lexicon, claimAt(left, vulnerability), claimAt(right, finding)).rules === 'in_part',
    explain: (vulnerability, finding) =>
      explainEvidence(
        lexicon,
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
