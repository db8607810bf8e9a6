import type { CreateMatcher } from '../candidates/matcher.ts';
import { evidenceCandidates } from './evidence-candidates.ts';
import { type EvidenceClaim, gatherEvidence, readEvidenceClaim } from './evidence-claim.ts';
import { explainEvidence } from './explain-evidence.ts';
import { loadLexicon } from './lexicon.ts';
import { weigh } from './weigh.ts';

/**
 * Scores pairs as a person would: by what each side says is wrong (encryption at rest, logging, ...), with what (a bucket,
 * a database, ...), in which details (SSH or remote desktop), in which rare words, and where in the code. Different flaws,
 * things, details or places hold a score below 0.4, however much else agrees; the place alone proves nothing.
 *
 * A pair's score depends on nothing but the pair. Words are weighted by a lexicon and not by how rare they are in the game,
 * so that a further finding cannot change what others are worth.
 */
export const createEvidenceMatcher: CreateMatcher = (vulnerabilities, findings) => {
  const lexicon = loadLexicon();
  const left = vulnerabilities.map((claim) => readEvidenceClaim(lexicon, claim));
  const right = findings.map((claim) => readEvidenceClaim(lexicon, claim));
  return {
    candidates: (floor) => evidenceCandidates(lexicon, left, right, floor),
    score: (vulnerability, finding) =>
      weigh(gatherEvidence(lexicon, claimAt(left, vulnerability), claimAt(right, finding))).score,
    explain: (vulnerability, finding) =>
      explainEvidence(lexicon, claimAt(left, vulnerability), claimAt(right, finding)),
  };
};

function claimAt(claims: readonly EvidenceClaim[], index: number): EvidenceClaim {
  const claim = claims[index];
  if (claim === undefined) throw new RangeError(`There is no claim at ${index}: there are ${claims.length}.`);
  return claim;
}
