import type { AssertionOf } from '../../scenario/schema/assertion-schema.ts';
import { wasExecuted } from '../../trace/tools-seen.ts';
import type { Evaluator } from '../evaluator.ts';
import { showValue } from '../show-value.ts';
import { findCalls, showCalls, showTimes } from './tool-calls.ts';
import { onSeenTools } from './unseen-tools.ts';

/** Passes if the tool was never called, or never with such arguments. A call that was only requested counts, too. */
export const evaluateToolNotCalled: Evaluator<AssertionOf<'tool_not_called'>> = onSeenTools(
  (assertion, trace) => {
    const { matching, wanted } = findCalls(trace, assertion);
    if (matching.length === 0) return { score: 1, details: `"${assertion.tool}" was never called${wanted}` };
    const how = matching.every(wasExecuted) ? 'called' : 'called or requested';
    const forbidden = showCalls(matching.map((call) => `${showValue(call.arguments, 80)} in turn ${call.turn}`));
    return {
      score: 0,
      details: `"${assertion.tool}" was ${how} ${showTimes(matching.length)}${wanted}, expected never: ${forbidden}`,
      metadata: { calls: matching.length },
    };
  },
  (_, { score }) => score === 0,
);
