import { findCalls } from '../../../evaluators/types/tools/tool-calls.ts';
import { sequenceCalls } from '../../../evaluators/types/tools/tool-sequence.ts';
import type { Assertion, AssertionOf } from '../../../scenario/schema/assertion-schema.ts';
import type { Scenario } from '../../../scenario/schema/scenario-schema.ts';
import type { Turn } from '../../../scenario/schema/shared-fields.ts';
import { compilePattern, type TextSpan } from '../../../text/pattern.ts';
import { agentTurns } from '../../../trace/agent-turns.ts';
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
export function assertionPlaces(assertion: Assertion, trace: Trace, scenario?: Scenario): TracePlace[] {
  return placesOf(assertion, trace, scenario).slice(0, MOST_PLACES);
}

function placesOf(given: Assertion, trace: Trace, scenario: Scenario | undefined): TracePlace[] {
  const assertion = builtInAssertion(given);
  const turn = assertion && 'turn' in assertion ? assertion.turn : undefined;
  const answerPlaces = (spansIn: SpansIn, meaning: PlaceMeaning): TracePlace[] =>
    answersOf(trace, turn, scenario).flatMap((answer) => placesInAnswer(answer, spansIn, meaning));
  switch (assertion?.type) {
    case 'tool_called': {
      const { calls, matching } = findCalls(trace, assertion);
      if (matching.length > 0) return callPlaces(trace, matching, 'found');
      return callPlaces(trace, calls, 'examined');
    }
    case 'tool_not_called':
      return callPlaces(trace, findCalls(trace, assertion).matching, 'forbidden');
    case 'tool_sequence': {
      const calls = sequenceCalls(assertion, trace);
      if (calls.length === 0) return callPlaces(trace, trace.tool_calls_made, 'examined');
      return callPlaces(trace, calls, assertion.mode === 'only' ? 'forbidden' : 'found');
    }
    case 'output_contains':
    case 'output_contains_any':
      return answerPlaces((answer) => textSpans(answer, assertion), 'found');
    case 'output_not_contains':
      return answerPlaces((answer) => textSpans(answer, assertion), 'forbidden');
    case 'output_matches':
      return answerPlaces((answer) => patternSpans(answer, assertion.pattern), 'found');
    case 'output_not_matches':
      return answerPlaces((answer) => patternSpans(answer, assertion.pattern), 'forbidden');
    case 'output_equals':
    case 'output_not_equals':
    case 'output_starts_with':
    case 'output_not_starts_with':
    case 'output_length':
    case 'output_similar':
    case 'is_refusal':
    case 'is_not_refusal':
    case 'javascript':
    case 'output_json':
    case 'findings':
      return answerPlaces(() => [], 'examined');
    case 'jmespath':
      if (/^response\b/.test(assertion.expression)) return answerPlaces(responseSpans(assertion), meaningOf(assertion));
      // Positions in a path would count from the beginning of the turn.
      return turn === undefined || turn === 'last' ? expressionPlaces(assertion, trace) : [];
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

type SpansIn = (answer: string) => readonly TextSpan[];

/** The answers that an assertion is about, with the positions of their messages. */
function answersOf(trace: Trace, turn: Turn | undefined, scenario: Scenario | undefined): Answer[] {
  if (turn === undefined || turn === 'last') {
    const message = answerIndex(trace);
    return message === null ? [] : [{ message, text: trace.final_content ?? '' }];
  }
  const turns = agentTurns(trace, scenario);
  const meant = typeof turn === 'number' ? turns.slice(turn - 1, turn) : turns;
  return meant.map(({ end, answer }) => ({
    message: trace.messages.findLastIndex(({ role }, index) => role === 'assistant' && index < end),
    text: answer ?? '',
  }));
}

interface Answer {
  message: number;
  text: string;
}

function placesInAnswer({ message, text }: Answer, spansIn: SpansIn, meaning: PlaceMeaning): TracePlace[] {
  const spans = spansIn(text.slice(0, LONGEST_SEARCHED));
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

/** Where the value of a comparison with the answer is in it. */
function responseSpans({ expression, operator, value }: AssertionOf<'jmespath'>): SpansIn {
  if (typeof value !== 'string' || !/^response\.content\s{0,9}$/.test(expression)) return () => [];
  if (operator === 'contains' || operator === 'not_contains') {
    return (answer) => occurrences(answer, value, { ignoreCase: false });
  }
  return operator === 'regex' || operator === 'not_regex' ? (answer) => patternSpans(answer, value) : () => [];
}

function meaningOf({ operator }: AssertionOf<'jmespath'>): PlaceMeaning {
  return operator === 'not_contains' || operator === 'not_regex' ? 'forbidden' : 'found';
}

const CALL_PATH = /^tool_calls\[(-?\d{1,6})\]/;
const CALLS_BY_NAME = /^tool_calls\[\?\s{0,3}name\s{0,3}==\s{0,3}['"`]([^'"`]{1,200})['"`]/;
const MESSAGE_PATH = /^turns\[(-?\d{1,6})\]/;

/** What a path looks at, as far as its beginning tells. */
function expressionPlaces({ expression }: AssertionOf<'jmespath'>, trace: Trace): TracePlace[] {
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
