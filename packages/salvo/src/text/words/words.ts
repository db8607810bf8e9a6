const SEPARATOR = 0;
const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;

/** The kind of each character below 128, by its code. */
const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[a-z]/.test(character)) return LOWER;
  if (/[A-Z]/.test(character)) return UPPER;
  return /[0-9]/.test(character) ? DIGIT : SEPARATOR;
});

/**
 * The words of a text in lower case, in order. Anything that is neither a letter nor a digit separates words, so
 * `snake_case`, `kebab-case` and `a.path` are split. Camel case is, too: before a capital that follows a small letter
 * or a digit, and before the last capital of several when two small letters follow it (`KMSKeyId` is `kms key id`, but
 * `ACLs` and `IPv4` stay whole). Digits stay with the letters before them: `s3`, `sha256`.
 */
export function wordsOf(text: string): string[] {
  const plain = isAscii(text) ? text : text.normalize('NFKC');
  const words: string[] = [];
  let start = -1;
  let previous = SEPARATOR;
  for (let at = 0; at < plain.length; at += 1) {
    const kind = kindAt(plain, at);
    if (kind === SEPARATOR) {
      if (start >= 0) addWord(words, plain.slice(start, at));
      start = -1;
    } else if (start < 0) {
      start = at;
    } else if (kind === UPPER && !isSecondHalf(plain, at) && (previous !== UPPER || startsCapitalised(plain, at))) {
      addWord(words, plain.slice(start, at));
      start = at;
    }
    previous = kind;
  }
  if (start >= 0) addWord(words, plain.slice(start));
  return words;
}

function addWord(words: string[], raw: string): void {
  const word = raw.toLowerCase();
  const before = words.at(-1);
  if (before !== undefined && COMPOUND_WORDS.get(before)?.includes(word)) {
    words[words.length - 1] = before + word;
  } else {
    words.push(word);
  }
}

function startsCapitalised(text: string, at: number): boolean {
  return at + 2 < text.length && kindAt(text, at + 1) === LOWER && kindAt(text, at + 2) === LOWER;
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 127) return false;
  return true;
}

/** Of a character beyond the basic plane. */
function isSecondHalf(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff && at > 0;
}

function kindAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code < 128) return KINDS[code] ?? SEPARATOR;
  const whole = text.codePointAt(isSecondHalf(text, at) ? at - 1 : at);
  const character = String.fromCodePoint(whole ?? code);
  if (/\p{Lu}/u.test(character)) return UPPER;
  return /[\p{L}\p{M}\p{N}]/u.test(character) ? LOWER : SEPARATOR;
}

/**
 * A word without its endings, so that `encrypt`, `encrypts`, `encrypted`, `encrypting`, `encryption` and `unencrypted`
 * are one. The result is for comparing, not for showing: `enabled` becomes `enabl`. Only words of four and more of the
 * letters a to z are changed, by these rules in this order, where *rest* is what would remain:
 *
 * 1. `un-` is removed from a word in `-ed` (not from `under`): topics are compared, not whether something is done.
 * 2. `-ies` and `-ied` become `-y`; otherwise `-s` is removed, but not from `-ss`, `-us`, `-is` or `https`.
 * 3. `-ing` and `-ed` (not `-eed`) are removed when the rest has three letters and a vowel.
 * 4. `-ly` and `-ible` are removed when the rest has five letters; `-ion` after s or t when it has four.
 * 5. `-at` or `-ate` is removed if the rest has five letters (`configuration` is `configure`); else `-e` if it has four.
 * 6. A doubled last letter becomes single when the word has four (`logging` is `log`).
 */
export function stem(word: string): string {
  if (word.length < 4 || word === 'https' || !/^[a-z]+$/.test(word)) return word;
  let rest = word;
  if (/^un.{4,}ed$/.test(rest) && !rest.startsWith('under')) rest = rest.slice(2);
  if (/(?:..ies|..ied)$/.test(rest)) rest = `${rest.slice(0, -3)}y`;
  else if (/[^sui]s$/.test(rest)) rest = rest.slice(0, -1);
  if (rest.length >= 6 && rest.endsWith('ing') && hasVowel(rest.slice(0, -3))) rest = rest.slice(0, -3);
  else if (rest.length >= 5 && /[^e]ed$/.test(rest) && hasVowel(rest.slice(0, -2))) rest = rest.slice(0, -2);
  if (rest.length >= 7 && rest.endsWith('ly')) rest = rest.slice(0, -2);
  if (rest.length >= 9 && rest.endsWith('ible')) rest = rest.slice(0, -4);
  if (rest.length >= 7 && /[st]ion$/.test(rest)) rest = rest.slice(0, -3);
  if (rest.length >= 8 && rest.endsWith('ate')) rest = rest.slice(0, -3);
  else if (rest.length >= 7 && rest.endsWith('at')) rest = rest.slice(0, -2);
  else if (rest.length >= 5 && rest.endsWith('e')) rest = rest.slice(0, -1);
  if (rest.length >= 4 && rest.at(-1) === rest.at(-2)) rest = rest.slice(0, -1);
  return rest;
}

function hasVowel(text: string): boolean {
  return /[aeiouy]/.test(text);
}

/**
 * Words that people write together, apart or in camel case: `CloudTrail`, `cloud trail`, `cloudtrail`. Their two parts
 * are joined wherever they follow each other. By the first part, the possible second parts.
 */
const COMPOUND_WORDS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    back: ['up'],
    cloud: ['formation', 'front', 'trail', 'watch'],
    cosmos: ['db'],
    document: ['db'],
    dynamo: ['db'],
    elastic: ['search'],
    end: ['point'],
    git: ['hub', 'lab'],
    guard: ['duty'],
    hard: ['code', 'coded', 'coding'],
    mongo: ['db'],
    my: ['sql'],
    o: ['auth'],
    open: ['search'],
    plain: ['text'],
    postgre: ['sql'],
    red: ['shift'],
    sub: ['net', 'nets'],
    web: ['socket'],
    wild: ['card', 'cards'],
  }),
);
