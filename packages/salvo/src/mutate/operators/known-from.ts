import { leavesOf } from '../../scenario/from-trace/argument-values.ts';
import { keysIn, knownValue } from '../../scenario/from-trace/known-values.ts';
import { canonicalJson } from '../../text/json/canonical-json.ts';
import type { ToolCallRecord } from '../../trace/trace.ts';
import type { Subject } from '../subject.ts';

/** The call from whose result alone a later call has one of its arguments. */
export interface Dependence {
  /** The position of the call that found the value. */
  on: number;
  argument: string;
  value: string;
}

/** Which earlier call told a call something that nobody else had said; null if none did. */
export function dependenceOf({ trace, userTexts, systemTexts }: Subject, index: number): Dependence | null {
  const calls = trace.tool_calls_made;
  const call = calls[index];
  if (!call) return null;
  const said = keysIn([...userTexts, ...systemTexts]);
  for (const { name, value } of leavesOf(call.arguments)) {
    const known = knownValue(String(value));
    if (!known || said.has(known.key)) continue;
    const before = calls.slice(0, index);
    // What the agent asked for itself, it knew without the answer.
    if (isAskedFor(before, known.key)) continue;
    const finders = before.flatMap((each, at) => (keysIn([each.result ?? '']).has(known.key) ? [at] : []));
    const [on] = finders;
    if (on !== undefined && finders.length === 1) return { on, argument: name, value: String(value) };
  }
  return null;
}

/** Whether an argument of one of these calls has this value. */
export function isAskedFor(calls: readonly ToolCallRecord[], key: string): boolean {
  return calls.some((call) => keysIn([canonicalJson(call.arguments)]).has(key));
}

/** Whether a call is made more than once with the same arguments. */
export function isMadeTwice(calls: readonly ToolCallRecord[], index: number): boolean {
  const call = calls[index];
  const same = (other: ToolCallRecord) =>
    other.name === call?.name && canonicalJson(other.arguments) === canonicalJson(call.arguments);
  return calls.filter(same).length > 1;
}

/** Whether every other passing trace of the case made a call of this tool as well. */
export function isMadeByAll({ siblings }: Subject, { name }: Pick<ToolCallRecord, 'name'>): boolean {
  return siblings.every(({ tool_calls_made }) => tool_calls_made.some((call) => call.name === name && !call.is_error));
}

export const NO_CALLS_KNOWN = 'the calls of the agent are not known';
export const NO_WRITE = 'no successful call of a tool with `effect: write`';
export const NO_READ = 'no successful call of a tool with `effect: read`';
