import { randomInt } from 'node:crypto';

/** Without characters that are easily confused, such as 0 and o. */
const ALPHABET = '23456789abcdefghjkmnpqrstvwxyz';

/** The id of a new run or experiment: ten random characters, of which the first few are enough to name it. */
export function newId(): string {
  return Array.from({ length: 10 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}
