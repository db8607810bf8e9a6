import type { AssertionOf } from '../../scenario/schema/assertion-schema.ts';
import { compilePattern } from '../../text/pattern.ts';
import type { Evaluator } from '../evaluator.ts';
import { shorten } from '../show-value.ts';
import { NO_ANSWER } from './output-contains.ts';
import { patternPlace } from './pattern-place.ts';

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
