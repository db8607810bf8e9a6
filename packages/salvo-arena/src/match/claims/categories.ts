import { stem, wordsOf } from 'salvo/kit/text';
import type { Claim } from './claim.ts';

/** Words that put a claim into a category. The category's own name does, too. */
const CATEGORY_PATTERNS = {
  encryption: ['encryption', 'sse', 'kms', 'tls'],
  access_control: ['public', 'acl', 'permission', 'access'],
  iam: ['iam', 'role', 'policy', 'privilege'],
  network: ['security group', 'cidr', 'ingress', 'egress'],
  logging: ['logging', 'audit', 'cloudtrail', 'monitoring'],
} as const satisfies Record<string, readonly string[]>;

const CATEGORIES = Object.keys(CATEGORY_PATTERNS);

interface Pattern {
  words: string[];
  /** The stem of the last word. */
  stem: string;
  /** The bit of its category. */
  mask: number;
}

const PATTERNS: Pattern[] = Object.entries(CATEGORY_PATTERNS).flatMap(([category, patterns], index) =>
  [category, ...patterns].map((pattern) => {
    const words = wordsOf(pattern);
    return { words, stem: stem(words.at(-1) ?? ''), mask: 1 << index };
  }),
);
const LONG_PATTERNS = PATTERNS.filter(({ words }) => words.length > 1);

/**
 * The categories that a claim's type, title and description mention. A pattern matches at the start of a word
 * (`accessible` has `access`, `oracle` has no `acl`) or in another form of it (`encrypted`, `policies`). A pattern of
 * several words matches consecutive words, so `security_group` counts.
 */
export function categoriesOf(claim: Pick<Claim, 'type' | 'title' | 'description'>): ReadonlySet<string> {
  let mask = 0;
  for (const text of [claim.type, claim.title, claim.description]) {
    const words = wordsOf(text);
    mask |= phraseCategories(words);
    for (const word of words) mask |= wordCategories(word);
  }
  return new Set(categoriesOfMask(mask));
}

/** In the order of `CATEGORY_PATTERNS`. */
export function categoriesOfMask(mask: number): string[] {
  return CATEGORIES.filter((_, index) => (mask & (1 << index)) !== 0);
}

/** The categories of one word, one bit for each. */
export function wordCategories(word: string): number {
  const root = stem(word);
  let mask = 0;
  for (const { words, ...pattern } of PATTERNS) {
    const [only = '', ...more] = words;
    if (more.length === 0 && (word.startsWith(only) || root === pattern.stem)) mask |= pattern.mask;
  }
  return mask;
}

/** The categories of patterns with several words. */
export function phraseCategories(words: readonly string[]): number {
  let mask = 0;
  for (const pattern of LONG_PATTERNS) {
    const [first = ''] = pattern.words;
    for (let at = words.indexOf(first); at >= 0; at = words.indexOf(first, at + 1)) {
      if (phraseContinues(words, at, pattern)) mask |= pattern.mask;
    }
  }
  return mask;
}

function phraseContinues(words: readonly string[], at: number, pattern: Pattern): boolean {
  return pattern.words.every((expected, offset) => {
    const word = words[at + offset] ?? '';
    const isLast = offset === pattern.words.length - 1;
    return word === expected || (isLast && (word.startsWith(expected) || stem(word) === pattern.stem));
  });
}
