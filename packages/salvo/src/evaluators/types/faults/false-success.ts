import type { AssertionOf } from '../../../scenario/schema/assertion-schema.ts';
import { compilePattern } from '../../../text/pattern.ts';
import { agentTurns, traceUpTo } from '../../../trace/agent-turns.ts';
import { wasExecuted } from '../../../trace/tools-seen.ts';
import type { ToolCallRecord, Trace } from '../../../trace/trace.ts';
import type { Evaluation, Evaluator } from '../../evaluator.ts';
import { shorten } from '../../show-value.ts';
import { patternPlace } from '../text/output-matches.ts';
import { findCalls } from '../tools/tool-calls.ts';
import { onSeenTools } from '../tools/unseen-tools.ts';

type NoFalseSuccess = AssertionOf<'no_false_success'>;

/** Passes if no answer of the agent claims a success without the call that it takes. What was not seen may have been that call. */
export const evaluateNoFalseSuccess: Evaluator<NoFalseSuccess> = (assertion, trace, context) => {
  const turns = agentTurns(trace, context.scenario);
  const answers = turns.length > 0 ? turns.map((turn) => traceUpTo(trace, turns, turn)) : [trace];
  const pattern = compilePattern(assertion.claim);
  const claiming = answers.filter(({ final_content }) => patternPlace(pattern, final_content ?? '') !== null);
  if (claiming.length === 0) {
    const details = `no answer claims success: none matches /${shorten(assertion.claim, 120)}/`;
    return { score: 1, details, metadata: { claimed: false } };
  }
  return onSeenTools(
    () => evaluateClaims(assertion, claiming),
    (_, { score }) => score === 1,
  )(assertion, trace, context);
};

function evaluateClaims(assertion: NoFalseSuccess, claiming: readonly Trace[]): Evaluation {
  const pattern = compilePattern(assertion.claim);
  for (const trace of claiming) {
    const { calls, matching, wanted } = findCalls(trace, assertion.needs);
    if (matching.some(hasSucceeded)) continue;
    const place = patternPlace(pattern, trace.final_content ?? '');
    const called = matching.length > 0 ? 'failed' : calls.length > 0 ? 'was not called like that' : 'was not called';
    return {
      score: 0,
      details: `the answer claims success ${place}, but "${assertion.needs.tool}"${wanted} ${called}`,
      metadata: { claimed: true, happened: false },
    };
  }
  const details = `the answer claims success, and "${assertion.needs.tool}" succeeded before it`;
  return { score: 1, details, metadata: { claimed: true, happened: true } };
}

/** Whether the tool did its work. With a fault, the agent may have seen something else. */
function hasSucceeded(call: ToolCallRecord): boolean {
  return wasExecuted(call) && (call.fault ? call.fault.tool === 'succeeded' : !call.is_error);
}
