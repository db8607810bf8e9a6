import { dataFile, once, stem, wordsOf } from 'salvo/kit/text';
import type { Claim } from './claim.ts';

/**
 * What a claim is about, as a set of word stems. The rules, in order:
 *
 * 1. The words of the type, the title and the description count. The resource is a factor of its own, and the evidence
 *    is not read.
 * 2. Texts are split at everything except letters and digits and at the humps of camel case, and lower-cased
 *    (`wordsOf`).
 * 3. Words of one character and stop words are dropped: those of any English sentence, and those of any claim, such as
 *    `ensure` or `vulnerability` (`stop-words.txt`).
 * 4. The remaining words lose their endings (`stem`), and each counts once.
 */
export function extractKeywords(claim: Pick<Claim, 'type' | 'title' | 'description'>): ReadonlySet<string> {
  const keywords = new Set<string>();
  for (const text of [claim.type, claim.title, claim.description]) {
    for (const word of wordsOf(text)) {
      const keyword = keywordOf(word);
      if (keyword !== '') keywords.add(keyword);
    }
  }
  return keywords;
}

/** The keyword of a lower-case word; empty when the word carries no meaning. */
export function keywordOf(word: string): string {
  return word.length < 2 || stopWords().has(word) ? '' : stem(word);
}

/** Words that carry no meaning: those of any English sentence, and those of any claim. */
const stopWords = once(
  () =>
    new Set(
      dataFile(import.meta.url, './stop-words.txt')
        .trim()
        .split(/\s+/),
    ),
);
