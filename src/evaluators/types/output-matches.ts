import type { AssertionOf } from '../../scenario/schema/assertion-schema.ts';
import { compilePattern } from '../../text/pattern.ts';
import type { Evaluator } from '../evaluator.ts';
import { shorten, showValue } from '../show-value.ts';

/** Passes if the pattern matches somewhere in the final answer. */
export const evaluateOutputMatches: Evaluator<AssertionOf<'output_matches'>> = (assertion, trace) => {
  const matches = compilePattern(assertion.pattern).test(trace.final_content ?? '');
  const relation = matches ? 'matches' : 'does not match';
  return {
    score: matches ? 1 : 0,
    details: `the answer ${relation} /${shorten(assertion.pattern, 120)}/: got ${showValue(trace.final_content)}`,
  };
};
