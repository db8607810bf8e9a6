import { foldedName } from 'salvo/kit/text';
import { isKnownThroughout } from '../iac/evaluate/value.ts';
import { phrases, plainWords, says } from './claim-words.ts';
import type { Fact } from './code-facts.ts';
import { type Check, failed } from './gate-result.ts';
import type { GatedClaim } from './gated-claim.ts';
import { valueText } from './refutation.ts';

/** `name = value`, `name is set to value`, with a literal value. */
const STATED =
  /([A-Za-z][\w.]{2,60})[`"']?\s{0,3}(?:=|:|is set to|set to|is)\s{0,3}[`"']{0,2}(true|false|\d{1,9}|0\.0\.0\.0\/0|::\/0)(?![\w/]|\.\d)/g;
const AROUND = 60;

/**
 * Compares a value that the description states with the evaluated attribute. Null when none is stated, or when it may
 * be true.
 */
export function checkStatedValues({ text }: GatedClaim, facts: readonly Fact[]): Check | null {
  for (const match of text.matchAll(STATED)) {
    const [whole, name = '', value = ''] = match;
    const around = text.slice(Math.max(0, match.index - AROUND), match.index + whole.length + AROUND);
    if (says(plainWords(around), phrases().wishes)) continue;
    const leaf = foldedName(name.split('.').at(-1) ?? '');
    const set = facts.filter(
      ({ path, value: own }) => path.at(-1) === leaf && (typeof own !== 'object' || own === null),
    );
    const [first] = set;
    if (!first || set.some((fact) => !isKnownThroughout(fact.value) || String(fact.value).toLowerCase() === value))
      continue;
    return failed('attribute', `${first.path.join('.')} is ${valueText(first.value)}, not ${value}`);
  }
  return null;
}
