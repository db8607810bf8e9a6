import type { AssertionOf } from '../../../scenario/schema/assertion-schema.ts';
import { wasExecuted } from '../../../trace/tools-seen.ts';
import type { ToolCallRecord, Trace } from '../../../trace/trace.ts';
import type { Evaluation, Evaluator } from '../../evaluator.ts';
import { showValue } from '../../show-value.ts';
import { calledWords, findCalls, showCalls, showTimes } from './tool-calls.ts';
import { onSeenTools } from './unseen-tools.ts';

type ToolCalledAssertion = AssertionOf<'tool_called'>;

interface Range {
  min: number;
  max: number;
}

/**
 * Passes if the tool was called as often as demanded, with arguments that match. Calls that were only requested do not
 * count. What was not seen could only add calls.
 */
export const evaluateToolCalled: Evaluator<ToolCalledAssertion> = onSeenTools(
  evaluateCalls,
  ({ times }, { score, metadata }) => {
    const { max } = rangeOf(times);
    return score === 1 ? max === Number.POSITIVE_INFINITY : Number(metadata?.calls) > max;
  },
);

/** Passes if the tool was never called, or never with such arguments. A call that was only requested counts, too. */
export const evaluateToolNotCalled: Evaluator<AssertionOf<'tool_not_called'>> = onSeenTools(
  (assertion, trace) => {
    const { matching, wanted } = findCalls(trace, assertion);
    const called = calledWords(trace);
    if (matching.length === 0) return { score: 1, details: `"${assertion.tool}" was never ${called}${wanted}` };
    const how = matching.every(wasExecuted) ? called : 'called or requested';
    const forbidden = showCalls(matching.map((call) => `${showValue(call.arguments, 80)} in turn ${call.turn}`));
    return {
      score: 0,
      details: `"${assertion.tool}" was ${how} ${showTimes(matching.length)}${wanted}, expected never: ${forbidden}`,
      metadata: { calls: matching.length },
    };
  },
  (_, { score }) => score === 0,
);

function evaluateCalls(assertion: ToolCalledAssertion, trace: Trace): Evaluation {
  const found = findCalls(trace, assertion);
  const { calls, wanted } = found;
  const matching = found.matching.filter(wasExecuted);
  const requested = found.matching.length - matching.length;
  const demanded = rangeOf(assertion.times);
  const count = matching.length;
  const called = `"${assertion.tool}" was ${calledWords(trace)} ${showTimes(count)}${wanted}`;
  const also = requested === 0 ? '' : `, and requested ${showTimes(requested)} without being executed`;
  const metadata = { calls: count };
  if (count >= demanded.min && count <= demanded.max) return { score: 1, details: `${called}${also}`, metadata };
  return {
    score: 0,
    details: `${called}${also}, expected ${showRange(demanded)}; ${whatHappened(calls, { trace, assertion })}`,
    metadata,
  };
}

/** `{max: 3}` still demands at least one call, because the type is `tool_called`; `{min: 0, max: 3}` does not. */
function rangeOf(times: ToolCalledAssertion['times']): Range {
  if (typeof times === 'number') return { min: times, max: times };
  const max = times?.max ?? Number.POSITIVE_INFINITY;
  return { min: times?.min ?? Math.min(1, max), max };
}

function showRange({ min, max }: Range): string {
  if (max === Number.POSITIVE_INFINITY) return `at least ${showTimes(min)}`;
  if (min === max) return min === 0 ? 'never' : `exactly ${showTimes(min)}`;
  return `${min} to ${max} times`;
}

/** What happened instead: another tool, or other arguments. */
function whatHappened(
  calls: ToolCallRecord[],
  { trace, assertion }: { trace: Trace; assertion: ToolCalledAssertion },
): string {
  if (calls.length > 0) {
    const shown = calls.map((call) => showValue(decisiveArguments(call.arguments, assertion.arguments), 80));
    return `its calls: ${showCalls(shown)}`;
  }
  if (trace.tool_calls_made.length === 0) return `no tool was ${calledWords(trace)}`;
  return `${calledWords(trace)} instead: ${showCalls(trace.tool_calls_made.map(({ name }) => name))}`;
}

/** The demanded arguments come first: others may be so long that these would be cut. */
function decisiveArguments(args: Record<string, unknown>, demanded: ToolCalledAssertion['arguments']) {
  if (typeof demanded !== 'object') return args;
  const isDemanded = ([name]: [string, unknown]) => Object.hasOwn(demanded, name);
  const entries = Object.entries(args);
  return Object.fromEntries([...entries.filter(isDemanded), ...entries.filter((entry) => !isDemanded(entry))]);
}
