import { matchesArguments } from '../../../scenario/compile/argument-match.ts';
import type { AssertionOf } from '../../../scenario/schema/assertion-schema.ts';
import { sameTool } from '../../../trace/agent-call.ts';
import { wasExecuted } from '../../../trace/tools-seen.ts';
import type { ToolCallRecord, Trace } from '../../../trace/trace.ts';
import type { Evaluation, Evaluator } from '../../evaluator.ts';
import { shorten, showValue } from '../../show-value.ts';
import { assignCalls } from './assign-calls.ts';
import { showCalls, showTimes } from './tool-calls.ts';
import { onSeenTools } from './unseen-tools.ts';

type ToolSequenceAssertion = AssertionOf<'tool_sequence'>;

/** An entry of the sequence. */
interface Step {
  tool: string;
  /** For messages. */
  text: string;
  hasArguments: boolean;
  fits: (call: ToolCallRecord) => boolean;
}

/** A call with its text for messages: with arguments where an entry demands some. */
interface ShownCall {
  call: ToolCallRecord;
  text: string;
}

/** The first difference between the calls and the sequence; null if there is none. */
type Divergence = (steps: Step[], calls: ShownCall[]) => string | null;

const DIVERGENCE: Record<ToolSequenceAssertion['mode'], Divergence> = {
  exact: exactDivergence,
  in_order: inOrderDivergence,
  any_order: (steps, calls) => missingCalls(steps, calls, 'at least ').join('; ') || null,
  same: sameDivergence,
  only: onlyDivergence,
};

/**
 * Passes if the tools were called as the mode demands. Calls that were only requested do not count, except with `only`,
 * which forbids others.
 */
export const evaluateToolSequence: Evaluator<ToolSequenceAssertion> = onSeenTools(
  evaluateOrder,
  ({ mode }, { score }) => (mode === 'only' ? score === 0 : score === 1 && mode !== 'exact' && mode !== 'same'),
);

/** The calls that the entries of the sequence are, as far as they were found; with `only`, those that it forbids. */
export function sequenceCalls(assertion: ToolSequenceAssertion, trace: Trace): ToolCallRecord[] {
  const steps = assertion.sequence.map(stepOf);
  const calls = trace.tool_calls_made;
  if (assertion.mode === 'only') return calls.filter((call) => !steps.some(({ fits }) => fits(call)));
  if (assertion.mode === 'any_order' || assertion.mode === 'same') {
    return calls.filter((call) => steps.some(({ fits }) => fits(call)));
  }
  const found: ToolCallRecord[] = [];
  let next = 0;
  for (const { fits } of steps) {
    const index = calls.findIndex((call, position) => position >= next && fits(call));
    const call = calls[index];
    if (!call) break;
    found.push(call);
    next = index + 1;
  }
  return found;
}

/** An entry in words: `refund`, or `refund {"id":"A-1"}`. */
export function entryText(entry: ToolSequenceAssertion['sequence'][number]): string {
  if (typeof entry === 'string') return entry;
  const { tool, arguments: args } = entry;
  return args === undefined ? tool : `${tool} ${typeof args === 'string' ? args : showValue(args, 60)}`;
}

function evaluateOrder(assertion: ToolSequenceAssertion, trace: Trace): Evaluation {
  const { mode } = assertion;
  const steps = assertion.sequence.map(stepOf);
  const counted = mode === 'only' ? trace.tool_calls_made : trace.tool_calls_made.filter(wasExecuted);
  const calls = counted.map((call) => ({ call, text: callText(call, steps) }));
  const divergence = DIVERGENCE[mode](steps, calls);
  const happened =
    calls.length === 0 ? 'no tool was called' : `calls: ${shorten(calls.map(({ text }) => text).join(', '), 300)}`;
  return {
    score: divergence === null ? 1 : 0,
    details: divergence === null ? happened : `${divergence} (${happened})`,
  };
}

function stepOf(entry: ToolSequenceAssertion['sequence'][number]): Step {
  const { tool, arguments: args } = typeof entry === 'string' ? { tool: entry, arguments: undefined } : entry;
  return {
    tool,
    text: entryText(entry),
    hasArguments: args !== undefined,
    fits: (call) => sameTool(tool, call.name) && (args === undefined || matchesArguments(call.arguments, args)),
  };
}

