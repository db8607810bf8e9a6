import { findCalls } from '../../../evaluators/types/tool-calls.ts';
import type { Assertion, AssertionOf } from '../../../scenario/schema/assertion-schema.ts';
import { compilePattern, type TextSpan } from '../../../text/pattern.ts';
import type { Message } from '../../../trace/message.ts';
import type { ToolCallRecord, Trace } from '../../../trace/trace.ts';
import { builtInAssertion } from './built-in-assertion.ts';

/** What a place in a trace has to do with an assertion. */
export type PlaceMeaning = 'found' | 'forbidden' | 'examined' | 'cited';

/** A place in a trace that an assertion is about. `message` is the position of the message in the trace, from 0. */
export type TracePlace =
  | { kind: 'message'; message: number; meaning: PlaceMeaning }
  /** A part of the message's text. */
  | { kind: 'text'; message: number; start: number; end: number; meaning: PlaceMeaning }
  /** `call` is the position among the calls of the message; `number` counts all calls of the trace, from 1. */
  | { kind: 'call'; message: number; call: number; number: number; name: string; meaning: PlaceMeaning };

/** More would not help a reader. */
const MOST_PLACES = 50;
/** Characters of a message that are searched. A page shows no more of them at once. */
export const LONGEST_SEARCHED = 200_000;

/** Where in the trace an assertion found what it demands or forbids, or where it looked in vain. */
export function assertionPlaces(assertion: Assertion, trace: Trace): TracePlace[] {
  return placesOf(assertion, trace).slice(0, MOST_PLACES);
}

function placesOf(given: Assertion, trace: Trace): TracePlace[] {
  const assertion = builtInAssertion(given);
  switch (assertion?.type) {
    case 'tool_called': {
      const { calls, matching } = findCalls(trace, assertion);
      if (matching.length > 0) return callPlaces(trace, matching, 'found');
      return callPlaces(trace, calls, 'examined');
    }
    case 'tool_not_called':
      return callPlaces(trace, findCalls(trace, assertion).matching, 'forbidden');
    case 'tool_sequence': {
      const steps = sequenceCalls(assertion, trace);
      return steps.length > 0
        ? callPlaces(trace, steps, 'found')
        : callPlaces(trace, trace.tool_calls_made, 'examined');
    }
    case 'output_contains':
      return answerPlaces(trace, (answer) => textSpans(answer, assertion), 'found');
    case 'output_not_contains':
      return answerPlaces(trace, (answer) => textSpans(answer, assertion), 'forbidden');
    case 'output_matches':
      return answerPlaces(trace, (answer) => patternSpans(answer, assertion.pattern), 'found');
    case 'output_not_matches':
      return answerPlaces(trace, (answer) => patternSpans(answer, assertion.pattern), 'forbidden');
    case 'output_json':
    case 'findings':
      return answerPlaces(trace, () => [], 'examined');
    case 'jmespath':
      return expressionPlaces(assertion, trace);
    default:
      return [];
  }
}

/** The position of the message that is the final answer; null if there is none. */
export function answerIndex({ messages, final_content }: Pick<Trace, 'messages' | 'final_content'>): number | null {
  const isAnswer = (message: Message) => message.role === 'assistant' && message.content === final_content;
  const index = final_content === null ? -1 : messages.findLastIndex(isAnswer);
  return index === -1 ? null : index;
}

function answerPlaces(
  trace: Trace,
  spansIn: (answer: string) => readonly TextSpan[],
  meaning: PlaceMeaning,
): TracePlace[] {
  const message = answerIndex(trace);
  if (message === null) return [];
  const spans = spansIn((trace.final_content ?? '').slice(0, LONGEST_SEARCHED));
  if (spans.length === 0) return [{ kind: 'message', message, meaning: 'examined' }];
  return spans.map(({ start, end }) => ({ kind: 'text', message, start, end, meaning }));
}

function textSpans(
  answer: string,
  { value, case_sensitive }: Pick<AssertionOf<'output_contains'>, 'value' | 'case_sensitive'>,
): TextSpan[] {
  return [value].flat().flatMap((text) => occurrences(answer, text, { ignoreCase: !case_sensitive }));
}

