import { meetsThreshold } from '../../stats/meets-threshold.ts';
import { type CandidateList, createCandidateList } from '../candidates/candidate-list.ts';
import type { CreateMatcher } from '../candidates/matcher.ts';
import type { Claim } from '../claims/claim.ts';
import { anySameAddress } from '../claims/resource-address.ts';
import { type ClaimNumbers, createClaimNumbering } from './claim-numbers.ts';
import { documentedCandidates } from './documented-candidates.ts';
import { countCommon, documentedScore, kindPoints, POINTS } from './documented-score.ts';
import { type ExplainedClaim, explainDocumented } from './explain-documented.ts';
import { createFindingIndex } from './finding-index.ts';

/**
 * Up to this many pairs, all are compared; above, an index finds the candidates. Both give the same candidates, and
 * both are needed: 1,000 x 1,000 takes 8 ms with the index and 56 ms without, 10,000 x 10,000 takes 0.7 s and 6.3 s;
 * games of 5 x 8 are scored at 13,200 a second without the index and at 10,500 with it.
 */
const FEW_PAIRS = 200;

/**
 * The documented score: 0.30 for the same category, 0.25 for the same resource, 0.25 times the share of keywords in
 * common (Jaccard), and 0.20 for the same severity.
 */
export const createDocumentedMatcher: CreateMatcher = (vulnerabilities, findings) => {
  const numbering = createClaimNumbering();
  const vulnerabilityNumbers = vulnerabilities.map(numbering.numbersOf);
  const findingNumbers = findings.map(numbering.numbersOf);
  return {
    candidates: (floor) =>
      vulnerabilities.length * findings.length <= FEW_PAIRS
        ? allPairs(vulnerabilityNumbers, findingNumbers, floor)
        : documentedCandidates(
            vulnerabilityNumbers,
            createFindingIndex(findingNumbers, numbering.keywordCount()),
            floor,
          ),
    score: (vulnerability, finding) =>
      scorePair(
        claimAt(vulnerabilities, vulnerabilityNumbers, vulnerability).numbers,
        claimAt(findings, findingNumbers, finding).numbers,
      ),
    explain: (vulnerability, finding) =>
      explainDocumented(
        claimAt(vulnerabilities, vulnerabilityNumbers, vulnerability),
        claimAt(findings, findingNumbers, finding),
      ),
  };
};

function scorePair(a: ClaimNumbers, b: ClaimNumbers): number {
  const common = countCommon(a.keywords, b.keywords);
  const either = a.keywords.length + b.keywords.length - common;
  return documentedScore(
    kindPoints(a, b) + (anySameAddress(a.addresses, b.addresses) ? POINTS.resource : 0),
    common,
    either,
  );
}

function allPairs(
  vulnerabilities: readonly ClaimNumbers[],
  findings: readonly ClaimNumbers[],
  floor: number,
): CandidateList {
  const list = createCandidateList();
  for (const [vulnerability, a] of vulnerabilities.entries()) {
    for (const [finding, b] of findings.entries()) {
      const score = scorePair(a, b);
      if (meetsThreshold(score, floor)) list.push(vulnerability, finding, score);
    }
  }
  return list.finish();
}

function claimAt(claims: readonly Claim[], numbers: readonly ClaimNumbers[], index: number): ExplainedClaim {
  const claim = claims[index];
  const numbered = numbers[index];
  if (claim === undefined || numbered === undefined) throw new RangeError(`there is no claim ${index}`);
  return { claim, numbers: numbered };
}
