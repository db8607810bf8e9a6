import type { AssertionOf } from '../../scenario/schema/assertion-schema.ts';
import { findText } from '../../text/words/plain-spelling.ts';
import type { Evaluation, Evaluator } from '../evaluator.ts';
import { showPlace, showValue } from '../show-value.ts';

type ContainsAssertion = AssertionOf<'output_contains'> | AssertionOf<'output_not_contains'>;

/** An agent that said nothing has not shown that it keeps to the rules. */
export const NO_ANSWER: Evaluation = { score: 0, passed: false, details: 'there is no answer: it is missing or empty' };

/** Passes if the final answer contains the text, or all texts of a list. The score is the share that it contains. */
export const evaluateOutputContains: Evaluator<AssertionOf<'output_contains'>> = (assertion, trace) => {
  const wanted = wantedTexts(assertion);
  const answer = trace.final_content ?? '';
  const missing = wanted.filter((text) => textPlace(answer, text, assertion) === null);
  if (missing.length === 0) return { score: 1, details: `the answer contains ${showValue(assertion.value)}` };
  const listed = missing.slice(0, 5).map((text) => `${showValue(text, 60)}${inOtherCase(answer, text)}`);
  if (missing.length > listed.length) listed.push(`${missing.length - listed.length} more`);
  return {
    score: (wanted.length - missing.length) / wanted.length,
    passed: false,
    details: `the answer does not contain ${listed.join(', ')}: got ${showValue(trace.final_content)}`,
  };
};

function inOtherCase(answer: string, text: string): string {
  const place = textPlace(answer, text, { case_sensitive: false });
  return place === null ? '' : ` (in other case ${place})`;
}

export function wantedTexts({ value }: ContainsAssertion): string[] {
  return typeof value === 'string' ? [value] : value;
}

/** Where the answer contains a text, however spaces and accents are written; null if it does not. */
export function textPlace(
  answer: string,
  text: string,
  { case_sensitive }: Pick<ContainsAssertion, 'case_sensitive'>,
): string | null {
  const found = findText(answer, text, { caseSensitive: case_sensitive });
  return found && showPlace(found.text, found);
}
