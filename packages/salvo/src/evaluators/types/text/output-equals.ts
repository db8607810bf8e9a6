import type { AssertionOf } from '../../../scenario/schema/assertion-schema.ts';
import { changesBetween } from '../../../text/json/json-changes.ts';
import { isNestedTooDeeply, MAX_NESTING } from '../../../text/json/nesting.ts';
import { folding } from '../../../text/words/plain-spelling.ts';
import type { Evaluation, Evaluator } from '../../evaluator.ts';
import { NO_ANSWER, showPlace, showValue } from '../../show-value.ts';
import { answerAsJson } from './answer-json.ts';

type EqualsAssertion = Pick<AssertionOf<'output_equals'>, 'value' | 'case_sensitive'>;

/** Passes if the whole answer is the value: a text as it looks, or JSON that is equal. */
export const evaluateOutputEquals: Evaluator<AssertionOf<'output_equals'>> = (assertion, trace) => {
  const difference = differenceFrom(assertion, trace.final_content ?? '');
  if (difference === null) return { score: 1, details: `the answer is ${showValue(assertion.value)}` };
  return { score: 0, details: `the answer is not ${showValue(assertion.value)}: ${difference}` };
};

/** Passes if there is an answer, and it is not the value. */
export const evaluateOutputNotEquals: Evaluator<AssertionOf<'output_not_equals'>> = (assertion, trace): Evaluation => {
  const answer = trace.final_content ?? '';
  if (answer.trim() === '') return NO_ANSWER;
  const isEqual = differenceFrom(assertion, answer) === null;
  return { score: isEqual ? 0 : 1, details: `the answer is ${isEqual ? '' : 'not '}${showValue(assertion.value)}` };
};

/** Passes if the answer begins with the text. */
export const evaluateOutputStartsWith: Evaluator<AssertionOf<'output_starts_with'>> = (assertion, trace) => {
  const { answer, wanted, begins } = beginningOf(assertion, trace.final_content ?? '');
  if (begins) return { score: 1, details: `the answer begins with ${showValue(assertion.value)}` };
  const difference = textDifference(answer, wanted, assertion);
  return { score: 0, details: `the answer does not begin with ${showValue(assertion.value)}: ${difference}` };
};

/** Passes if there is an answer, and it does not begin with the text. */
export const evaluateOutputNotStartsWith: Evaluator<AssertionOf<'output_not_starts_with'>> = (assertion, trace) => {
  const { answer, begins } = beginningOf(assertion, trace.final_content ?? '');
  if (answer === '') return NO_ANSWER;
  const got = begins ? `: got ${showValue(answer)}` : '';
  const relation = begins ? 'begins' : 'does not begin';
  return { score: begins ? 0 : 1, details: `the answer ${relation} with ${showValue(assertion.value)}${got}` };
};

function beginningOf(
  { value, case_sensitive }: AssertionOf<'output_starts_with' | 'output_not_starts_with'>,
  given: string,
) {
  const [answer, wanted] = [given.trim(), value.trimStart()];
  const fold = folding(wanted, { caseSensitive: case_sensitive });
  return { answer, wanted, begins: fold(answer).startsWith(fold(wanted)) };
}

/** Where the answer differs from the value, in words; null if it does not. */
function differenceFrom({ value, case_sensitive }: EqualsAssertion, answer: string): string | null {
  if (typeof value === 'string') {
    const [is, wanted] = [answer.trim(), value.trim()];
    const fold = folding(wanted, { caseSensitive: case_sensitive });
    return fold(is) === fold(wanted) ? null : textDifference(is, wanted, { case_sensitive });
  }
  const parsed = answerAsJson(answer);
  if ('problem' in parsed) return parsed.problem;
  if (isNestedTooDeeply(parsed.value)) return `its JSON is nested more than ${MAX_NESTING} deep`;
  const [change, ...others] = changesBetween(value, parsed.value);
  if (change === undefined) return null;
  const where = change.path === '' ? '' : `${change.path}: `;
  const found = 'after' in change ? `got ${showValue(change.after)}` : 'missing';
  const expected = 'before' in change ? `, expected ${showValue(change.before)}` : ', which is not expected';
  return `${where}${found}${expected}${others.length > 0 ? `; ${others.length} more differences` : ''}`;
}

/** Of two texts that are not the same: the first place at which the answer is another one. */
function textDifference(
  given: string,
  value: string,
  { case_sensitive }: Pick<EqualsAssertion, 'case_sensitive'>,
): string {
  if (given === '') return NO_ANSWER.details;
  const fold = folding(value, { caseSensitive: case_sensitive });
  const [folded, wanted] = [fold(given), fold(value)];
  const at = firstDifference(folded, wanted);
  // The positions are those in the folded texts, unless both have the same.
  const answer = folded.length === given.length ? given : folded;
  const expected = wanted.length === value.length ? value : wanted;
  const lower = folding(value, { caseSensitive: false });
  const onlyCase = case_sensitive && lower(given) === lower(value) ? ' (only upper and lower case differ)' : '';
  if (at >= wanted.length) return `it goes on ${showPlace(answer, { start: at, end: at + 1 })}`;
  if (at >= folded.length)
    return `it ends too early: ${showValue(expected.slice(at), 60)} is missing; got ${showValue(answer)}`;
  const there = showPlace(answer, { start: at, end: at + 1 });
  return `it differs ${there}, expected there: ${showValue(expected.slice(at), 60)}${onlyCase}`;
}

/** Never between the halves of a character. */
function firstDifference(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  let at = 0;
  while (at < shorter && a.charCodeAt(at) === b.charCodeAt(at)) at += 1;
  const isHalf = at > 0 && /[\ud800-\udbff]/.test(a.charAt(at - 1));
  return isHalf ? at - 1 : at;
}
