import type { AssertionOf } from '../../scenario/schema/assertion-schema.ts';
import { compilePattern } from '../../text/pattern.ts';
import type { Evaluator } from '../evaluator.ts';
import { NO_ANSWER, shorten, showValue } from '../show-value.ts';
import { oddSpelling, patternPlace } from './pattern-place.ts';

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
