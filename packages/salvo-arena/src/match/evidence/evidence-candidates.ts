import { meetsThreshold, THRESHOLD_TOLERANCE } from 'salvo/kit/stats';
import { remembered } from 'salvo/kit/text';
import { type CandidateList, createCandidateList } from '../candidates/candidate-list.ts';
import { namesAtDocument, namesInPart } from '../weaknesses/weakness-relations.ts';
import { weaknessesOfRule } from '../weaknesses/weaknesses.ts';
import type { EvidenceClaim } from './evidence-claim.ts';
import type { Lexicon } from './lexicon/compile-lexicon.ts';
import { createLocatedList, type LocatedList } from './places/located-list.ts';
import { comparePlaces, type Place } from './places/place.ts';
import type { Profile } from './reading/profile.ts';
import { AGREEMENT } from './weighing/content.ts';
import {
  type Evidence,
  HARD_LIMIT,
  type Limit,
  limitOf,
  mayBeOverruled,
  SAME_WEAKNESS,
  SAME_WORDS,
  weigh,
} from './weighing/weigh.ts';

/** Up to this many pairs, an index costs more than it saves. */
const FEW_PAIRS = 200;

/** Every pair whose score reaches the floor. */
export function evidenceCandidates(
  lexicon: Lexicon,
  vulnerabilities: readonly EvidenceClaim[],
  findings: readonly EvidenceClaim[],
  { floor, gather }: { floor: number; gather: (vulnerability: EvidenceClaim, finding: EvidenceClaim) => Evidence },
): CandidateList {
  const list = createCandidateList();
  // With a floor below the limits, pairs of different flaws and places count as well, so no pair can be excluded.
  const aboveLimits = floor - THRESHOLD_TOLERANCE > HARD_LIMIT;
  const few = vulnerabilities.length * findings.length <= FEW_PAIRS || !aboveLimits;
  const index = few ? null : createIndex(lexicon, vulnerabilities, findings);
  for (const [v, vulnerability] of vulnerabilities.entries()) {
    const visit = (f: number): void => {
      const finding = findings[f];
      if (finding === undefined) return;
      if (aboveLimits && comparePlaces(lexicon, vulnerability.place, finding.place) === 'other') return;
      const evidence = gather(vulnerability, finding);
      if (aboveLimits && isHard(limitOf(evidence), evidence)) return;
      const { score } = weigh(evidence);
      if (meetsThreshold(score, floor)) list.push(v, f, score);
    };
    if (index === null) for (let f = 0; f < findings.length; f += 1) visit(f);
    else index(v, vulnerability, visit);
  }
  return list.finish();
}

function isHard(limit: Limit | null, evidence: Evidence): boolean {
  return limit !== null && limit !== 'related' && !mayBeOverruled(limit, evidence);
}

/**
 * Visits, each once, at least the findings of a vulnerability that no hard limit applies to.
 *
 * A pair without a limit agrees on an aspect, a telling word or a detail; or, if no side states an aspect, on the object;
 * or its rules report the same weakness; or most of its words are the same; or both are near the same weakness. The
 * index keeps findings by each of these.
 */
function createIndex(lexicon: Lexicon, vulnerabilities: readonly EvidenceClaim[], findings: readonly EvidenceClaim[]) {
  // Findings use far more words than are ever looked up.
  const wordsSought = vulnerabilities.map(({ profile }) => [...profile.words, ...heaviestWords(profile)]);
  const wanted = new Set(wordsSought.flat());
  const aspects = createPostings<number>(lexicon);
  const words = createPostings<string>(lexicon);
  const details = createPostings<number>(lexicon);
  const weaknesses = createPostings<string>(lexicon);
  const likely = createPostings<number>(lexicon);
  const withoutAspect = createLocatedList(lexicon);
  const lastSeen = new Int32Array(findings.length).fill(-1);

  for (const [f, { profile, place, ruleIds }] of findings.entries()) {
    if (profile.aspects.length === 0) withoutAspect.add(f, place);
    for (const aspect of profile.aspects) aspects.add(aspect, f, place);
    for (const concept of profile.mentioned.keys()) {
      if (lexicon.concepts[concept]?.kind === 'qualifier') details.add(concept, f, place);
    }
    for (const word of profile.said.keys()) {
      if (wanted.has(word)) words.add(word, f, place);
    }
    for (const weakness of new Set(ruleIds.flatMap(weaknessesOfRule))) weaknesses.add(weakness, f, place);
    for (const weakness of withWider(profile)) likely.add(weakness, f, place);
  }

  return (v: number, { profile, place, ruleIds }: EvidenceClaim, visit: (finding: number) => void): void => {
    const once = (f: number): void => {
      if (lastSeen[f] === v) return;
      lastSeen[f] = v;
      visit(f);
    };
    for (const aspect of profile.aspects) {
      for (const other of aspects.keys()) {
        if (affinityOf(lexicon, aspect, other) >= AGREEMENT) aspects.visit(other, place, once);
      }
    }
    for (const word of wordsSought[v] ?? []) words.visit(word, place, once);
    for (const detail of profile.qualifiers) details.visit(detail, place, once);
    if (profile.aspects.length === 0) withoutAspect.visit(place, once);
    for (const weakness of namesOf(ruleIds)) weaknesses.visit(weakness, place, once);
    for (const weakness of likeliest(profile)) likely.visit(weakness, place, once);
  };
}

/** The weaknesses that a rule of a finding may report for these rules of a vulnerability. */
function namesOf(ruleIds: readonly string[]): Set<string> {
  const own = ruleIds.flatMap(weaknessesOfRule);
  return new Set([...own, ...own.flatMap((weakness) => [...namesAtDocument(weakness), ...namesInPart(weakness)])]);
}

function withWider({ likely: { roots, wider } }: Profile): Set<number> {
  return new Set([...roots.keys(), ...wider.keys()]);
}

/** A finding that is near the same weakness is near one of these: the others are too unlikely to be enough. */
function likeliest({ likely: { roots, wider, known } }: Profile): Set<number> {
  const found = new Set(wider.keys());
  // What the others can contribute is at most the square root of their probability.
  let rest = known;
  for (const [weakness, root] of [...roots].toSorted(([, a], [, b]) => b - a)) {
    if (Math.sqrt(rest) < SAME_WEAKNESS - THRESHOLD_TOLERANCE) break;
    found.add(weakness);
    rest -= root * root;
  }
  return found;
}

/** A finding with most words of a claim has one of these: the others weigh too little. With their beginnings. */
function heaviestWords({ terms }: Profile): string[] {
  const heaviestFirst = terms.toSorted((a, b) => b.evidence.weight - a.evidence.weight);
  const total = terms.reduce((sum, { evidence }) => sum + evidence.weight, 0);
  let rest = total;
  const found: string[] = [];
  for (const { text, beginning, evidence } of heaviestFirst) {
    if (rest < SAME_WORDS * total - THRESHOLD_TOLERANCE) break;
    found.push(text);
    if (beginning !== null) found.push(beginning);
    rest -= evidence.weight;
  }
  return found;
}

function affinityOf({ affinity, concepts }: Lexicon, a: number, b: number): number {
  return affinity[a * concepts.length + b] ?? 0;
}

function createPostings<Key>(lexicon: Lexicon) {
  const lists = new Map<Key, LocatedList>();
  return {
    keys: () => lists.keys(),
    add(key: Key, finding: number, place: Place): void {
      remembered(lists, key, () => createLocatedList(lexicon)).add(finding, place);
    },
    visit: (key: Key, place: Place, visitor: (finding: number) => void) => lists.get(key)?.visit(place, visitor),
  };
}
