import { stem, wordsOf } from '../../text/words.ts';
import type { Claim } from './claim.ts';
import { STOP_WORDS } from './stop-words.ts';

/**
 * What a claim is about, as a set of word stems. The rules, in order:
 *
 * 1. The words of the type, the title and the description count: not those of the resource, which is a factor of its
 *    own, nor the evidence.
 * 2. Words are cut at everything but letters and digits and at the humps of camel case, and put in lower case
 *    (`wordsOf`).
 * 3. Words of one character and stop words fall away: those of any English sentence, and those of any claim, such as
 *    `ensure` or `vulnerability` (`STOP_WORDS`).
 * 4. What remains loses its endings (`stem`), and counts once however often it is used.
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

/** The keyword that a word in lower case stands for; empty when it says nothing. */
export function keywordOf(word: string): string {
  return word.length < 2 || STOP_WORDS.has(word) ? '' : stem(word);
}
