import { compileJsonSchema } from '../../../scenario/compile/json-schema.ts';
import type { AssertionOf } from '../../../scenario/schema/assertion-schema.ts';
import type { Evaluator } from '../../evaluator.ts';
import { shorten, showValue } from '../../show-value.ts';
import { answerAsJson } from './answer-json.ts';

const MAX_PROBLEMS = 5;

/** Passes if the final answer is JSON, as a whole or in one fenced block, and fits the schema if there is one. */
export const evaluateOutputJson: Evaluator<AssertionOf<'output_json'>> = (assertion, trace) => {
  const problemsOf = compileJsonSchema(assertion.schema ?? true);
  const answer = answerAsJson(trace.final_content ?? '');
  if ('problem' in answer) return { score: 0, details: answer.problem };
  const problems = problemsOf(answer.value);
  if (problems.length === 0) return { score: 1, details: `the answer is JSON: ${showValue(answer.value)}` };
  const listed = problems.slice(0, MAX_PROBLEMS).map((problem) => shorten(problem, 200));
  if (problems.length > MAX_PROBLEMS) listed.push(`and ${problems.length - MAX_PROBLEMS} more`);
  return { score: 0, details: `the answer does not fit the schema: ${listed.join('; ')}` };
};
