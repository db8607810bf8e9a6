import { once } from '../../packages/salvo/src/text/memo.ts';
import type { WordTable } from '../../packages/salvo-arena/src/match/evidence/lexicon/word-table.ts';
import { countWords } from './count-words.ts';
import { foldOf, type PhrasedWeakness } from './training-data.ts';

/** Word tables that know less than the one of the package, as if something had not been written. */
export interface WordTables {
  all(): WordTable;
  /** Without the weaknesses of one part of the services. */
  withoutFold(fold: number): WordTable;
  /** With all weaknesses, but without the sentences of these authors. */
  withoutAuthors(authors: readonly string[]): WordTable;
}

export function createWordTables(weaknesses: readonly PhrasedWeakness[]): WordTables {
  return {
    all: once(() => countWords(weaknesses)),
    withoutFold: (fold) => countWords(weaknesses.filter(({ service }) => foldOf(service) !== fold)),
    withoutAuthors: (authors) =>
      countWords(
        weaknesses.flatMap((weakness) => {
          const sentences = weakness.sentences.filter(({ author }) => !authors.includes(author));
          return sentences.length === 0 ? [] : [{ ...weakness, sentences }];
        }),
      ),
  };
}
