import { meetsThreshold } from 'salvo/kit/stats';
import type { CandidateList } from '../candidates/candidate-list.ts';
import { type CreateMatcher, claimAt } from '../candidates/matcher.ts';
import { anySameAddress } from '../claims/resource-address.ts';
import { type ClaimNumbers, createClaimNumbering } from './claim-numbers.ts';
import { documentedCandidates } from './documented-candidates.ts';
import { countCommon, documentedScore, kindPoints, POINTS } from './documented-score.ts';
import { explainDocumented } from './explain-documented.ts';
import { createFindingIndex } from './finding-index.ts';

/**
 * Up to this many pairs, all are compared; above, an index finds the candidates. Both give the same candidates, and
 * both are needed: 1,000 x 1,000 takes 8 ms with the index and 56 ms without, 10,000 x 10,000 takes 0.7 s and 6.3 s;
 * games of 5 x 8 are scored a quarter faster without the index.
 */
const FEW_PAIRS = 200;

/**
 * The documented score: 0.30 for the same category, 0.25 for the same resource, 0.25 times the share of keywords in
 * common (Jaccard), and 0.20 for the same severity.
 */
export const createDocumentedMatcher: CreateMatcher = (vulnerabilities, findings) => {
  const numbering = createClaimNumbering();
  const left = vulnerabilities.map(numbering.numbersOf);
  const right = findings.map(numbering.numbersOf);
  return {
    candidates: (floor) =>
      left.length * right.length <= FEW_PAIRS
        ? allPairs(left, right, floor)
        : documentedCandidates(left, createFindingIndex(right, numbering.keywordCount()), floor),
    score: (vulnerability, finding) => scorePair(claimAt(left, vulnerability), claimAt(right, finding)),
    explain: (vulnerability, finding) => explainDocumented(claimAt(left, vulnerability), claimAt(right, finding)),
  };
};

function scorePair(a: ClaimNumbers, b: ClaimNumbers): number {
  const common = countCommon(a.keywords, b.keywords);
  const either = a.keywords.length + b.keywords.length - common;
  const resource = anySameAddress(a.addresses, b.addresses) ? POINTS.resource : 0;
  return documentedScore(kindPoints(a, b) + resource, common, either);
}

function allPairs(
  vulnerabilities: readonly ClaimNumbers[],
  findings: readonly ClaimNumbers[],
  floor: number,
): CandidateList {
  // Ordinary lists first: columns that grow are made anew each time, which is most of the work for so few pairs.
  const [inVulnerabilities, inFindings, scores]: [number[], number[], number[]] = [[], [], []];
  vulnerabilities.forEach((a, vulnerability) => {
    findings.forEach((b, finding) => {
      const score = scorePair(a, b);
      if (!meetsThreshold(score, floor)) return;
      inVulnerabilities.push(vulnerability);
      inFindings.push(finding);
      scores.push(score);
    });
  });
  return {
    length: scores.length,
    vulnerability: new Int32Array(inVulnerabilities),
    finding: new Int32Array(inFindings),
    score: new Float64Array(scores),
  };
}
