import { remembered } from 'salvo/kit/text';
import type { Claim } from '../../claims/claim.ts';
import type { Lexicon } from '../lexicon/compile-lexicon.ts';
import { textsOfRules } from './profile.ts';
import { ACTION, stemOf, wordsRead } from './read-text.ts';

type WrittenWord = (stem: string) => string;

/** A claim is explained in many pairs, and read once for them. */
const known = new WeakMap<Claim, WrittenWord>();

/** Says how a claim writes a stem, because a stem is not readable. What it does not write stays a stem. */
export function writtenWords(lexicon: Lexicon, claim: Claim): WrittenWord {
  return remembered(known, claim, () => readWritten(lexicon, claim));
}

function readWritten(lexicon: Lexicon, claim: Claim): WrittenWord {
  const { type, title, attributes, description, evidence, rule_ids } = claim;
  const words = new Map<string, string>();
  for (const text of [type, title, ...attributes, description, evidence, ...textsOfRules(rule_ids)]) {
    for (const [action, ...parts] of text.matchAll(ACTION)) words.set(stemOf(parts.join('').toLowerCase()), action);
    for (const word of wordsRead(lexicon, text)) {
      const stem = stemOf(word);
      if (!words.has(stem)) words.set(stem, SPELLED_OUT.get(word) ?? word);
    }
  }
  return (stem) => words.get(stem) ?? stem;
}

/** What is read as a word, but is none. */
const SPELLED_OUT: ReadonlyMap<string, string> = new Map([
  ['anyaddress', 'any address'],
  ['star', '*'],
]);
