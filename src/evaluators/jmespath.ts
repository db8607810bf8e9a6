import { compileExpression } from '../scenario/compile/expression.ts';
import type { AssertionOf } from '../scenario/schema/assertion-schema.ts';
import { assertionData } from './assertion-data.ts';
import type { Evaluation, Evaluator } from './evaluator.ts';
import { compareValue } from './operator.ts';
import { showValue } from './show-value.ts';

type JmespathAssertion = AssertionOf<'jmespath'>;

/** Compares the value of a JMESPath expression over `assertionData` of the trace. */
export const evaluateJmespath: Evaluator<JmespathAssertion> = (assertion, trace) => {
  const actual = compileExpression(assertion.expression)(assertionData(trace));
  return evaluation(assertion, actual, compareValue(assertion.operator, actual, assertion.value));
};

function evaluation(
  { expression, operator, value }: JmespathAssertion,
  actual: unknown,
  problem: string | null,
): Evaluation {
  const unary = operator === 'exists' || operator === 'not_exists';
  const demand = unary ? `${expression} ${operator}` : `${expression} ${operator} ${showValue(value)}`;
  const reason = problem ? ` (${problem})` : '';
  return { score: problem === null ? 1 : 0, details: `${demand}: got ${showValue(actual)}${reason}` };
}
