import { assign } from '../assignment/assignment.ts';
import { createCandidateList, forEachCandidate } from '../candidates/candidate-list.ts';
import type { Claim } from '../claims/claim.ts';
import { sameResource } from '../claims/resource-address.ts';
import { createEvidenceMatcher, SAME_FINDING } from '../evidence/evidence-matcher.ts';

/**
 * For each finding on the flawed code, the same finding on the clean twin, or -1. A finding is the same when its rule,
 * its resource, and its attribute or title agree. Lines may have moved. Each finding of the twin is taken once, so that
 * a rule that fires twice on a resource and once on its twin is new once. Which of the two is new is decided by
 * `isAtFlaw`. Findings without a rule, which models report in other words each time, are compared by what they say.
 */
export function pairWithTwin(
  findings: readonly Claim[],
  twin: readonly Claim[],
  isAtFlaw: (finding: number) => boolean,
): Int32Array {
  const sameAs = new Int32Array(findings.length).fill(-1);
  const isTaken = new Uint8Array(twin.length);
  // Findings at a flaw come last: if there are more findings than on the twin, they are the new ones.
  const order = [...findings.keys()].sort((a, b) => Number(isAtFlaw(a)) - Number(isAtFlaw(b)) || a - b);
  for (const key of [wholeKey, attributeKey, titleKey]) {
    const free = Map.groupBy(
      [...twin.keys()].filter((index) => isTaken[index] === 0),
      (index) => keyOf(key, twin[index]),
    );
    for (const finding of order) {
      if (sameAs[finding] !== -1) continue;
      const partner = free.get(keyOf(key, findings[finding]))?.shift();
      if (partner === undefined) continue;
      sameAs[finding] = partner;
      isTaken[partner] = 1;
    }
  }
  pairByWords(findings, twin, { sameAs, isTaken });
  return sameAs;
}

type Key = (claim: Claim) => unknown[] | null;

/** A key of null is equal to no other. */
function keyOf(key: Key, claim: Claim | undefined): string | symbol {
  const parts = claim ? key(claim) : null;
  return parts === null ? Symbol() : JSON.stringify(parts);
}

const wholeKey: Key = (claim) => [
  ruleKey(claim),
  placeKey(claim),
  claim.file,
  claim.type,
  claim.attributes,
  claim.title,
  claim.description,
];

const attributeKey: Key = (claim) =>
  hasRule(claim) && claim.attributes.length > 0
    ? [ruleKey(claim), placeKey(claim), claim.attributes.map(withoutNumbers)]
    : null;

const titleKey: Key = (claim) =>
  hasRule(claim) || claim.title !== '' ? [ruleKey(claim), placeKey(claim), claim.type, plainWords(claim.title)] : null;

/** A CWE is a class of weaknesses, not a rule. */
function hasRule({ rule_ids }: Claim): boolean {
  return rule_ids.some((id) => !/^cwe-/i.test(id));
}

function ruleKey({ rule_ids }: Claim): string[] {
  return rule_ids.map((id) => id.toLowerCase()).sort();
}

/** The resources; without any, the file, whose name is the same in the twin. */
function placeKey({ resources, file }: Claim): string[] {
  return resources.length > 0 ? resources.map(withoutNumbers).sort() : [`file ${file ?? ''}`];
}

/** Without numeric indices, which move when an entry is added. A key such as `["ssh"]` stays. */
function withoutNumbers(path: string): string {
  return path
    .toLowerCase()
    .replaceAll(/[[{]\d+[\]}]/g, '')
    .replaceAll(/[./]\d+(?=[./]|$)/g, '');
}

/** Without the lines that some tools quote in a title. */
function plainWords(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/\blines? \d+(?:-\d+)?|:\d+(?:-\d+)?\b/g, '')
    .replaceAll(/\W+/g, ' ')
    .trim();
}

/** Pairs what is left where a side names no rule. */
function pairByWords(
  findings: readonly Claim[],
  twin: readonly Claim[],
  { sameAs, isTaken }: { sameAs: Int32Array; isTaken: Uint8Array },
): void {
  const open = [...findings.keys()].filter((index) => sameAs[index] === -1);
  const free = [...twin.keys()].filter((index) => isTaken[index] === 0);
  const left = open.flatMap((index) => findings[index] ?? []);
  const right = free.flatMap((index) => twin[index] ?? []);
  if (left.every(hasRule) && right.every(hasRule)) return;
  const likely = createCandidateList();
  forEachCandidate(createEvidenceMatcher(left, right).candidates(SAME_FINDING), (one, other, score) => {
    const [a, b] = [left[one], right[other]];
    if (a && b && !(hasRule(a) && hasRule(b)) && mayBeOnePlace(a, b)) likely.push(one, other, score);
  });
  const sizes = { vulnerabilities: left.length, findings: right.length };
  for (const { vulnerability, finding } of assign(likely.finish(), sizes, 'optimal')) {
    sameAs[open[vulnerability] ?? 0] = free[finding] ?? -1;
  }
}

function mayBeOnePlace(a: Claim, b: Claim): boolean {
  if (a.resources.length > 0 && b.resources.length > 0) return sameResource(a.resources, b.resources);
  return a.file === null || b.file === null || a.file === b.file;
}
