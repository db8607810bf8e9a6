import { compileExpression } from '../../scenario/compile/expression.ts';
import { assertionDocument } from '../../scenario/schema/assertion-document.ts';
import type { AssertionOf } from '../../scenario/schema/assertion-schema.ts';
import type { Evaluator } from '../evaluator.ts';
import { showValue } from '../show-value.ts';
import { compareValue } from './operator.ts';

/** Compares the value of a JMESPath expression over `assertionDocument` of the trace. */
export const evaluateJmespath: Evaluator<AssertionOf<'jmespath'>> = (assertion, trace) => {
  const { expression, operator, value } = assertion;
  const actual = compileExpression(expression)(assertionDocument(trace));
  const problem = compareValue(operator, actual, value);
  const unary = operator === 'exists' || operator === 'not_exists';
  const demand = unary ? `${expression} ${operator}` : `${expression} ${operator} ${showValue(value)}`;
  // A reason that quotes the value needs no other.
  const details = [problem, problem?.startsWith('found ') ? '' : `got ${showValue(actual)}`].filter(Boolean).join('; ');
  return { score: problem === null ? 1 : 0, details: `${demand}: ${details}` };
};
