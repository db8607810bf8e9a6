import type { AssertionOf } from '../../scenario/schema/assertion-schema.ts';
import type { Evaluator } from '../evaluator.ts';
import { showValue } from '../show-value.ts';
import { NO_ANSWER, textPlace, wantedTexts } from './output-contains.ts';

/** Passes if there is an answer that contains none of the texts. The score is the share that it does not contain. */
export const evaluateOutputNotContains: Evaluator<AssertionOf<'output_not_contains'>> = (assertion, trace) => {
  const answer = trace.final_content ?? '';
  if (answer.trim() === '') return NO_ANSWER;
  const forbidden = wantedTexts(assertion);
  const found = forbidden.flatMap((text) => {
    const place = textPlace(answer, text, assertion);
    return place === null ? [] : [{ text, place }];
  });
  const [first] = found;
  if (!first) return { score: 1, details: `the answer does not contain ${showValue(assertion.value)}` };
  const listed = found.slice(0, 5).map(({ text, place }) => `${showValue(text, 60)} ${place}`);
  if (found.length > listed.length) listed.push(`${found.length - listed.length} more`);
  return {
    score: (forbidden.length - found.length) / forbidden.length,
    passed: false,
    details: `the answer contains ${listed.join(', ')}`,
  };
};
