import { randomInt } from 'node:crypto';

/** Without characters that are easily confused, such as 0 and o. */
const ALPHABET = '23456789abcdefghjkmnpqrstvwxyz';

/** The id of a new run or experiment: ten random characters, of which the first few are enough to name it. */
export function newId(): string {
  return Array.from({ length: 10 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

/** An id of the same form that is always the same for the same content, given by its hash in hex. */
export function idOfHash(hash: string): string {
  return Array.from({ length: 10 }, (_, at) => {
    const number = Number.parseInt(hash.slice(4 * at, 4 * at + 4), 16);
    return ALPHABET[number % ALPHABET.length];
  }).join('');
}
