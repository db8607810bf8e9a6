import { dataFile } from '../../text/data-file.ts';
import { compileLexicon } from './compile-lexicon.ts';
import type { Concept } from './concept.ts';
import { lexiconSchema } from './lexicon-schema.ts';
import type { PhraseTable } from './phrase-table.ts';

/** What the words of findings mean, ready for use. Concepts are given by index. */
export interface Lexicon {
  concepts: readonly Concept[];
  phrases: PhraseTable;
  /** See `affinities`. */
  affinity: Float64Array;
  /** The object of a type of resource; null when the lexicon does not know the type. */
  objectOfType(type: string): number | null;
  /** The object that an aspect implies. */
  implied: ReadonlyMap<number, number>;
  /** The aspect that is missing where an object is missing. */
  provided: ReadonlyMap<number, number>;
  /** By aspect, those that are not meant beside it. */
  overrides: ReadonlyMap<number, readonly number[]>;
  /** By object, what an aspect means when it is said of that. */
  meanings: ReadonlyMap<number, ReadonlyMap<number, number>>;
  /** By object, the aspects beside which it is a mere means. */
  mere: ReadonlyMap<number, readonly number[]>;
  /** By dimension, what is wrong when a detail of it is all that is said. */
  dimensionAspects: ReadonlyMap<string, number>;
  /** How much a word says that is no concept, by its stem; 1 for one that is not here. */
  weights: ReadonlyMap<string, number>;
  /** Phrases that praise: words with blanks around each. */
  sound: readonly string[];
}

/** The lexicon that ships with the product; read once, when it is first needed. */
export function loadLexicon(): Lexicon {
  lexicon ??= compileLexicon(lexiconSchema.parse(JSON.parse(dataFile(import.meta.url, './lexicon.json'))));
  return lexicon;
}

let lexicon: Lexicon | undefined;
