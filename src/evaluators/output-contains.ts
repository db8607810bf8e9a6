import type { AssertionOf } from '../scenario/schema/assertion-schema.ts';
import type { Evaluator } from './evaluator.ts';
import { showValue } from './show-value.ts';

/** Passes if the final answer contains the text, or all texts of a list. The score is the share that it contains. */
export const evaluateOutputContains: Evaluator<AssertionOf<'output_contains'>> = (assertion, trace) => {
  const wanted = typeof assertion.value === 'string' ? [assertion.value] : assertion.value;
  const fold = (text: string) => (assertion.case_sensitive ? text : text.toLowerCase());
  const output = fold(trace.final_content ?? '');
  const missing = wanted.filter((text) => !output.includes(fold(text)));
  if (missing.length === 0) return { score: 1, details: `the answer contains ${showValue(assertion.value)}` };
  const listed = missing.map((text) => showValue(text, 60)).slice(0, 5);
  if (missing.length > listed.length) listed.push(`${missing.length - listed.length} more`);
  return {
    score: (wanted.length - missing.length) / wanted.length,
    passed: false,
    details: `the answer does not contain ${listed.join(', ')}: got ${showValue(trace.final_content)}`,
  };
};
