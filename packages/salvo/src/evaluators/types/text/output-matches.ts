import type { AssertionOf } from '../../../scenario/schema/assertion-schema.ts';
import { compilePattern, type Pattern } from '../../../text/pattern.ts';
import { plainSpelling } from '../../../text/words/plain-spelling.ts';
import type { Evaluator } from '../../evaluator.ts';
import { NO_ANSWER, shorten, showPlace, showValue } from '../../show-value.ts';

/** Passes if the pattern matches somewhere in the final answer. */
export const evaluateOutputMatches: Evaluator<AssertionOf<'output_matches'>> = (assertion, trace) => {
  const answer = trace.final_content ?? '';
  const pattern = compilePattern(assertion.pattern);
  const matches = pattern.test(answer);
  const hint = matches ? '' : oddSpelling(pattern, answer);
  const relation = matches ? 'matches' : 'does not match';
  return {
    score: matches ? 1 : 0,
    details: `the answer ${relation} /${shorten(assertion.pattern, 120)}/${hint && ` (${hint})`}: got ${showValue(trace.final_content)}`,
  };
};

/** Passes if there is an answer, and the pattern matches nowhere in it. */
export const evaluateOutputNotMatches: Evaluator<AssertionOf<'output_not_matches'>> = (assertion, trace) => {
  const answer = trace.final_content ?? '';
  const pattern = compilePattern(assertion.pattern);
  if (answer.trim() === '') return NO_ANSWER;
  const written = `/${shorten(assertion.pattern, 120)}/`;
  const place = patternPlace(pattern, answer);
  if (place === null) return { score: 1, details: `the answer does not match ${written}` };
  return { score: 0, details: `the answer matches ${written} ${place}` };
};

/**
 * Where a pattern that must not match does so: in the text as it is, or as it looks. A no-break space must not hide what
 * is forbidden. Null if it matches neither.
 */
export function patternPlace(pattern: Pattern, text: string): string | null {
  const subject = [text, plainSpelling(text)].find((each) => pattern.test(each));
  if (subject === undefined) return null;
  const [match = { start: 0, end: 0 }] = pattern.matches(subject);
  return showPlace(subject, match);
}

/**
 * Why a pattern that must match does not, if nobody can see the reason; otherwise empty. It is not let through: a pattern
 * such as ^[ -~]*$ may be there to demand plain text.
 */
export function oddSpelling(pattern: Pattern, text: string): string {
  if (!pattern.test(plainSpelling(text))) return '';
  return 'it would match with ordinary spaces and composed letters';
}
