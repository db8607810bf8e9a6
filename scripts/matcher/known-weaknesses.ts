import { compileLexicon } from '../../src/match/evidence/compile-lexicon.ts';
import type { Content } from '../../src/match/evidence/content.ts';
import { loadLexiconFile } from '../../src/match/evidence/lexicon.ts';
import { compareWeaknesses, createNearestWeaknesses } from '../../src/match/evidence/nearest-weaknesses.ts';
import type { WordTable } from '../../src/match/evidence/word-table.ts';
import { memoByKey } from '../../src/text/memo.ts';
import { countKeys } from './count-weaknesses.ts';
import { sentencesOf, wordOf } from './sentence-keys.ts';
import type { PhrasedWeakness } from './training-data.ts';

/** A sentence of the training data: the index of its weakness, and which of its sentences it is. */
export interface SentenceAt {
  weakness: number;
  sentence: number;
}

/**
 * How far two training sentences are near the same weaknesses, if the table knew their weaknesses but neither of the
 * two sentences: as if somebody else had written them.
 */
export function createKnownWeaknesses(
  weaknesses: readonly PhrasedWeakness[],
  table: WordTable,
): (a: SentenceAt, b: SentenceAt) => Pick<Content, 'weaknesses' | 'otherWeaknesses'> {
  const sentences = weaknesses.map(sentencesOf);
  const nearest = createNearestWeaknesses(table.weaknesses);
  const { synonymsOf } = compileLexicon(loadLexiconFile(), table);
  const texts = sentences.map((of) =>
    of.map((keys) => {
      const [words, concepts] = [[...keys].flatMap(wordOf), [...keys].filter((key) => wordOf(key).length === 0)];
      return nearest.weightsOf({
        words: words.map((text) => ({ text, synonyms: synonymsOf(text) })),
        concepts,
        below: [],
      });
    }),
  );
  const likely = memoByKey((key) => {
    const [weakness = 0, sentence = 0, other = 0] = key.split(' ').map(Number);
    const rest = (sentences[weakness] ?? []).filter((_, at) => at !== sentence && at !== other);
    const weights = texts[weakness]?.[sentence] ?? new Map<string, number>();
    return nearest.likely(nearest.scoresOf(weights, { weakness, counts: countKeys(rest) }));
  });
  const likelyWithout = ({ weakness, sentence }: SentenceAt, other: SentenceAt) =>
    likely(`${weakness} ${sentence} ${other.weakness === weakness ? other.sentence : -1}`);
  return (a, b) => compareWeaknesses(likelyWithout(a, b), likelyWithout(b, a));
}
