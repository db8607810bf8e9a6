import { stem } from 'salvo/kit/text';
import type { LexiconFile } from './lexicon-schema.ts';
import type { PhraseTable } from './phrase-table.ts';

/** A kind of details that decide. */
export interface DecidingKind {
  /** The values in words; their order is that of the bits. */
  names: readonly string[];
  /** By a phrase, as stems with a blank between: the bits of its values, 0 for a phrase to ignore. */
  values: ReadonlyMap<string, number>;
  only: ReadonlySet<string>;
  unless: ReadonlySet<string>;
  first: boolean;
  byPlace: boolean;
}

/** Longer phrases are not looked for. */
export const MOST_WORDS = 4;

export function decidingKinds(
  file: LexiconFile['deciding'],
  { wordsOf }: Pick<PhraseTable, 'wordsOf'>,
): DecidingKind[] {
  const keyOf = (phrase: string) => wordsOf(phrase).map(stem).join(' ');
  return Object.values(file).map(({ values, ignore, only, unless, first, by_place }) => {
    const bits = new Map<string, number>(ignore.map((phrase) => [keyOf(phrase), 0]));
    for (const [at, of] of Object.values(values).entries()) {
      for (const key of of.map(keyOf)) bits.set(key, (bits.get(key) ?? 0) | (1 << at));
    }
    return {
      names: Object.keys(values),
      values: bits,
      only: new Set(only.map(keyOf)),
      unless: new Set(unless.map(keyOf)),
      first,
      byPlace: by_place,
    };
  });
}
