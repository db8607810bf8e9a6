import { readClaim } from '../../packages/salvo-arena/src/match/claims/read-claim.ts';
import {
  type EvidenceClaim,
  gatherEvidence,
  readEvidenceClaim,
} from '../../packages/salvo-arena/src/match/evidence/evidence-claim.ts';
import { compileLexicon } from '../../packages/salvo-arena/src/match/evidence/lexicon/compile-lexicon.ts';
import type { Lexicon } from '../../packages/salvo-arena/src/match/evidence/lexicon/compile-lexicon.ts';
import { loadLexiconFile } from '../../packages/salvo-arena/src/match/evidence/lexicon/lexicon.ts';
import type { WordTable } from '../../packages/salvo-arena/src/match/evidence/lexicon/word-table.ts';
import { type FeatureName, featuresOf } from '../../packages/salvo-arena/src/match/evidence/weighing/features.ts';
import { type Evidence, limitOf } from '../../packages/salvo-arena/src/match/evidence/weighing/weigh.ts';
import { evenlySpread } from './evenly-spread.ts';
import { areRelated, foldOf, type PhrasedWeakness, type Sentence, type TrainingData } from './training-data.ts';
import type { WordTables } from './word-tables.ts';

/** A pair as the model sees it. */
export interface TrainingPair {
  features: Record<FeatureName, number>;
  same: boolean;
  weight: number;
  /** Null for a pair that belongs to no service. */
  service: string | null;
  /** Who wrote its texts, where this is known. */
  authors: readonly string[];
}

/** All sentences of a weakness together, against one another and against those of other weaknesses. */
const SAME_WEIGHT = 5;
/** In a report there are many findings about other flaws, so these count for more. */
const DIFFERENT_WEIGHT = 15;
/** A name leaves out most of what a sentence says, so a pair with a name needs less in common to be a match. */
const DIFFERENT_NAME_WEIGHT = 2.5;
/** Of ten pairs of sentences, so many are about weaknesses that the table knows. */
const KNOWN_OF_TEN = 9;
/** A weakness is compared with itself, and with another one, in at most so many pairs of sentences. */
const MOST_SAME = 48;
const MOST_DIFFERENT = 24;
/** Titles of rules for different weaknesses of a service differ in a word or two, which sentences hardly ever do. */
const TITLE_WEIGHT = 13;
/** Labelled pairs are few and well chosen. A finding of a report that lacks the flaw is one of several. */
const LABELLED_WEIGHT = 10;
const REPORTED_WEIGHT = 0.5;

/**
 * The pairs to learn from. Most are compared by a word table that knows their weaknesses but nothing of their authors:
 * a scanner or a model is a new author, too. The table of the rest knows neither their weaknesses nor their service, so
 * that unseen words are as frequent as they will be elsewhere. Pairs that a limit decides are left out.
 */
export function trainingPairs(
  { weaknesses, titles, labelled, games }: Pick<TrainingData, 'weaknesses' | 'titles' | 'labelled' | 'games'>,
  tables: WordTables,
): TrainingPair[] {
  const pairs: TrainingPair[] = [];
  const add = (
    evidence: Evidence,
    {
      same,
      weight,
      service = null,
      authors = [],
    }: Omit<TrainingPair, 'features' | 'service' | 'authors'> & Partial<Pick<TrainingPair, 'service' | 'authors'>>,
  ): void => {
    if (evidence.rules === 'same' || limitOf(evidence) !== null) return;
    pairs.push({ features: featuresOf(evidence.content, evidence.place), same, weight, service, authors });
  };
  for (const { table, of } of byTable(sentencePairs(weaknesses), tables)) {
    const compare = comparer(table);
    for (const { a, b, same, weight, service, authors } of of) {
      const evidence = compare({ type: a }, { title: b });
      const isNamed = !same && evidence.content.hasName;
      add(evidence, {
        same,
        weight: isNamed ? weight * (DIFFERENT_NAME_WEIGHT / DIFFERENT_WEIGHT) : weight,
        service,
        authors,
      });
    }
  }
  const compare = comparer(tables.all());
  // No table was counted from the titles, so their services need not be left out.
  for (const [service, of] of Map.groupBy(titles, (title) => title.service)) {
    for (const one of of) {
      for (const other of of) {
        add(compare({ type: one.a }, { title: other.b }), { same: one === other, weight: TITLE_WEIGHT, service });
      }
    }
  }
  for (const { vulnerability, finding, same } of labelled) {
    add(compare(vulnerability, finding), { same, weight: LABELLED_WEIGHT });
  }
  for (const { vulnerability, findings, caught } of games) {
    const compared = findings.map((finding) => compare(vulnerability, finding));
    if (!caught) for (const evidence of compared) add(evidence, { same: false, weight: REPORTED_WEIGHT });
    // Which of the findings reports the flaw is not labelled: take the one with the most in common.
    const [closest] = compared.toSorted((a, b) => inCommon(b) - inCommon(a));
    if (caught && closest !== undefined) add(closest, { same: true, weight: LABELLED_WEIGHT });
  }
  return pairs;
}

interface SentencePair {
  a: string;
  b: string;
  same: boolean;
  weight: number;
  service: string;
  authors: readonly string[];
  /** It is compared as if its weaknesses were known, in the words of others. */
  isKnown: boolean;
}

function sentencePairs(weaknesses: readonly PhrasedWeakness[]): SentencePair[] {
  const all: SentencePair[] = [];
  const add = (pairs: readonly (readonly [Sentence, Sentence])[], same: boolean, weight: number, service: string) => {
    for (const [a, b] of pairs) {
      const authors = [...new Set([a.author, b.author])].toSorted();
      const isKnown = all.length % 10 < KNOWN_OF_TEN;
      all.push({ a: a.text, b: b.text, same, weight: weight / pairs.length, service, authors, isKnown });
    }
  };
  for (const [service, of] of Map.groupBy(weaknesses, (weakness) => weakness.service)) {
    for (const weakness of of) {
      add(evenlySpread(pairsOfStyles(weakness, weakness), MOST_SAME), true, SAME_WEIGHT, service);
      const others = of.filter((other) => other !== weakness && !areRelated(weakness, other));
      for (const other of others) {
        add(
          evenlySpread(pairsOfStyles(weakness, other), MOST_DIFFERENT),
          false,
          DIFFERENT_WEIGHT / others.length,
          service,
        );
      }
    }
  }
  return all;
}

/** One table at a time, since each takes a lot of memory while it is used. */
function* byTable(
  pairs: readonly SentencePair[],
  tables: WordTables,
): Generator<{ table: WordTable; of: readonly SentencePair[] }> {
  const known = pairs.filter(({ isKnown }) => isKnown);
  for (const of of Map.groupBy(known, ({ authors }) => authors.join(' ')).values()) {
    yield { table: tables.withoutAuthors(of[0]?.authors ?? []), of };
  }
  const unknown = pairs.filter(({ isKnown }) => !isKnown);
  for (const [fold, of] of Map.groupBy(unknown, ({ service }) => foldOf(service))) {
    yield { table: tables.withoutFold(fold), of };
  }
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
 * Every sentence of one weakness with every sentence of another style of the other. Sentences of one style are built
 * alike, above all those of one author: they would teach that common words mean nothing.
 */
function pairsOfStyles(weakness: PhrasedWeakness, other: PhrasedWeakness): [Sentence, Sentence][] {
  return weakness.sentences.flatMap((a) =>
    other.sentences.flatMap((b): [Sentence, Sentence][] => (a.style === b.style ? [] : [[a, b]])),
  );
}
