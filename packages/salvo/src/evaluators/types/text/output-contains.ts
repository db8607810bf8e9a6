import type { AssertionOf } from '../../../scenario/schema/assertion-schema.ts';
import { findText } from '../../../text/words/plain-spelling.ts';
import type { Evaluator } from '../../evaluator.ts';
import { NO_ANSWER, showPlace, showValue } from '../../show-value.ts';

/** Passes if the final answer contains the text, or all texts of a list. The score is the share that it contains. */
export const evaluateOutputContains: Evaluator<AssertionOf<'output_contains'>> = (assertion, trace) => {
  const wanted = [assertion.value].flat();
  const answer = trace.final_content ?? '';
  const missing = wanted.filter((text) => textPlace(answer, text, assertion) === null);
  if (missing.length === 0) return { score: 1, details: `the answer contains ${showValue(assertion.value)}` };
  const listed = listOf(missing.map((text) => `${showValue(text, 60)}${inOtherCase(answer, text)}`));
  return {
    score: (wanted.length - missing.length) / wanted.length,
    passed: false,
    details: `the answer does not contain ${listed}: got ${showValue(trace.final_content)}`,
  };
};

/** Passes if there is an answer that contains none of the texts. The score is the share that it does not contain. */
export const evaluateOutputNotContains: Evaluator<AssertionOf<'output_not_contains'>> = (assertion, trace) => {
  const answer = trace.final_content ?? '';
  if (answer.trim() === '') return NO_ANSWER;
  const forbidden = [assertion.value].flat();
  const found = forbidden.flatMap((text) => {
    const place = textPlace(answer, text, assertion);
    return place === null ? [] : [`${showValue(text, 60)} ${place}`];
  });
  if (found.length === 0) return { score: 1, details: `the answer does not contain ${showValue(assertion.value)}` };
  return {
    score: (forbidden.length - found.length) / forbidden.length,
    passed: false,
    details: `the answer contains ${listOf(found)}`,
  };
};

/** Passes if the final answer contains at least one of the texts. */
export const evaluateOutputContainsAny: Evaluator<AssertionOf<'output_contains_any'>> = (assertion, trace) => {
  const answer = trace.final_content ?? '';
  const texts = [assertion.value].flat();
  for (const text of texts) {
    const place = textPlace(answer, text, assertion);
    if (place !== null) return { score: 1, details: `the answer contains ${showValue(text, 60)} ${place}` };
  }
  const listed = listOf(texts.map((text) => `${showValue(text, 60)}${inOtherCase(answer, text)}`));
  return { score: 0, details: `the answer contains none of ${listed}: got ${showValue(trace.final_content)}` };
};

/** At most five of them. */
function listOf(texts: readonly string[]): string {
  const more = texts.length > 5 ? [`${texts.length - 5} more`] : [];
  return [...texts.slice(0, 5), ...more].join(', ');
}

function inOtherCase(answer: string, text: string): string {
  const place = textPlace(answer, text, { case_sensitive: false });
  return place === null ? '' : ` (in other case ${place})`;
}

/** Where the answer contains a text, however spaces and accents are written; null if it does not. */
function textPlace(
  answer: string,
  text: string,
  { case_sensitive }: Pick<AssertionOf<'output_contains'>, 'case_sensitive'>,
): string | null {
  const found = findText(answer, text, { caseSensitive: case_sensitive });
  return found && showPlace(found.text, found);
}
