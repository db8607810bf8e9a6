import type { AssertionOf } from '../../scenario/schema/assertion-schema.ts';
import { sameTool } from '../../trace/agent-call.ts';
import { wasExecuted } from '../../trace/tools-seen.ts';
import type { Trace } from '../../trace/trace.ts';
import type { Evaluation, Evaluator } from '../evaluator.ts';
import { shorten } from '../show-value.ts';
import { showTimes } from './tool-calls.ts';
import { onSeenTools } from './unseen-tools.ts';

type ToolSequenceAssertion = AssertionOf<'tool_sequence'>;

/** The first difference between the calls and the sequence; null if there is none. */
type Divergence = (expected: string[], actual: string[]) => string | null;

const DIVERGENCE: Record<ToolSequenceAssertion['mode'], Divergence> = {
  exact: exactDivergence,
  in_order: inOrderDivergence,
  any_order: anyOrderDivergence,
};

/** Passes if the tools were called in the demanded order. Calls that were only requested do not count. */
export const evaluateToolSequence: Evaluator<ToolSequenceAssertion> = onSeenTools(
  evaluateOrder,
  ({ mode }, { score }) => score === 1 && mode !== 'exact',
);

function evaluateOrder(assertion: ToolSequenceAssertion, trace: Trace): Evaluation {
  // In the words of the assertion: an SDK may put the name of a server before that of its tool.
  const inWords = (name: string) => assertion.sequence.find((wanted) => sameTool(wanted, name)) ?? name;
  const actual = trace.tool_calls_made.filter(wasExecuted).map(({ name }) => inWords(name));
  const divergence = DIVERGENCE[assertion.mode](assertion.sequence, actual);
  const calls = actual.length === 0 ? 'no tool was called' : `calls: ${shorten(actual.join(', '), 300)}`;
  return { score: divergence === null ? 1 : 0, details: divergence === null ? calls : `${divergence} (${calls})` };
}

function exactDivergence(expected: string[], actual: string[]): string | null {
  const index = expected.findIndex((name, position) => name !== actual[position]);
  if (index !== -1) {
    const got = actual[index] === undefined ? 'but there were no more calls' : `got "${actual[index]}"`;
    return `call ${index + 1}: expected "${expected[index]}", ${got}`;
  }
  const extra = actual.slice(expected.length);
  if (extra.length === 0) return null;
  const more = extra.length > 1 ? ` and ${extra.length - 1} more after it` : '';
  return `call ${expected.length + 1}: expected no more calls, got "${extra[0]}"${more}`;
}

function inOrderDivergence(expected: string[], actual: string[]): string | null {
  let next = 0;
  for (const [step, name] of expected.entries()) {
    const found = actual.indexOf(name, next);
    if (found === -1) return missingStep({ expected, actual, step, next });
    next = found + 1;
  }
  return null;
}

/** `next` is the position in `actual` after the last step that was found. */
function missingStep(at: { expected: string[]; actual: string[]; step: number; next: number }): string {
  const name = at.expected[at.step] ?? '';
  const before = at.step === 0 ? '' : ` after "${at.expected[at.step - 1]}" (call ${at.next})`;
  // A call that matched an earlier step of the same name was not too early.
  const earlier = at.expected.indexOf(name) === at.step ? at.actual.indexOf(name) : -1;
  const hint = earlier === -1 ? '' : `; it was only called before that (call ${earlier + 1})`;
  return `step ${at.step + 1}: expected "${name}"${before}, but it was not called${hint}`;
}

function anyOrderDivergence(expected: string[], actual: string[]): string | null {
  const short = [...new Set(expected)]
    .map((name) => ({ name, wanted: count(expected, name), got: count(actual, name) }))
    .filter(({ wanted, got }) => got < wanted)
    .map(({ name, wanted, got }) => `expected "${name}" at least ${showTimes(wanted)}, got it ${showTimes(got)}`);
  return short.length === 0 ? null : short.join('; ');
}

function count(names: string[], name: string): number {
  return names.filter((other) => other === name).length;
}
