import { wordsOf } from '../words.ts';
import type { Lexicon } from './lexicon.ts';

const LONGEST_TEXT = 2000;
/** How many words before the praise can turn it round. */
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

/** Whether a text says that something is well: `Encryption is properly configured`, but not `is not properly ...`. */
export function praises(lexicon: Lexicon, text: string): boolean {
  const words = ` ${wordsOf(text.slice(0, LONGEST_TEXT)).join(' ')} `;
  return lexicon.sound.some((phrase) => {
    const at = words.indexOf(phrase);
    if (at < 0) return false;
    const before = words.slice(0, at).split(' ').slice(-WINDOW);
    return !before.some((word) => NEGATIONS.has(word));
  });
}
