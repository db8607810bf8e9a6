import { remembered } from 'salvo/kit/text';
import type { Matcher } from '../candidates/matcher.ts';
import type { Claim } from '../claims/claim.ts';
import type { MatchInput } from '../claims/match-input.ts';
import { createNearness, type Nearness } from '../evidence/nearness.ts';
import { whyItFollows } from '../weaknesses/weakness-relations.ts';
import { weaknessesOfRule } from '../weaknesses/weaknesses.ts';

type Relation = Nearness['relation'];

const CLOSENESS: Readonly<Record<Relation, number>> = { same: 5, part: 4, lines: 3, near: 2, unknown: 1, other: 0 };
const IN_WORDS: Readonly<Record<Relation, string>> = {
  same: 'at the same resource or where its value is written',
  part: 'at a resource that belongs to it',
  lines: 'at the same lines',
  near: 'at a resource that may belong to it',
  unknown: 'the nearest flaw',
  other: 'the nearest flaw, elsewhere in the code',
};
/** Beyond this many pairs, flaws are not compared with each finding: a new finding belongs to the first flaw then. */
const MOST_PAIRS = 1_000_000;

/**
 * The flaw that caused each of these findings, and why it is said to. Indices are those of the matcher. With `areNew`,
 * they are only in the flawed code, so that a flaw caused them whatever they say: one that lists the finding's resource,
 * then the nearest by place, then by words. Otherwise a finding is a consequence only if the catalogue says that its
 * weakness follows from that of a flaw at the same place.
 */
export function causesOf(
  findings: readonly number[],
  { input, matcher, areNew }: { input: MatchInput; matcher: Matcher; areNew: boolean },
) {
  const flaws = input.vulnerabilities.claims;
  if (flaws.length === 0 || findings.length === 0) return [];
  const followers = createFollowers(input);
  const reasons = new Map(findings.map((finding) => [finding, followers(input.findings.claims[finding])]));
  const compared = areNew ? findings.length * flaws.length : sum([...reasons.values()].map(({ size }) => size));
  if (compared > MOST_PAIRS) {
    return areNew ? findings.map((finding) => ({ finding, vulnerability: 0, why: ONLY_HERE })) : [];
  }
  if (compared === 0) return [];
  const nearness = createNearness(flaws, input.findings.claims);
  return findings.flatMap((finding) => {
    const follows = reasons.get(finding) ?? new Map<number, string>();
    let best: { vulnerability: number; rank: number[]; why: string } | null = null;
    for (const vulnerability of areNew ? flaws.keys() : follows.keys()) {
      const { relation, isListed } = nearness(vulnerability, finding);
      const isHere = CLOSENESS[relation] >= CLOSENESS.lines;
      if (!areNew && !isHere) continue;
      const reason = isHere ? follows.get(vulnerability) : undefined;
      const rank = [
        isListed ? 1 : 0,
        isHere ? 1 : 0,
        reason === undefined ? 0 : 1,
        CLOSENESS[relation],
        matcher.score(vulnerability, finding),
        -lineDistance(flaws[vulnerability], input.findings.claims[finding]),
      ];
      if (best && compareRanks(rank, best.rank) <= 0) continue;
      const why = reason ?? IN_WORDS[relation];
      best = { vulnerability, rank, why: areNew ? `${ONLY_HERE}; ${why}` : why };
    }
    return best ? [{ finding, vulnerability: best.vulnerability, why: best.why }] : [];
  });
}

const ONLY_HERE = 'only in the flawed code';

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

/** For a finding, the flaws that its weakness follows from, and why. Remembered, since few rules report most findings. */
function createFollowers({ vulnerabilities, labels }: MatchInput) {
  const planted = vulnerabilities.positions.map((position, index) =>
    weaknessesOf(vulnerabilities.claims[index], labels[position]?.weakness ?? ''),
  );
  const known = new Map<string, ReadonlyMap<number, string>>();
  return (finding: Claim | undefined): ReadonlyMap<number, string> => {
    const reported = [...new Set(finding?.rule_ids.flatMap(weaknessesOfRule))];
    return remembered(known, reported.join(' '), () => {
      const reasons = planted.map((weaknesses, index) => [index, firstReason(weaknesses, reported)] as const);
      return new Map(reasons.flatMap(([index, why]) => (why === null ? [] : [[index, why]])));
    });
  };
}

/** The weakness that the manifest names, or those of its rules. */
function weaknessesOf(flaw: Claim | undefined, named: string): readonly string[] {
  return named === '' ? (flaw?.rule_ids.flatMap(weaknessesOfRule) ?? []) : weaknessesOfRule(named);
}

function firstReason(planted: readonly string[], reported: readonly string[]): string | null {
  for (const weakness of planted) {
    for (const other of reported) {
      const why = whyItFollows(weakness, other);
      if (why !== null) return why;
    }
  }
  return null;
}

function lineDistance(flaw: Claim | undefined, finding: Claim | undefined): number {
  if (!flaw || !finding || flaw.line === null || finding.line === null || flaw.file !== finding.file) return Infinity;
  return Math.abs(flaw.line - finding.line);
}

/** The first difference decides. Of equal ranks, the earlier vulnerability stays. */
function compareRanks(a: readonly number[], b: readonly number[]): number {
  for (const [index, value] of a.entries()) {
    const other = b[index] ?? 0;
    if (value !== other) return value > other ? 1 : -1;
  }
  return 0;
}
