import { stem, wordsOf } from 'salvo/kit/text';

type Phrase = {
  concepts: readonly number[];
  /** In words. */
  length: number;
};

const MOST_WORDS = 6;
/** A prefix of phrases in the lexicon: only this form of the words is meant (`=log bucket`, not "logging bucket"). */
const AS_WRITTEN = '=';
/** The stem of a longer word can be an acronym: that of "session" is `ses`. */
const LONGEST_ACRONYM = 3;

export type PhraseTable = ReturnType<typeof createPhraseTable>;

/**
 * Which concepts the phrases of the lexicon mean. Phrases are kept without the gaps between their words, as written and
 * by stems. The written form is tried first, because stems lose distinctions: "versioning" and "version", "privileged"
 * and "privilege".
 */
export function createPhraseTable(
  abbreviations: Readonly<Record<string, string>>,
  spelled: (word: string) => string = (word) => word,
) {
  const written = new Map<string, number[]>();
  const stemmed = new Map<string, number[]>();
  const longForms = new Map(Object.entries(abbreviations).map(([short, long]) => [short, long.split(' ')]));

  /** The words of a text, with abbreviations written out and names of services spelled right. */
  function expandedWords(text: string): string[] {
    return wordsOf(text).flatMap((word) => longForms.get(word) ?? [spelled(word)]);
  }

  /** The longest phrase of at most `most` words that begins at a word; null for none. */
  function longestAt(words: readonly string[], stems: readonly string[], at: number, most = MOST_WORDS): Phrase | null {
    let found: Phrase | null = null;
    let asWritten = '';
    let byStems = '';
    const last = Math.min(words.length, at + most);
    for (let end = at; end < last; end += 1) {
      asWritten += words[end];
      byStems += stems[end];
      const concepts = written.get(asWritten) ?? stemmed.get(byStems);
      if (concepts !== undefined) found = { concepts, length: end + 1 - at };
    }
    return found;
  }

  return {
    wordsOf: expandedWords,
    longestAt,
    add(phrase: string, concept: number): void {
      const words = expandedWords(phrase);
      const key = words.join('');
      addConcept(written, key, concept);
      if (phrase.startsWith(AS_WRITTEN) || key.length <= LONGEST_ACRONYM) return;
      addConcept(stemmed, words.map(stem).join(''), concept);
    },
    /** The phrase that is read at a word; null for none. */
    phraseAt(words: readonly string[], stems: readonly string[], at: number): Phrase | null {
      const first = longestAt(words, stems, at);
      if (first === null) return null;
      for (let next = 1; next < first.length; next += 1) {
        const second = longestAt(words, stems, at + next);
        // In "CloudTrail log file validation", the "log" belongs to the longer phrase.
        if (second !== null && second.length > first.length) return longestAt(words, stems, at, next);
      }
      return first;
    },
  };
}

function addConcept(table: Map<string, number[]>, key: string, concept: number): void {
  const concepts = table.get(key);
  if (concepts === undefined) table.set(key, [concept]);
  else if (!concepts.includes(concept)) concepts.push(concept);
}
