import { watchedDocument } from '../../../scenario/schema/assertion-document.ts';
import type { AssertionOf } from '../../../scenario/schema/assertion-schema.ts';
import { compileExpression } from '../../../text/json/expression.ts';
import { toolsKnown } from '../../../trace/tools-seen.ts';
import type { Evaluator } from '../../evaluator.ts';
import { showValue } from '../../show-value.ts';
import { asDeclared, unseenTools } from '../tools/unseen-tools.ts';
import { compareValue } from './operator.ts';

/**
 * Compares the value of a JMESPath expression over the document of a trace. What it reads must be known: calls and steps
 * that were not seen, and numbers that nobody measured, are not scored. With `turn`, all but the numbers is of that turn.
 */
export const evaluateJmespath: Evaluator<AssertionOf<'jmespath'>> = (assertion, trace, { scenario }) => {
  const { expression, operator, value } = assertion;
  const { document, read } = watchedDocument(trace);
  const actual = compileExpression(expression)(document);
  const unary = operator === 'exists' || operator === 'not_exists';
  const demand = unary ? `${expression} ${operator}` : `${expression} ${operator} ${showValue(value)}`;
  const known = toolsKnown(trace, scenario);
  if ((read.steps && known.seen === 'unknown') || (read.toolCalls && known.agents.length > 0)) {
    return unseenTools(known, `${demand}: `);
  }
  // `exists` asks just whether it is known.
  if (read.unknown.size > 0 && !unary) {
    return {
      score: null,
      details: `${demand}: ${[...read.unknown].join(', ')} is unknown: the agent did not report it`,
    };
  }
  const problem = compareValue(operator, actual, value);
  // A reason that quotes the value needs no other.
  const details = [problem, problem?.startsWith('found ') ? '' : `got ${showValue(actual)}`].filter(Boolean).join('; ');
  const evaluation = { score: problem === null ? 1 : 0, details: `${demand}: ${details}` };
  return read.steps && known.declared ? asDeclared(evaluation) : evaluation;
};
