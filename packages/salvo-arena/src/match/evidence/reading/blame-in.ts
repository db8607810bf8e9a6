import { wordsOf } from 'salvo/kit/text';
import type { Lexicon } from '../lexicon/compile-lexicon.ts';

const LONGEST_TEXT = 2000;
/** How many words before a praising phrase can negate it. */
const WINDOW = 8;
const NEGATIONS = new Set([
  'not',
  'never',
  'no',
  'isn',
  'aren',
  'wasn',
  'improperly',
  'nothing',
  'be',
  'ensure',
  'should',
  'must',
]);

/** Where one statement ends and another begins. */
const CLAUSE_END = /[.;!?](?=\s|$)|\n|,?\s(?=(?:but|however|yet|although|even though|whereas)\b)/i;
/** "Although backups and logging are set, ...": a concession, not what the claim is about. */
const GRANTED =
  /\b(?:although|even though|though|while|whilst)\b([^.;!?\n]{1,200}?)\b(?:set|enabled|configured|encrypted|in place|present|fine|applied|active|restricted|private|secured?)\s?,/gi;
const BLAMES =
  /\b(?:not|no|never|none|without|lack\w*|missing|absen\w+|disabled|fail\w*|false|off|open|public\w*|expos\w+|un(?:encrypted|restricted|authenticated|protected)|insecure|overly|wildcards?|hard-?coded|plain ?text|weak\w*|outdated|deprecated|allows?|permits?|should|must|removed|dropped|deleted|omitted|reduced|widened|downgraded|vulnerab\w+|attackers?|risk\w*|0\.0\.0\.0)\b|n't\b/i;

/**
 * The part of a text that names flaws, without what it praises: models often mention what is in order before they name
 * a flaw. `Encryption is properly configured` is praise, `is not properly configured` is not. It is the whole text when
 * nothing else is left: it `praises` if it says that something is in order, and names no flaw.
 */
export function blameIn(lexicon: Lexicon, text: string) {
  const beginning = text
    .slice(0, LONGEST_TEXT)
    .replace(GRANTED, (clause, granted: string) => (BLAMES.test(granted) ? clause : ' '));
  const clauses = beginning
    .split(CLAUSE_END)
    .flatMap((clause) => (isPraise(lexicon, clause) ? clause.split(', ') : [clause]));
  const others = clauses.filter((clause) => !isPraise(lexicon, clause));
  const isWhole = others.length === clauses.length;
  if (isWhole && beginning.length >= Math.min(text.length, LONGEST_TEXT)) return { text, praises: false };
  const rest = others.join('. ');
  if (!isWhole && !BLAMES.test(rest)) return { text, praises: true };
  return { text: rest + text.slice(LONGEST_TEXT), praises: false };
}

function isPraise(lexicon: Lexicon, clause: string): boolean {
  const words = ` ${wordsOf(clause).join(' ')} `;
  return lexicon.sound.some((phrase) => {
    const at = words.indexOf(phrase);
    if (at < 0) return false;
    const before = words.slice(0, at).split(' ').slice(-WINDOW);
    return !before.some((word) => NEGATIONS.has(word));
  });
}
