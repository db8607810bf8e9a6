import type { Lexicon } from '../lexicon/compile-lexicon.ts';
import { type DecidingKind, MOST_WORDS } from '../lexicon/deciding-kinds.ts';
import { daysRequired } from './days-required.ts';
import { stemOf } from './read-text.ts';

/** What a headline states of the details that decide. */
export interface DecidingDetails {
  /** For each kind of the lexicon, the bits of its values; 0 for none. */
  values: Uint16Array;
  /** The kinds that it states a value of. */
  stated: readonly number[];
  /** The periods that it requires, in days. */
  days: readonly number[];
}

const LONGEST_TEXT = 1000;

export function decidingDetails({ deciding, phrases }: Lexicon, headline: string): DecidingDetails {
  const text = headline.slice(0, LONGEST_TEXT);
  const found = phrasesIn(phrases.wordsOf(text).map(stemOf));
  const values = Uint16Array.from(deciding, (kind) => valuesIn(kind, found));
  const stated = [...values.keys()].filter((kind) => values[kind] !== 0);
  return { values, stated, days: daysRequired(text) };
}

/** Every phrase of a text by its first word: the longest first. */
function phrasesIn(stems: readonly string[]): string[][] {
  return stems.map((_, at) => {
    const found: string[] = [];
    for (let length = Math.min(MOST_WORDS, stems.length - at); length > 0; length -= 1) {
      found.push(stems.slice(at, at + length).join(' '));
    }
    return found;
  });
}

function valuesIn({ values, only, unless, first }: DecidingKind, text: readonly string[][]): number {
  const has = (wanted: ReadonlySet<string>) => text.some((found) => found.some((phrase) => wanted.has(phrase)));
  let bits = 0;
  for (let at = 0; at < text.length; ) {
    const phrase = text[at]?.find((each) => values.has(each));
    bits |= values.get(phrase ?? '') ?? 0;
    if (first && bits !== 0) break;
    at += phrase?.split(' ').length ?? 1;
  }
  if (bits === 0 || (only.size > 0 && !has(only)) || (unless.size > 0 && has(unless))) return 0;
  return bits;
}

/** Whether two headlines differ in a detail that decides: only in one that the place can settle, or in another one. */
export function compareDeciding(
  { deciding }: Lexicon,
  a: DecidingDetails,
  b: DecidingDetails,
): 'agree' | 'differ_unless_one_place' | 'differ' {
  let found: 'agree' | 'differ_unless_one_place' = daysDiffer(a.days, b.days) ? 'differ_unless_one_place' : 'agree';
  // Millions of pairs are compared, so there are no iterators here.
  for (let at = 0; at < a.stated.length; at += 1) {
    const kind = a.stated[at] ?? 0;
    const ofA = a.values[kind] ?? 0;
    const ofB = b.values[kind] ?? 0;
    if (ofB === 0 || (ofA & ofB) !== 0) continue;
    if (deciding[kind]?.byPlace !== true) return 'differ';
    found = 'differ_unless_one_place';
  }
  return found;
}

function daysDiffer(a: readonly number[], b: readonly number[]): boolean {
  return a.length > 0 && b.length > 0 && !a.some((days) => b.includes(days));
}

/** The values in which two headlines differ, in words: what the second says, and what the first. */
export function decidingDifference({ deciding }: Lexicon, a: DecidingDetails, b: DecidingDetails): string | null {
  const namesOf = ({ names }: DecidingKind, bits: number) =>
    names.filter((_, at) => (bits & (1 << at)) !== 0).join(', ');
  for (const [kind, of] of deciding.entries()) {
    const [ofA, ofB] = [a.values[kind] ?? 0, b.values[kind] ?? 0];
    if (ofA !== 0 && ofB !== 0 && (ofA & ofB) === 0) return `${namesOf(of, ofB)}, not ${namesOf(of, ofA)}`;
  }
  return daysDiffer(a.days, b.days) ? `${b.days.join(', ')} days, not ${a.days.join(', ')}` : null;
}
