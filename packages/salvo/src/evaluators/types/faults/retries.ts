import type { AssertionOf } from '../../../scenario/schema/assertion-schema.ts';
import { canonicalJson } from '../../../text/json/canonical-json.ts';
import { sameTool } from '../../../trace/agent-call.ts';
import { wasExecuted } from '../../../trace/tools-seen.ts';
import type { Trace } from '../../../trace/trace.ts';
import type { Evaluation, Evaluator } from '../../evaluator.ts';
import { showValue } from '../../show-value.ts';
import { showTimes } from '../tools/tool-calls.ts';
import { onSeenTools } from '../tools/unseen-tools.ts';

type RetriesAtMost = AssertionOf<'retries_at_most'>;

/**
 * Passes if the agent repeated no failed call too often. A retry is a call with the same arguments as an earlier one that was
 * answered with an error. What was not seen could only add retries.
 */
export const evaluateRetriesAtMost: Evaluator<RetriesAtMost> = onSeenTools(
  evaluateRetries,
  (_, { score }) => score === 0,
);

function evaluateRetries({ max, tool }: RetriesAtMost, trace: Trace): Evaluation {
  const calls = trace.tool_calls_made.filter(
    (call) => wasExecuted(call) && (tool === undefined || sameTool(call.name, tool)),
  );
  const groups = Map.groupBy(calls, (call) => `${call.name} ${canonicalJson(call.arguments)}`).values();
  const most = [...groups]
    .map((same) => ({ call: same[0], retries: same.slice(1).filter((_, index) => same[index]?.is_error).length }))
    .reduce((a, b) => (b.retries > a.retries ? b : a), { call: calls[0], retries: 0 });
  const metadata = { retries: most.retries };
  if (!most.call || most.retries === 0) return { score: 1, details: 'no failed call was repeated', metadata };
  const repeated = `"${most.call.name}" with ${showValue(most.call.arguments, 80)} was repeated ${showTimes(most.retries)} after an error`;
  if (most.retries <= max) return { score: 1, details: repeated, metadata };
  return { score: 0, details: `${repeated}, expected at most ${showTimes(max)}`, metadata };
}
