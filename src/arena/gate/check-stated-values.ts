import { isKnownThroughout } from '../../iac/evaluate/value.ts';
import { foldedName } from '../../text/folded-name.ts';
import { type Check, failed } from './check.ts';
import type { Fact } from './code-facts.ts';
import type { GatedClaim } from './gated-claim.ts';
import { plainWords, says } from './plain-words.ts';
import { shownValue } from './refutation.ts';

/** `name = value`, `name is set to value`, with a value that needs no working out. */
const STATED =
  /([A-Za-z][\w.]{2,60})[`"']?\s{0,3}(?:=|:|is set to|set to|is)\s{0,3}[`"']{0,2}(true|false|\d{1,9}|0\.0\.0\.0\/0|::\/0)(?![\w/]|\.\d)/g;
/** Who writes so says what should be, not what is. */
const WISHES = [
  'should',
  'must',
  'instead',
  'rather',
  'missing',
  'without',
  'lack',
  'expect',
  'recommend',
  'ensure',
  'need',
  'require',
  'no ',
  'not ',
  'unless',
  'until',
  'if ',
  'when ',
  'fix',
  'despite',
  'although',
  'appears',
  'looks',
];
const AROUND = 60;

/**
 * A value that the description states, held against what the attribute comes to. Null when none is stated, or when it
 * is so, or may be.
 */
export function checkStatedValues({ text }: GatedClaim, facts: readonly Fact[]): Check | null {
  for (const match of text.matchAll(STATED)) {
    const [whole, name = '', value = ''] = match;
    const around = text.slice(Math.max(0, match.index - AROUND), match.index + whole.length + AROUND);
    if (says(plainWords(around), WISHES)) continue;
    const leaf = foldedName(name.split('.').at(-1) ?? '');
    const set = facts.filter(
      ({ path, value: own }) => path.at(-1) === leaf && (typeof own !== 'object' || own === null),
    );
    const [first] = set;
    if (!first || set.some((fact) => !isKnownThroughout(fact.value) || String(fact.value).toLowerCase() === value))
      continue;
    return failed('attribute', `${first.path.join('.')} is ${shownValue(first.value)}, not ${value}`);
  }
  return null;
}
