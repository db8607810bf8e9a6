import { canonicalJson } from '../../text/json/canonical-json.ts';
import type { Subject } from '../subject.ts';

const NAMES = ['Quillan', 'Tavorn', 'Brisbek', 'Maldora', 'Orlund', 'Veskin'];

/** A number of the same form that the trace does not have anywhere: 49.90 and 79.90. */
export function otherNumber(text: string, subject: Subject): string {
  const digit = text.search(/[1-9]/);
  return firstUnused(subject, (step) => {
    if (digit === -1) return `${7 + step}`;
    const changed = ((Number(text[digit]) - 1 + 3 + step) % 9) + 1;
    return `${text.slice(0, digit)}${changed}${text.slice(digit + 1)}${step > 7 ? step : ''}`;
  });
}

/** An id of the same form that the trace does not have: its last digit or letter is another. */
export function otherText(text: string, subject: Subject): string {
  return firstUnused(subject, (step) => {
    const at = text.search(/[\p{L}\d](?=[^\p{L}\d]*$)/u);
    const character = text[at] ?? '';
    const other = /\d/.test(character)
      ? String((Number(character) + 3 + step) % 10)
      : String.fromCharCode(97 + ((character.toLowerCase().charCodeAt(0) - 97 + 3 + step + 26) % 26));
    return `${text.slice(0, Math.max(0, at))}${other}${text.slice(at + 1)}${step > 7 ? step : ''}`;
  });
}

/** Another day of the same form. */
export function otherDate(text: string, subject: Subject): string {
  const year = Number(text.slice(0, 4));
  return firstUnused(subject, (step) => `${year + 1 + step}${text.slice(4)}`);
}

export function otherName(subject: Subject): string {
  return firstUnused(subject, (step) => `${NAMES[step % NAMES.length]}${step >= NAMES.length ? step : ''}`);
}

const texts = new WeakMap<object, string>();

function firstUnused({ trace }: Subject, candidate: (step: number) => string): string {
  const all = texts.get(trace) ?? canonicalJson([trace.messages, trace.tool_calls_made]);
  texts.set(trace, all);
  for (let step = 0; step < 50; step += 1) {
    const value = candidate(step);
    if (!all.includes(value)) return value;
  }
  return `${candidate(0)}9731`;
}
