import { randomBytes } from 'node:crypto';
import { plainText } from '../../text/output/plain-text.ts';

export interface Fence {
  nonce: string;
  /** The text between two lines that its author could not foresee. The label must not contain untrusted text. */
  wrap(label: string, text: string): string;
}

/** A fence around untrusted text. Whatever looks like a fence inside is marked, so that it is none. */
export function createFence(nonce: string): Fence {
  return {
    nonce,
    wrap(label, text) {
      const name = plainText(label)
        .replaceAll(/[<>\s]+/g, ' ')
        .trim();
      const inside = withoutLookAlikes(withoutNonce(plainText(text), nonce));
      return `<<<BEGIN MATERIAL ${nonce}: ${name}>>>\n${inside}\n<<<END MATERIAL ${nonce}: ${name}>>>`;
    },
  };
}

/** 16 hexadecimal digits. Reproducible with a seeded generator of numbers in [0, 1). */
export function newNonce(random?: () => number): string {
  if (!random) return randomBytes(8).toString('hex');
  const half = () =>
    Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0');
  return half() + half();
}

const MARK = '[not a fence]';

function withoutNonce(text: string, nonce: string): string {
  return nonce === '' ? text : text.replaceAll(nonce, MARK);
}

/** Decoration and keyword of a fence line, after folding. */
const LOOK_ALIKE = /(?<![<>[\](){}|=\-_*#~+])([<>[\](){}|=\-_*#~+]+)[\s/:.]*(BEGIN|START|END|STOP)/g;
const MATERIAL_FOLLOWS = /^[\s_:-]{0,3}(?:OF[\s_-]{0,3})?(?:THE[\s_-]{0,3})?MATERIALS?(?![A-Z0-9])/;

function withoutLookAlikes(text: string): string {
  const { folded, offsetOf } = fold(text);
  let result = '';
  let done = 0;
  for (const match of folded.matchAll(LOOK_ALIKE)) {
    const [whole, decoration = '', word = ''] = match;
    const end = match.index + whole.length;
    const isWholeWord = !goesOnInAscii(text, offsetOf(end - 1));
    if (!isLookAlike(decoration, isWholeWord, folded.slice(end, end + 24))) continue;
    result += `${text.slice(done, offsetOf(match.index))}${MARK} `;
    done = offsetOf(end - word.length);
  }
  return result + text.slice(done);
}

/**
 * Whether the word goes on after the character at this offset, as in "endpoint". The unfolded text decides: folding
 * makes a plain letter of an accented or foreign one, so an imitation with one behind it could pass for a longer word.
 */
function goesOnInAscii(text: string, offset: number): boolean {
  const length = (text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
  const next = offset + length;
  return /^[a-z0-9](?!\p{M})/iu.test(text.slice(next, next + 3));
}

/** Three brackets always look like a fence; fewer, or dashes, only when the word "material" follows. */
function isLookAlike(decoration: string, isWholeWord: boolean, rest: string): boolean {
  if (isWholeWord && /[<[{]{3}/.test(decoration)) return true;
  return MATERIAL_FOLLOWS.test(rest) && (decoration.length > 1 || /[<[{]/.test(decoration));
}

const ASCII = /^[\x00-\x7f]*$/;

interface FoldedText {
  folded: string;
  /** The offset in the original text of a character of the folded text. */
  offsetOf: (index: number) => number;
}

/** The text in capitals, with every look-alike replaced by the character that it looks like. */
function fold(text: string): FoldedText {
  if (ASCII.test(text)) return { folded: text.toUpperCase(), offsetOf: (index) => index };
  let folded = '';
  const offsets: number[] = [];
  let offset = 0;
  for (const character of text) {
    const simple = foldCharacter(character);
    folded += simple;
    for (let unit = 0; unit < simple.length; unit += 1) offsets.push(offset);
    offset += character.length;
  }
  return { folded, offsetOf: (index) => offsets[index] ?? text.length };
}

const FOLDED = new Map<string, string>(
  Object.entries({
    '<': '‹〈⟨❮❰˂ᐸ⧼⦉≺⟬〔⦑',
    '<<': '«⟪《≪⪡',
    '<<<': '⋘',
    '>': '›〉⟩❯❱˃ᐳ⧽⦊≻⟭〕⦒',
    '>>': '»⟫》≫⪢',
    '>>>': '⋙',
    '[': '【〖「『⟦⁅',
    ']': '】〗」』⟧⁆',
    '-': '‐‑‒–—―−⸺⸻─━═⎯╌╍┄┅┈┉➖ー',
    '=': '꞊᐀⹀',
    A: 'АΑ',
    B: 'ВΒ',
    D: 'ԀᎠ',
    E: 'ЕΕ',
    G: 'ԌᏀ',
    I: 'ІΙӀ',
    L: 'ᏞᒪԼ',
    M: 'МΜ',
    N: 'ΝᲘ',
    O: 'ОΟ',
    P: 'РΡ',
    R: 'ᎡᖇƦ',
    S: 'ЅՏ',
    T: 'ТΤ',
  }).flatMap(([simple, alike]) => Array.from(alike, (character): [string, string] => [character, simple])),
);

function foldCharacter(character: string): string {
  const known = FOLDED.get(character);
  if (known !== undefined) return known;
  if (ASCII.test(character)) return character.toUpperCase();
  // Folds full-width, mathematical and circled letters, and removes accents.
  const plain = character.normalize('NFKD').replaceAll(/\p{M}/gu, '').toUpperCase();
  return Array.from(plain, (part) => FOLDED.get(part) ?? part).join('');
}
