import { memoByKey, once } from '../../packages/salvo/src/text/memo.ts';
import { readClaim } from '../../packages/salvo-arena/src/match/claims/read-claim.ts';
import { compileLexicon } from '../../packages/salvo-arena/src/match/evidence/lexicon/compile-lexicon.ts';
import { loadLexiconFile } from '../../packages/salvo-arena/src/match/evidence/lexicon/lexicon.ts';
import type { WordEvidence } from '../../packages/salvo-arena/src/match/evidence/lexicon/word-table.ts';
import { profileOf, weaknessKeys } from '../../packages/salvo-arena/src/match/evidence/reading/profile.ts';

/** Marks concepts among words. */
export const CONCEPT = '#';

/** For each sentence of a weakness its words and concepts. */
export function keysOfSentences(sentences: readonly { text: string }[]): ReadonlySet<string>[] {
  return sentences.map(({ text }) => keysOf(text));
}

/** The word that a key is; none for a concept. */
export function wordOf(key: string): string[] {
  return key.startsWith(CONCEPT) ? [] : [key];
}

const UNCOUNTED: WordEvidence = { weight: 1, present: 0, missing: 0 };

const uncountedLexicon = once(() =>
  compileLexicon(loadLexiconFile(), {
    unseen_word: UNCOUNTED,
    unseen_concept: UNCOUNTED,
    words: {},
    concepts: {},
    synonyms: {},
    weaknesses: { ids: [], services: [], part_of: [], keys: {} },
  }),
);

const keysOf = memoByKey((text): ReadonlySet<string> => {
  const lexicon = uncountedLexicon();
  const { words, concepts } = weaknessKeys(lexicon, profileOf(lexicon, readClaim({ title: text })));
  return new Set([...[...words].map((word) => word.text), ...concepts]);
});
