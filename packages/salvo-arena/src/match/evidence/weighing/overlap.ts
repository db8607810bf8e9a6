import type { Lexicon } from '../lexicon/compile-lexicon.ts';
import type { Profile, Term } from '../reading/profile.ts';

/** How far another word of the same concept counts as the word. */
const SAME_MEANING = 0.85;
/** How far a word that only begins alike counts as the word. */
const SAME_BEGINNING = 0.7;

export type Side = 'vulnerability' | 'finding';

export type Overlap = ReturnType<typeof overlapOf>;

/**
 * How much of what one claim says the other claim says as well. `side` says which of the two `of` is, because a finding
 * may be more precise than the vulnerability.
 */
export function overlapOf(lexicon: Lexicon, of: Profile, by: Profile, side: Side) {
  let total = 0;
  let shared = 0;
  let literal = 0;
  let rarest = 0;
  let wordsPresent = 0;
  let wordsMissing = 0;
  let mass = 0;
  for (const term of of.terms) {
    const { weight, present, missing } = term.evidence;
    const said = saidBy(by, term);
    const meant = said < SAME_MEANING ? Math.max(said, meantBy(lexicon, by, term, side)) : said;
    total += weight;
    literal += weight * said;
    shared += weight * meant;
    rarest = Math.max(rarest, weight * (1 - meant));
    wordsPresent += meant * present;
    wordsMissing += (1 - meant) * missing;
    mass += missing;
  }
  let conceptsPresent = 0;
  let conceptsMissing = 0;
  for (const { concept, evidence } of of.topics) {
    const found = conceptFound(lexicon, by, concept, side);
    conceptsPresent += found * evidence.present;
    conceptsMissing += (1 - found) * evidence.missing;
  }
  return {
    /** The weighted share of its words that the other has, also in other words of the same meaning. */
    share: total === 0 ? 0 : shared / total,
    /** The same without other words of the same meaning. */
    literal: total === 0 ? 0 : literal / total,
    /** The weight of the most telling word that the other lacks. */
    rarest,
    /** The evidence of the words and concepts that the other has, also in other words, and of those that it lacks. */
    wordsPresent,
    wordsMissing,
    conceptsPresent,
    conceptsMissing,
    /** What `wordsMissing` would be if the other had none of the words. */
    mass,
  };
}

/** How far the other claim has a word, itself or one that begins alike. */
export function saidBy(by: Profile, { text, beginning }: Term): number {
  const said = by.said.get(text) ?? 0;
  if (said === 1 || beginning === null) return said;
  return Math.max(said, SAME_BEGINNING * (by.said.get(beginning) ?? 0));
}

/** The word of the other claim that replaces a word best, and how far; null for none. */
export function replacementIn(by: Profile, { synonyms }: Term): { word: string; strength: number } | null {
  let best: { word: string; strength: number } | null = null;
  for (const [word, most] of synonyms) {
    const strength = most * (by.said.get(word) ?? 0);
    if (strength > (best?.strength ?? 0)) best = { word, strength };
  }
  return best;
}

/** How far the other claim says a word in other words. */
function meantBy(lexicon: Lexicon, by: Profile, term: Term, side: Side): number {
  let best = replacementIn(by, term)?.strength ?? 0;
  for (const concept of term.concepts) {
    best = Math.max(best, SAME_MEANING * conceptFound(lexicon, by, concept, side));
  }
  return best;
}

function conceptFound({ affinity, concepts }: Lexicon, by: Profile, concept: number, side: Side): number {
  const count = concepts.length;
  let best = by.mentioned.get(concept) ?? 0;
  for (const list of [by.aspects, by.objects]) {
    for (const other of list) {
      const at = side === 'vulnerability' ? concept * count + other : other * count + concept;
      best = Math.max(best, affinity[at] ?? 0);
    }
  }
  return best;
}
