import { memoByWord, stem } from 'salvo/kit/text';
import { replacePublicCidrs } from '../../../iac/read/public-cidr.ts';
import type { Lexicon } from '../lexicon/compile-lexicon.ts';

/** What a text says, in the lexicon's terms. */
export interface Reading {
  concepts: Set<number>;
  /** The stems of all words, each with the concepts that it was read as. */
  terms: Map<string, readonly number[]>;
  /** Stems of the words that are no concept and carry meaning. */
  words: Set<string>;
  /**
   * The stems of all words, alone and joined with the next one, since one side may write `logcheckpoints` and the other
   * `log_checkpoints`; and the beginnings of long words, for words with other endings.
   */
  said: Set<string>;
}

/** Texts are not trusted: further characters are not read. */
const LONGEST_TEXT = 6000;
const LINK = /\bhttps?:\/\/\S+/g;
const ADDRESS =
  /\b(?:data\.)?(?:aws|azurerm|azuread|google|kubernetes|helm|oci|alicloud|digitalocean)_[a-z0-9_]+(?:\.[\w-]+|\[[\w-]{0,80}\]?)/g;
/** The bucket 'audit-logs' is called so, which says nothing about logging. */
const QUOTED_NAME =
  /\b(buckets?|groups?|instances?|queues?|topics?|tables?|functions?|clusters?|databases?|volumes?|trails?)\s(?:named\s|called\s)?["'`][\w.-]{2,80}["'`](?!\s(?:flag|parameter|setting|option|attribute|property))/gi;
/** Beside the public address ranges: `0.0.0.0` alone, and ranges that something is written next to. */
const ANY_ADDRESS = /\b0\.0\.0\.0(?:[/:]0)?|::\/0/g;
/** `iam:AttachUserPolicy` is the name of an action, so its words are not read one by one. */
export const ACTION = /\b([a-z][a-z0-9-]{1,30}):([A-Z][A-Za-z]{2,60})\b/g;
/** `from_port = 22` and `destination_port_range: ["22"]` name a port as `port 22` does. */
const PORT = /(?:\b|_)ports?(?:_ranges?)?["']?\s{0,5}[:=\s]\s{0,5}\[?["']?(\d{1,5})\b/gi;
/** In a policy this star means every principal, not every action. */
const ANY_PRINCIPAL = /["']?\b(?:AWS|Federated|CanonicalUser)["']?\s{0,5}[:=]\s{0,5}\[?["']?\*["']?/g;
const STAR = /(["'\s:=[(])\*(?=["'\s,;.:)\]]|$)/g;

export const stemOf = memoByWord(stem);

/** The words of a text that are read, one by one. */
export function wordsRead(lexicon: Lexicon, text: string, names: readonly string[] = []): string[] {
  let plain = text.slice(0, LONGEST_TEXT).replace(LINK, ' ').replace(ADDRESS, ' ').replace(QUOTED_NAME, '$1 ');
  for (const name of names) plain = plain.replaceAll(name, ' ');
  plain = replacePublicCidrs(plain, ' anyaddress ')
    .replace(ANY_ADDRESS, ' anyaddress ')
    .replace(PORT, ' port $1 ')
    .replace(ANY_PRINCIPAL, ' principal star ')
    .replace(STAR, '$1 star ')
    .replace(ACTION, (_, service: string, action: string) => `${service}${action.toLowerCase()}`);
  return lexicon.phrases.wordsOf(plain);
}

/** Reads a text. Names of resources do not count: `aws_s3_bucket.public` need not be public. */
export function readText(lexicon: Lexicon, text: string, names: readonly string[] = []): Reading {
  const words = wordsRead(lexicon, text, names);
  const stems = words.map(stemOf);
  const reading: Reading = { concepts: new Set(), terms: new Map(), words: new Set(), said: new Set(stems) };
  for (let at = 0; at < words.length; ) {
    const phrase = lexicon.phrases.phraseAt(words, stems, at);
    if (phrase === null) {
      addWord(lexicon, reading, stems[at] ?? '');
      addTerm(reading, stems[at] ?? '', []);
      at += 1;
    } else {
      for (const concept of phrase.concepts) reading.concepts.add(concept);
      for (const stem of stems.slice(at, at + phrase.length)) addTerm(reading, stem, phrase.concepts);
      if (phrase.length > 1) addWithin(lexicon, reading, words.slice(at, at + phrase.length), phrase.concepts);
      at += phrase.length;
    }
  }
  for (let at = 1; at < stems.length; at += 1) reading.said.add(`${stems[at - 1]}${stems[at]}`);
  for (const stem of stems) {
    const beginning = beginningOf(stem);
    if (beginning !== null) reading.said.add(beginning);
  }
  return reading;
}

const LONG_WORD = 6;

/** How a word begins, marked as a beginning: `rotation` and `rotational` share theirs. Null for a short word. */
export function beginningOf(stem: string): string | null {
  return stem.length < LONG_WORD ? null : `${stem.slice(0, LONG_WORD)}~`;
}

function addTerm({ terms }: Reading, stem: string, concepts: readonly number[]): void {
  const known = terms.get(stem) ?? [];
  terms.set(stem, known.length === 0 ? concepts : [...known, ...concepts]);
}

function addWord(lexicon: Lexicon, reading: Reading, word: string): void {
  if (word.length < 3 || /^\d+$/.test(word) || lexicon.generic.has(word)) return;
  reading.words.add(word);
}

/** "Unencrypted bucket" is a flaw and also names the object; "java version" also names the language. */
function addWithin(lexicon: Lexicon, reading: Reading, words: readonly string[], concepts: readonly number[]): void {
  const namesObject = concepts.some((concept) => lexicon.concepts[concept]?.kind === 'object');
  const stems = words.map(stemOf);
  for (let at = 0; at < words.length; at += 1) {
    for (const concept of lexicon.phrases.longestAt(words, stems, at, words.length - 1)?.concepts ?? []) {
      const kind = lexicon.concepts[concept]?.kind;
      if (kind === 'qualifier' || (kind === 'object' && !namesObject)) reading.concepts.add(concept);
    }
  }
}
