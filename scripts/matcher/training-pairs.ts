import { readClaim } from '../../src/match/claims/read-claim.ts';
import { compileLexicon } from '../../src/match/evidence/compile-lexicon.ts';
import type { Lexicon } from '../../src/match/evidence/compiled-lexicon.ts';
import { type EvidenceClaim, gatherEvidence, readEvidenceClaim } from '../../src/match/evidence/evidence-claim.ts';
import { type FeatureName, featuresOf } from '../../src/match/evidence/features.ts';
import { loadLexiconFile } from '../../src/match/evidence/lexicon.ts';
import { type Evidence, limitOf } from '../../src/match/evidence/weigh.ts';
import type { WordTable } from '../../src/match/evidence/word-table.ts';
import { createKnownWeaknesses, type SentenceAt } from './known-weaknesses.ts';
import { foldOf, type PhrasedWeakness, type TrainingData } from './training-data.ts';

/** A pair as the model sees it. */
export interface TrainingPair {
  features: Record<FeatureName, number>;
  same: boolean;
  weight: number;
  /** Null for a pair that belongs to no service. */
  service: string | null;
}

/** All sentences of a weakness together, against one another and against those of other weaknesses. */
const SAME_WEIGHT = 5;
/** In a report there are many findings about other flaws, so these count for more. */
const DIFFERENT_WEIGHT = 15;
/** A name leaves out most of what a sentence says, so a pair with a name needs less in common to be a match. */
const DIFFERENT_NAME_WEIGHT = 2.5;
/** Of ten pairs of sentences, so many are about weaknesses that the table knows. */
const KNOWN_OF_TEN = 7;
/** Titles of rules for different weaknesses of a service differ in a word or two, which sentences hardly ever do. */
const TITLE_WEIGHT = 8;
/** Labelled pairs are few and well chosen. A finding of a report that lacks the flaw is one of several. */
const LABELLED_WEIGHT = 5;
const REPORTED_WEIGHT = 0.5;

/**
 * The pairs to learn from. The word table of a service's pairs was counted without the service's part of the services,
 * so that unseen words are as frequent as they will be elsewhere. Pairs that a limit decides are left out.
 */
export function trainingPairs(
  { weaknesses, titles, labelled, games }: Pick<TrainingData, 'weaknesses' | 'titles' | 'labelled' | 'games'>,
  tables: { all: WordTable; without: readonly WordTable[] },
): TrainingPair[] {
  const pairs: TrainingPair[] = [];
  const add = (evidence: Evidence, same: boolean, weight: number, service: string | null): void => {
    if (evidence.rules === 'same' || limitOf(evidence) !== null) return;
    pairs.push({ features: featuresOf(evidence.content, evidence.place), same, weight, service });
  };
  let sentencePairs = 0;
  /** Most as if the table knew their weaknesses, in other words, and some as if it did not. */
  const addSentences = (
    evidence: Evidence,
    [a, b]: readonly [SentenceAt, SentenceAt],
    same: boolean,
    weight: number,
    service: string,
  ): void => {
    sentencePairs += 1;
    const isKnown = sentencePairs % 10 < KNOWN_OF_TEN;
    const content = isKnown ? { ...evidence.content, ...knownInCommon(a, b) } : evidence.content;
    add({ ...evidence, content }, same, weight, service);
  };
  const knownInCommon = createKnownWeaknesses(weaknesses, tables.all);
  const indexed = weaknesses.map((weakness, index) => ({ ...weakness, index }));
  for (const [service, of] of Map.groupBy(indexed, (weakness) => weakness.service)) {
    const compare = comparer(tables.without[foldOf(service)] ?? tables.all);
    for (const weakness of of) {
      const others = of.filter((other) => other !== weakness);
      const same = pairsOfStyles(weakness, weakness);
      const different = others.flatMap((other) => pairsOfStyles(weakness, other));
      for (const { a, b, at } of same) {
        const evidence = compare({ type: a }, { title: b });
        addSentences(evidence, at, true, SAME_WEIGHT / same.length, service);
      }
      for (const { a, b, at } of different) {
        const evidence = compare({ type: a }, { title: b });
        const weight = evidence.content.hasName ? DIFFERENT_NAME_WEIGHT : DIFFERENT_WEIGHT;
        addSentences(evidence, at, false, weight / different.length, service);
      }
    }
  }
  const compare = comparer(tables.all);
  // No table was counted from the titles, so their services need not be left out.
  for (const [service, of] of Map.groupBy(titles, (title) => title.service)) {
    for (const one of of) {
      for (const other of of) {
        add(compare({ type: one.a }, { title: other.b }), one === other, TITLE_WEIGHT, service);
      }
    }
  }
  for (const { vulnerability, finding, same } of labelled) {
    add(compare(vulnerability, finding), same, LABELLED_WEIGHT, null);
  }
  for (const { vulnerability, findings, caught } of games) {
    const compared = findings.map((finding) => compare(vulnerability, finding));
    if (!caught) for (const evidence of compared) add(evidence, false, REPORTED_WEIGHT, null);
    // Which of the findings reports the flaw is not labelled: take the one with the most in common.
    const [closest] = compared.toSorted((a, b) => inCommon(b) - inCommon(a));
    if (caught && closest !== undefined) add(closest, true, LABELLED_WEIGHT, null);
  }
  return pairs;
}

/** Compares claims by the words of a table. */
export function comparer(
  table: WordTable,
): (vulnerability: Record<string, unknown>, finding: Record<string, unknown>) => Evidence {
  const lexicon: Lexicon = compileLexicon(loadLexiconFile(), table);
  const known = new Map<string, EvidenceClaim>();
  const read = (claim: Record<string, unknown>): EvidenceClaim => {
    const key = JSON.stringify(claim);
    const of = known.get(key) ?? readEvidenceClaim(lexicon, readClaim(claim));
    known.set(key, of);
    return of;
  };
  return (vulnerability, finding) => gatherEvidence(lexicon, read(vulnerability), read(finding));
}

function inCommon({ content: { ofVulnerability, ofFinding } }: Evidence): number {
  return (
    ofVulnerability.conceptsPresent + ofFinding.conceptsPresent + ofVulnerability.wordsPresent + ofFinding.wordsPresent
  );
}

/**
 * Every sentence of one weakness with every sentence of another style of the other. One author wrote them all, and
 * sentences of one style are built alike: they would teach that common words mean nothing.
 */
function pairsOfStyles(weakness: Indexed, other: Indexed): SentencePair[] {
  return weakness.texts.flatMap((a, sentence) =>
    other.texts.flatMap((b, otherSentence): SentencePair[] => {
      if (weakness.styles[sentence] === other.styles[otherSentence]) return [];
      const at = [
        { weakness: weakness.index, sentence },
        { weakness: other.index, sentence: otherSentence },
      ] as const;
      return [{ a, b, at }];
    }),
  );
}

type Indexed = PhrasedWeakness & { index: number };

interface SentencePair {
  a: string;
  b: string;
  at: readonly [SentenceAt, SentenceAt];
}
