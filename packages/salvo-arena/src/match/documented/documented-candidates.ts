import { meetsThreshold } from 'salvo/kit/stats';
import { type CandidateList, type CandidateListBuilder, createCandidateList } from '../candidates/candidate-list.ts';
import type { ClaimNumbers } from './claim-numbers.ts';
import { documentedScore, kindPoints, POINTS } from './documented-score.ts';
import type { FindingGroup, FindingIndex } from './finding-index.ts';

/**
 * Every pair that reaches the floor. For each vulnerability, the points for category and severity are worked out once
 * for a whole group of findings, and groups that cannot reach the floor even with equal keywords are left out. Common
 * keywords are counted for all findings together, along the posting lists. Findings that name the same resource are
 * looked up separately, because that can lift any group over the floor.
 */
export function documentedCandidates(
  vulnerabilities: readonly ClaimNumbers[],
  index: FindingIndex,
  floor: number,
): CandidateList {
  const list = createCandidateList();
  const common = new Int32Array(index.findings.length);
  const namesResource = new Uint8Array(index.findings.length);
  const sameResource = new Int32Array(index.findings.length);
  for (const [vulnerability, claim] of vulnerabilities.entries()) {
    const row: Row = { vulnerability, keywords: claim.keywords.length, common, namesResource, index, floor, list };
    const within = index.groups.filter((group) =>
      meetsThreshold(documentedScore(kindPoints(claim, group), 1, 1), floor),
    );
    const sameResourceCount = markSameResource(row, claim, sameResource);
    if (within.length === 0 && sameResourceCount === 0) continue;

    countCommonKeywords(claim, index, common);
    for (const group of within) addGroup(row, group, kindPoints(claim, group));
    for (let at = 0; at < sameResourceCount; at += 1) {
      const place = sameResource[at] ?? 0;
      namesResource[place] = 0;
      const group = index.groups[index.groupOf[place] ?? 0];
      if (group) addPlace(row, place, kindPoints(claim, group) + POINTS.resource);
    }
  }
  return list.finish();
}

/** One vulnerability against all findings. The arrays by place are shared by all rows. */
interface Row {
  vulnerability: number;
  keywords: number;
  common: Int32Array;
  /** 1 for findings that name the same resource, which are added separately. */
  namesResource: Uint8Array;
  index: FindingIndex;
  floor: number;
  list: CandidateListBuilder;
}

/** Puts the places of the findings that name the same resource into `places`, each once, and returns how many. */
function markSameResource({ index, namesResource }: Row, claim: ClaimNumbers, places: Int32Array): number {
  let count = 0;
  for (const members of index.membersNaming(claim.addresses)) {
    for (const place of members) {
      if (namesResource[place] === 1) continue;
      namesResource[place] = 1;
      places[count] = place;
      count += 1;
    }
  }
  return count;
}

function countCommonKeywords({ keywords }: ClaimNumbers, { starts, postings }: FindingIndex, common: Int32Array): void {
  common.fill(0);
  for (const keyword of keywords) {
    const end = starts[keyword + 1] ?? 0;
    for (let at = starts[keyword] ?? 0; at < end; at += 1) {
      const place = postings[at] ?? 0;
      common[place] = (common[place] ?? 0) + 1;
    }
  }
}

function addGroup(row: Row, group: FindingGroup, points: number): void {
  const { common, namesResource } = row;
  const needsKeywords = !meetsThreshold(documentedScore(points, 0, 1), row.floor);
  for (let place = group.start; place < group.end; place += 1) {
    if ((needsKeywords && common[place] === 0) || namesResource[place] === 1) continue;
    addPlace(row, place, points);
  }
}

function addPlace(row: Row, place: number, points: number): void {
  const both = row.common[place] ?? 0;
  const either = row.keywords + (row.index.keywordCounts[place] ?? 0) - both;
  const score = documentedScore(points, both, either);
  if (meetsThreshold(score, row.floor)) row.list.push(row.vulnerability, row.index.findings[place] ?? 0, score);
}