/** In the words of the assertion: an SDK may put the name of a server before that of its tool. */
function callText({ name, arguments: args }: ToolCallRecord, steps: readonly Step[]): string {
  const same = steps.filter(({ tool }) => sameTool(tool, name));
  const shown = same[0]?.tool ?? name;
  return same.some(({ hasArguments }) => hasArguments) ? `${shown} ${showValue(args, 80)}` : shown;
}

function exactDivergence(steps: Step[], calls: ShownCall[]): string | null {
  for (const [index, step] of steps.entries()) {
    const got = calls[index];
    if (!got) return `call ${index + 1}: expected "${step.text}", but there were no more calls`;
    if (!step.fits(got.call)) return `call ${index + 1}: expected "${step.text}", got "${got.text}"`;
  }
  const [first, ...others] = calls.slice(steps.length);
  if (!first) return null;
  const more = others.length > 0 ? ` and ${others.length} more after it` : '';
  return `call ${steps.length + 1}: expected no more calls, got "${first.text}"${more}`;
}

/** Each entry takes the first call after that of the entry before, which leaves most calls to the others. */
function inOrderDivergence(steps: Step[], calls: ShownCall[]): string | null {
  let next = 0;
  for (const [index, step] of steps.entries()) {
    const found = calls.findIndex(({ call }, position) => position >= next && step.fits(call));
    if (found === -1) return missingStep({ steps, calls, index, next });
    next = found + 1;
  }
  return null;
}

/** `next` is the position in `calls` after the last step that was found. */
function missingStep(at: { steps: Step[]; calls: ShownCall[]; index: number; next: number }): string {
  const { steps, calls, index, next } = at;
  const step = steps[index];
  if (!step) return '';
  const before = index === 0 ? '' : ` after "${steps[index - 1]?.text}" (call ${next})`;
  // A call that was an earlier step of the same kind was not too early.
  const isFirst = steps.findIndex(({ text }) => text === step.text) === index;
  const earlier = isFirst ? calls.findIndex(({ call }) => step.fits(call)) : -1;
  const hint = earlier === -1 ? '' : `; it was only called before that (call ${earlier + 1})`;
  return `step ${index + 1}: expected "${step.text}"${before}, but it was not called${hint}`;
}

function onlyDivergence(steps: Step[], calls: ShownCall[]): string | null {
  const others = calls.filter(({ call }) => !steps.some(({ fits }) => fits(call)));
  if (others.length === 0) return null;
  return `expected only ${showCalls(quoted(steps))}, got ${showCalls(quoted(others))}`;
}

function sameDivergence(steps: Step[], calls: ShownCall[]): string | null {
  const used = new Set(assignedCalls(steps, calls));
  const others = calls.filter((_, index) => !used.has(index));
  const extra = others.length === 0 ? [] : [`expected no other calls, got ${showCalls(quoted(others))}`];
  return [...missingCalls(steps, calls, ''), ...extra].join('; ') || null;
}

/** The entries for which no call is left, equal ones counted together. */
function missingCalls(steps: Step[], calls: ShownCall[], atLeast: string): string[] {
  const assigned = assignedCalls(steps, calls);
  const groups = Map.groupBy(steps.entries(), ([, { text }]) => text);
  return [...groups].flatMap(([text, entries]) => {
    const wanted = entries.length;
    if (entries.every(([index]) => assigned[index] !== null)) return [];
    const got = calls.filter(({ call }) => entries[0]?.[1].fits(call)).length;
    const why = got < wanted ? `got it ${showTimes(got)}` : 'but the calls that fit are needed for other entries';
    return [`expected "${text}" ${atLeast}${showTimes(wanted)}, ${why}`];
  });
}

function assignedCalls(steps: Step[], calls: ShownCall[]): (number | null)[] {
  return assignCalls(
    steps.map(({ fits }) => [...calls.keys()].filter((index) => calls[index] && fits(calls[index].call))),
  );
}

function quoted(texts: readonly { text: string }[]): string[] {
  return texts.map(({ text }) => `"${text}"`);
}
