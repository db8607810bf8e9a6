import { compileExpression } from '../scenario/compile/expression.ts';
import type { AssertionOf } from '../scenario/schema/assertion-schema.ts';
import type { Trace } from '../trace/trace.ts';
import type { Evaluator } from './evaluator.ts';
import { compareValue } from './operator.ts';
import { showValue } from './show-value.ts';

/** Compares the value of a JMESPath expression over `assertionData` of the trace. */
export const evaluateJmespath: Evaluator<AssertionOf<'jmespath'>> = (assertion, trace) => {
  const { expression, operator, value } = assertion;
  const actual = compileExpression(expression)(assertionData(trace));
  const problem = compareValue(operator, actual, value);
  const unary = operator === 'exists' || operator === 'not_exists';
  const demand = unary ? `${expression} ${operator}` : `${expression} ${operator} ${showValue(value)}`;
  const reason = problem ? ` (${problem})` : '';
  return { score: problem === null ? 1 : 0, details: `${demand}: got ${showValue(actual)}${reason}` };
};

/** What an expression can query: the final answer, all messages in order, tool calls with their results, and numbers. */
function assertionData(trace: Trace) {
  const { model, provider, cost_usd, latency_seconds, input_tokens, output_tokens, total_tokens } = trace;
  const { turn_count, finish_reason } = trace;
  const tokens = { input_tokens, output_tokens, total_tokens };
  return {
    response: { content: trace.final_content, finish_reason },
    turns: trace.messages,
    tool_calls: trace.tool_calls_made,
    metadata: { model, provider, cost_usd, latency_seconds, ...tokens, turn_count, finish_reason },
  };
}
