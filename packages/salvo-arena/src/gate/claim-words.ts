import { dataFile, once } from 'salvo/kit/text';
import { z } from 'zod';

const list = z.array(z.string());

/** How claims say what the gate compares with the code. */
const phrasesSchema = z.strictObject({
  /** Everyone can reach it. */
  open: list,
  outgoing: list,
  /** The usual ports of protocols. Products with several ports (a search cluster, a broker) are not listed. */
  ports: z.record(z.string(), z.array(z.int())),
  /** About what should be, not about what is. */
  wishes: list,
  off: list,
  too_little: list,
});

export const phrases = once(() => phrasesSchema.parse(JSON.parse(dataFile(import.meta.url, './phrases.json'))));

/** Longer texts are cut. */
const LONGEST = 20_000;

/** A text as words with single blanks between and around them, so that phrases can be searched. */
export function plainWords(text: string): string {
  const words = text
    .slice(0, LONGEST)
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  return ` ${(words ?? []).join(' ')} `;
}

/** Whether the words contain a phrase. Its last word may be longer: `encrypt` is in `not encrypted`. */
export function says(words: string, phrases: readonly string[]): boolean {
  return phrases.some((phrase) => words.includes(` ${phrase}`));
}

/** A text of a claim in a message. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 160 ? `${text.slice(0, 160)}...` : text);
}

const LACKING =
  / (?:missing|lack|lacks|lacking|without|absent|absence|omit|omits|omitted|omitting|unset|undefined|unspecified|never|no|not|none|nothing|isn t|aren t|doesn t|hasn t|cannot|disabled|disables|disabling|off|default|defaults|un[a-z]+ed|left out|fails? to|neither|nor|forgot|forgotten|removed|incomplete|insufficient) /;

/** Whether a claim may be about something that is missing. */
export function speaksOfAbsence(text: string): boolean {
  return LACKING.test(plainWords(text));
}

const BEFORE = ['missing', 'no', 'without', 'lacks', 'lacking', 'omits', 'omitted', 'absent'];
const BETWEEN = ['', 'a ', 'an ', 'any ', 'the '];
const AFTER =
  /^ (?:(?:block|attribute|argument|property|configuration|setting|section|option) )?(?:(?:is|are|was) )?(?:missing|absent|omitted|unset|undefined|unspecified|not (?:set|there|present|defined|configured|specified|given|declared|provided)|left out) /;

/** Whether a text says that a named thing is missing: `no logging`, `access_logs is missing`. */
export function saysItIsAbsent(text: string, name: string): boolean {
  const words = plainWords(text);
  const wanted = plainWords(name);
  if (wanted.trim() === '') return false;
  if (BEFORE.some((word) => BETWEEN.some((article) => words.includes(` ${word} ${article}${wanted.trim()} `)))) {
    return true;
  }
  for (let at = words.indexOf(wanted); at >= 0; at = words.indexOf(wanted, at + 1)) {
    if (AFTER.test(words.slice(at + wanted.length - 1, at + wanted.length + 80))) return true;
  }
  return false;
}
