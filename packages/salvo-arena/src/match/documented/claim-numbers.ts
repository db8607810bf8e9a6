import { memoByWord, wordsOf } from 'salvo/kit/text';
import { phraseCategories, wordCategories } from '../claims/categories.ts';
import type { Claim } from '../claims/claim.ts';
import { keywordOf } from '../claims/keywords.ts';
import { parseAddress } from '../claims/resource-address.ts';
import { severityRank } from '../claims/severity.ts';

/** A claim, and what the documented score compares of it. */
export type ClaimNumbers = ReturnType<ReturnType<typeof createClaimNumbering>['numbersOf']>;

/** Numbers types and keywords in the order in which they first occur. */
export function createClaimNumbering() {
  const types = new Map<string, number>();
  const keywords = new Map<string, number>();
  /** By keyword, the number of the last claim that had it. */
  const lastClaim: number[] = [];
  let claims = 0;

  return {
    numbersOf(claim: Claim) {
      claims += 1;
      const found: number[] = [];
      const type = readMeaning(claim.type);
      let categories = 0;
      for (const meaning of [type, readMeaning(claim.title), readMeaning(claim.description)]) {
        categories |= meaning.categories;
        for (const keyword of meaning.keywords) {
          const number = numberFor(keywords, keyword);
          if (lastClaim[number] === claims) continue;
          lastClaim[number] = claims;
          found.push(number);
        }
      }
      return {
        claim,
        /** Equal types have equal numbers; -1 when there is none. */
        type: type.words === '' ? -1 : numberFor(types, type.words),
        /** A bit for each category. */
        categories,
        /** -1 when there is none. */
        severity: claim.severity === null ? -1 : severityRank(claim.severity),
        /** Ascending, each keyword once. */
        keywords: new Int32Array(found).sort(),
        addresses: claim.resources.map(parseAddress),
      };
    },
    /** How many keywords there are. Every keyword's number is below this. */
    keywordCount: () => keywords.size,
  };
}

/** Longer texts seldom occur twice. */
const LONGEST_TEXT = 300;

/** The keywords and categories of a text, remembered: a scanner repeats its texts for resource after resource. */
const readMeaning = memoByWord((text) => {
  const words = wordsOf(text);
  const keywords = new Set<string>();
  let categories = phraseCategories(words);
  for (const word of words) {
    const meaning = readWord(word);
    categories |= meaning.categories;
    if (meaning.keyword !== '') keywords.add(meaning.keyword);
  }
  return { words: words.join(' '), keywords: [...keywords], categories };
}, LONGEST_TEXT);

const readWord = memoByWord((word) => ({ keyword: keywordOf(word), categories: wordCategories(word) }));

function numberFor(numbers: Map<string, number>, text: string): number {
  const known = numbers.get(text);
  if (known !== undefined) return known;
  numbers.set(text, numbers.size);
  return numbers.size - 1;
}