/** Where a text contains another, at most fifty times. */
export function occurrences(text: string, wanted: string, { ignoreCase }: { ignoreCase: boolean }): TextSpan[] {
  const folded = ignoreCase ? text.toLowerCase() : text;
  // Lower case can be longer than the text it is of. Its positions would be wrong.
  if (wanted === '' || folded.length !== text.length) return [];
  const part = ignoreCase ? wanted.toLowerCase() : wanted;
  const spans: TextSpan[] = [];
  for (let at = folded.indexOf(part); at >= 0 && spans.length < MOST_PLACES; at = folded.indexOf(part, at + 1)) {
    spans.push({ start: at, end: at + part.length });
  }
  return spans;
}

function patternSpans(text: string, pattern: string): TextSpan[] {
  try {
    return compilePattern(pattern).matches(text).slice(0, MOST_PLACES);
  } catch {
    // A pattern from a row that cannot be compiled: the result says so.
    return [];
  }
}

/** The calls that the steps of the sequence are, as far as they were found. */
function sequenceCalls({ sequence, mode }: AssertionOf<'tool_sequence'>, trace: Trace): ToolCallRecord[] {
  const calls = trace.tool_calls_made;
  if (mode === 'any_order') return calls.filter(({ name }) => sequence.includes(name));
  const found: ToolCallRecord[] = [];
  let next = 0;
  for (const step of sequence) {
    const index = calls.findIndex(({ name }, position) => position >= next && name === step);
    const call = calls[index];
    if (!call) break;
    found.push(call);
    next = index + 1;
  }
  return found;
}

const CALL_PATH = /^tool_calls\[(-?\d{1,6})\]/;
const CALLS_BY_NAME = /^tool_calls\[\?\s{0,3}name\s{0,3}==\s{0,3}['"`]([^'"`]{1,200})['"`]/;
const MESSAGE_PATH = /^turns\[(-?\d{1,6})\]/;

/** What a path looks at, as far as its beginning tells. */
function expressionPlaces({ expression, operator, value }: AssertionOf<'jmespath'>, trace: Trace): TracePlace[] {
  if (/^response\.content\s{0,9}$/.test(expression)) {
    const isForbidden = operator === 'not_contains' || operator === 'not_regex';
    const spansIn = (answer: string): TextSpan[] => {
      if (typeof value !== 'string') return [];
      if (operator === 'contains' || operator === 'not_contains') {
        return occurrences(answer, value, { ignoreCase: false });
      }
      return operator === 'regex' || operator === 'not_regex' ? patternSpans(answer, value) : [];
    };
    return answerPlaces(trace, spansIn, isForbidden ? 'forbidden' : 'found');
  }
  if (/^response\b/.test(expression)) return answerPlaces(trace, () => [], 'examined');
  const call = CALL_PATH.exec(expression);
  if (call) return callPlaces(trace, [trace.tool_calls_made.at(Number(call[1]))], 'examined');
  const named = CALLS_BY_NAME.exec(expression);
  if (named) {
    const calls = trace.tool_calls_made.filter(({ name }) => name === named[1]);
    return callPlaces(trace, calls, 'examined');
  }
  const path = MESSAGE_PATH.exec(expression);
  const { length } = trace.messages;
  const index = path ? Number(path[1]) + (Number(path[1]) < 0 ? length : 0) : -1;
  return index >= 0 && index < length ? [{ kind: 'message', message: index, meaning: 'examined' }] : [];
}

/** Where these calls are. */
export function callPlaces(
  trace: Trace,
  calls: readonly (ToolCallRecord | undefined)[],
  meaning: PlaceMeaning,
): TracePlace[] {
  const wanted = new Set(calls);
  return callsInMessages(trace)
    .filter(({ record }) => wanted.has(record))
    .map(({ record, ...place }) => ({ kind: 'call', ...place, name: record.name, meaning }));
}

/** Which call of which message a recorded call is. Ids may repeat, so the nth call of an id is its nth record. */
function callsInMessages(trace: Trace) {
  const records = Map.groupBy(
    trace.tool_calls_made.map((record, index) => ({ record, number: index + 1 })),
    ({ record }) => record.id,
  );
  return trace.messages.flatMap((message, position) => {
    if (message.role !== 'assistant') return [];
    return message.tool_calls.flatMap(({ id }, call) => {
      const next = records.get(id)?.shift();
      return next ? [{ message: position, call, ...next }] : [];
    });
  });
}
