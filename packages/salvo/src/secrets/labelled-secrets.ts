import { isPasswordName, isSecretName, isSecretUnder } from './secret-names.ts';

/** The end of a name that can be secret, the quote that closes it, and the separator before its value. */
const LABEL =
  /(?:passw(?:or)?d|passphrase|passcode|pwd|pass|secret|token|key|credentials?|authorization|(?<=[_-])pat)\d{0,3}(?:[_-]?(?:confirmation|confirm|again|repeat|value|string|hash))?(\\{0,7}["'`]\]?)?(\s{0,4}(?:=>|:=|[:=])\s{0,4}|\s{1,4}is:?\s{1,4}|\s{1,4}(?=[^\s-]))/gi;
const NAME_LENGTH = 60;
const OPENING_QUOTE = /(\\{0,7})(["'`])/y;
const END_OF_STRING = /\\{0,7}"(?=\s{0,4}(?:[,}\]:]|$))/;
const BARE_VALUE = /[^\s"'`\\,;&<>(){}[\]|]+/y;

/**
 * Secrets that are known by the name in front of them: `"api_key": "..."` (also escaped, as JSON inside JSON is),
 * `PASSWORD=...`, `--token ...`, `password: ...`. Only the value is replaced, so that JSON stays JSON.
 */
export function replaceLabelled(text: string, replacement: (secret: string) => string): string {
  let redacted = '';
  let done = 0;
  LABEL.lastIndex = 0;
  for (let match = LABEL.exec(text); match !== null; match = LABEL.exec(text)) {
    const value = valueAfter(text, match);
    if (value === null) continue;
    // Continue after the value in any case: searching inside it again would take quadratic time.
    LABEL.lastIndex = Math.max(value.end, LABEL.lastIndex);
    if (!value.secret) continue;
    redacted += text.slice(done, value.start) + replacement(text.slice(value.start, value.end));
    done = value.end;
  }
  return done === 0 ? text : redacted + text.slice(done);
}

interface LabelledValue {
  start: number;
  end: number;
  secret: boolean;
}

function valueAfter(text: string, match: RegExpExecArray): LabelledValue | null {
  const [whole, closingQuote, separator = ''] = match;
  const start = match.index + whole.length;
  const label = whole.slice(0, whole.length - separator.length - (closingQuote?.length ?? 0));
  const name = text.slice(nameStart(text, match.index), match.index) + label;
  if (!isSecretName(name)) return null;

  const quote = matchAt(OPENING_QUOTE, text, start);
  if (quote !== null) {
    if (separator.trim() === '') return null;
    return quotedValue({
      text,
      start: start + quote[0].length,
      quote,
      name,
      nameQuote: closingQuote?.replace(']', ''),
    });
  }
  // A bare value after a quoted name is a number, a boolean or null: no secret, and JSON that must stay whole.
  if (closingQuote !== undefined && /:|=>/.test(separator)) return null;
  return bareValue({ text, start, name, separator: separator.trim() });
}

function quotedValue(at: {
  text: string;
  start: number;
  quote: RegExpExecArray;
  name: string;
  nameQuote: string | undefined;
}): LabelledValue {
  const { text, start, quote, name, nameQuote } = at;
  const [whole, escapes = '', quoteMark = '"'] = quote;
  const none = { start, end: start, secret: false };
  // Name and value of one object are quoted at the same depth.
  if (nameQuote !== undefined && nameQuote.length !== whole.length) return none;
  // In `input("password: ")` the quote after the label ends a string instead of beginning one.
  if (nameQuote !== whole && /^[\s),;+:\]}"'\\]|^$/.test(text.slice(start, start + 1))) return none;
  const closing = closingQuoteOf(text, start, escapes.length, quoteMark);
  const end = quoteMark === '"' ? closing : start + endOfString(text.slice(start, closing));
  // A value that is no secret itself can still contain one.
  return isSecretUnder(name, text.slice(start, end)) ? { start, end, secret: true } : none;
}

/**
 * The end of a quoted value: the next quote that closes a string of its own depth, or of one further out when the value
 * was cut off; else the end of the text.
 */
function closingQuoteOf(text: string, start: number, escapes: number, quoteMark: string): number {
  for (let at = text.indexOf(quoteMark, start); at !== -1; at = text.indexOf(quoteMark, at + 1)) {
    let backslashes = 0;
    while (at - backslashes > start && text[at - backslashes - 1] === '\\') backslashes++;
    const closed = [escapes, 3, 1, 0].find((depth) => depth <= escapes && closes(depth, backslashes));
    if (closed !== undefined) return at - closed;
  }
  return text.length;
}

/** JSON inside JSON doubles every backslash: one of the text itself becomes 2, 4 or 8 at depths of 0, 1 or 3 escapes. */
function closes(escapes: number, backslashes: number): boolean {
  return backslashes >= escapes && (backslashes - escapes) % (2 * (escapes + 1)) === 0;
}

/** The end of the JSON string around a text in single quotes: an apostrophe must not reach beyond it. */
function endOfString(text: string): number {
  const end = text.search(END_OF_STRING);
  return end === -1 ? text.length : end;
}

function bareValue(at: { text: string; start: number; name: string; separator: string }): LabelledValue {
  const { text, start } = at;
  const value = matchAt(BARE_VALUE, text, start)?.[0].replace(/[.!?:]{1,3}$/, '') ?? '';
  const end = start + value.length;
  return { start, end, secret: isBareSecret({ ...at, value, next: text.charAt(end) }) };
}

function isBareSecret(at: { value: string; next: string; name: string; separator: string }): boolean {
  const { value, next, name, separator } = at;
  if (!isSecretUnder(name, value)) return false;
  // Code: a call, an index, a chain of names, or a variable that is named for the secret it holds.
  if (next === '(' || next === '[' || /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$/.test(value) || isSecretName(value))
    return false;
  switch (separator) {
    case '=':
    case ':=':
    case '=>':
      return true;
    case ':':
      // "Password: swordfish" at the end of its line is a password; "password: must have eight letters" is not.
      if (isPasswordName(name) && (next === '' || '\r\n"\'`\\,;'.includes(next))) return true;
      return /\d|[a-z][A-Z]|[^\w.-]/.test(value) || value.length >= 16;
    case '':
      // Only as an option of a command: `--token abc`.
      return value.length >= 4 && name.startsWith('--');
    default:
      return /\d/.test(value) && value.length >= 4;
  }
}

/** Where the name begins whose last letters are at `index`. */
function nameStart(text: string, index: number): number {
  let start = index;
  while (start > 0 && index - start < NAME_LENGTH && /[\w.-]/.test(text.charAt(start - 1))) start--;
  // `\npassword` is a line break and a name, not the name "npassword".
  return start < index && text[start - 1] === '\\' && /[bfnrt]/.test(text.charAt(start)) ? start + 1 : start;
}

function matchAt(pattern: RegExp, text: string, index: number): RegExpExecArray | null {
  pattern.lastIndex = index;
  return pattern.exec(text);
}
