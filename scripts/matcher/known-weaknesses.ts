import { compileLexicon } from '../../src/match/evidence/compile-lexicon.ts';
import { loadLexiconFile } from '../../src/match/evidence/lexicon.ts';
import { createNearestWeaknesses, weaknessesInCommon } from '../../src/match/evidence/nearest-weaknesses.ts';
import type { WordTable } from '../../src/match/evidence/word-table.ts';
import { memoByKey } from '../../src/text/memo.ts';
import { weigher } from './count-weaknesses.ts';
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
): (a: SentenceAt, b: SentenceAt) => number {
  const sentences = weaknesses.map(sentencesOf);
  const vectorOfWeakness = weigher(sentences);
  const nearest = createNearestWeaknesses(table.weaknesses);
  const { synonymsOf } = compileLexicon(loadLexiconFile(), table);
  const texts = sentences.map((of) =>
    of.map((keys) => {
      const [words, concepts] = [[...keys].flatMap(wordOf), [...keys].filter((key) => wordOf(key).length === 0)];
      const vector = nearest.vectorOf({
        words: words.map((text) => ({ text, synonyms: synonymsOf(text) })),
        concepts,
        below: [],
      });
      return { vector, scores: nearest.scoresOf(vector) };
    }),
  );
  const likely = memoByKey((key) => {
    const [weakness = 0, sentence = 0, other = 0] = key.split(' ').map(Number);
    const text = texts[weakness]?.[sentence];
    if (text === undefined) return nearest.likely(new Float64Array());
    const rest = (sentences[weakness] ?? []).filter((_, at) => at !== sentence && at !== other);
    const scores = text.scores.slice();
    scores[weakness] = cosine(text.vector, vectorOfWeakness(rest));
    return nearest.likely(scores);
  });
  const likelyWithout = ({ weakness, sentence }: SentenceAt, other: SentenceAt) =>
    likely(`${weakness} ${sentence} ${other.weakness === weakness ? other.sentence : -1}`);
  return (a, b) => weaknessesInCommon(likelyWithout(a, b), likelyWithout(b, a));
}

function cosine(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const [key, weight] of a) sum += weight * (b.get(key) ?? 0);
  return sum;
}
