import type { AssertionOf } from '../../scenario/schema/assertion-schema.ts';
import { compilePattern } from '../../text/pattern.ts';
import type { Evaluator } from '../evaluator.ts';
import { shorten, showValue } from '../show-value.ts';
import { oddSpelling } from './pattern-place.ts';

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
