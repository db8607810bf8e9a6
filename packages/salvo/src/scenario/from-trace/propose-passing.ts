import { canonicalJson } from '../../text/json/canonical-json.ts';
import { isRecord } from '../../text/json/is-record.ts';
import { bracketsFrom } from '../../text/json/nesting.ts';
import { sameTool } from '../../trace/agent-call.ts';
import { wasExecuted } from '../../trace/tools-seen.ts';
import type { ToolCallRecord, Trace } from '../../trace/trace.ts';
import { matchesArguments } from '../compile/argument-match.ts';
import { demandedArguments, leavesOf, tellingArguments } from './argument-values.ts';
import { objectSchema } from './inferred-schema.ts';
import { keysIn, knownValue, shortestSpelling, valuesIn } from './known-values.ts';
import type { WrittenTool } from './recorded-tools.ts';
import type { Proposal } from './source-trace.ts';
import { isWriteCall } from './tool-effects.ts';

const MOST_CALLS = 8;
const MOST_VALUES = 6;
const MOST_FORBIDDEN = 5;
/** A model that answers a few times more often still does its work. */
const SPARE_TURNS = 3;

/** Assertions that a good trace should pass, and that another good one would pass, too. */
export function proposePassing(trace: Trace, tools: readonly WrittenTool[]): Proposal[] {
  const isWrite = (call: ToolCallRecord) => isWriteCall(call, tools);
  const done = trace.tool_calls_made.filter((call) => wasExecuted(call) && !call.is_error);
  const used = done.filter((call) => isWrite(call) || isUsed(call, trace));
  const calls = used.length > 0 ? used : done;
  return [
    ...calledProposals(calls, isWrite),
    ...orderProposal(calls, isWrite),
    ...notCalledProposals(trace, tools),
    ...errorProposal(trace),
    ...answerProposals(trace),
    ...turnsProposal(trace),
  ];
}

/** Whether the answer, or a later call, has something that this call found. */
function isUsed(call: ToolCallRecord, { final_content, tool_calls_made }: Trace): boolean {
  const found = keysIn([call.result ?? '']);
  const later = tool_calls_made.slice(tool_calls_made.indexOf(call) + 1);
  const used = [...keysIn([final_content ?? '']), ...later.flatMap(argumentKeys)];
  return used.some((key) => found.has(key));
}

function argumentKeys({ arguments: args }: ToolCallRecord): string[] {
  return leavesOf(args).flatMap(({ value }) => knownValue(String(value))?.key ?? []);
}

interface SameCalls {
  tool: string;
  arguments: Record<string, unknown>;
  isWrite: boolean;
}

function calledProposals(calls: readonly ToolCallRecord[], isWrite: (call: ToolCallRecord) => boolean): Proposal[] {
  const groups = new Map<string, SameCalls>();
  for (const call of calls) {
    const args = tellingArguments(call.arguments);
    groups.set(canonicalJson([call.name, args]), { tool: call.name, arguments: args, isWrite: isWrite(call) });
  }
  if (groups.size > MOST_CALLS) return byName(calls);
  return [...groups.values()].map(({ tool, arguments: args, isWrite: changes }) => {
    const demanded = demandedArguments(args);
    const hasArguments = Object.keys(demanded).length > 0;
    const times = calls.filter(
      (call) => sameTool(call.name, tool) && (!hasArguments || matchesArguments(call.arguments, demanded)),
    ).length;
    return {
      assertion: {
        ...{ type: 'tool_called', tool },
        ...(hasArguments && { arguments: demanded }),
        ...(changes && { times }),
      },
      why: changes
        ? `It may change something: ${times === 1 ? 'once' : `${times} times`}, and not more often.`
        : 'The answer rests on what it found.',
    };
  });
}

function byName(calls: readonly ToolCallRecord[]): Proposal[] {
  const names = [...new Set(calls.map(({ name }) => name))].slice(0, MOST_CALLS);
  return names.map((tool) => ({ assertion: { type: 'tool_called', tool }, why: 'It was needed for the answer.' }));
}

/** What was looked up before something was changed. */
function orderProposal(calls: readonly ToolCallRecord[], isWrite: (call: ToolCallRecord) => boolean): Proposal[] {
  const firstWrite = calls.findIndex(isWrite);
  if (firstWrite < 1) return [];
  const names = [...new Set(calls.slice(0, firstWrite).map(({ name }) => name)), calls[firstWrite]?.name ?? ''];
  if (names.length > MOST_CALLS || new Set(names).size < names.length) return [];
  return [
    { assertion: { type: 'tool_sequence', sequence: names }, why: 'It looks things up before it changes something.' },
  ];
}

function notCalledProposals({ tool_calls_made }: Trace, tools: readonly WrittenTool[]): Proposal[] {
  const unused = tools.filter(
    ({ name, effect }) => effect === 'write' && !tool_calls_made.some((call) => sameTool(call.name, name)),
  );
  if (unused.length > MOST_FORBIDDEN) return [];
  return unused.map(({ name }) => ({
    assertion: { type: 'tool_not_called', tool: name },
    why: 'It would change something that nobody asked for.',
  }));
}

function errorProposal({ tool_calls_made }: Trace): Proposal[] {
  if (tool_calls_made.length === 0 || tool_calls_made.some(({ is_error }) => is_error)) return [];
  return [noToolErrors('No call failed.')];
}

export function noToolErrors(why: string): Proposal {
  return { assertion: { id: 'no-tool-errors', path: 'length(tool_calls[?is_error])', eq: 0 }, why };
}

/** What the answer says that the agent cannot have made up: tools or the user said it before. */
function answerProposals(trace: Trace): Proposal[] {
  const { final_content: answer, messages } = trace;
  if (answer === null || answer.trim() === '') return [];
  const form = formProposal(answer);
  const known = keysIn(messages.flatMap(({ role, content }) => (role === 'tool_result' ? [content ?? ''] : [])));
  const asked = keysIn(messages.flatMap(({ role, content }) => (role === 'user' ? [content ?? ''] : [])));
  const found = valuesIn(answer);
  const telling = [...found.filter(({ key }) => known.has(key)), ...found.filter(({ key }) => asked.has(key))];
  const values = [...new Set(telling.map(shortestSpelling))].slice(0, MOST_VALUES);
  if (values.length === 0) return form.length > 0 ? form : [answered('There is an answer.')];
  const from = found.some(({ key }) => known.has(key)) ? 'what tools answered' : 'what the user asked about';
  return [
    ...form,
    {
      assertion: { type: 'output_contains', value: values.length === 1 ? values[0] : values },
      why: `The answer repeats ${from}.`,
    },
  ];
}

/** An answer that is a JSON object is read by a program. */
function formProposal(answer: string): Proposal[] {
  const text = answer.trim();
  const { end, deepest } = bracketsFrom(text, 0);
  if (!text.startsWith('{') || end !== text.length || deepest > MOST_CALLS) return [];
  try {
    const value: unknown = JSON.parse(text);
    if (!isRecord(value)) return [];
    return [
      { assertion: { type: 'output_json', schema: objectSchema([value]) }, why: 'The answer is JSON of this form.' },
    ];
  } catch {
    return [];
  }
}

function turnsProposal({ turn_count }: Trace): Proposal[] {
  if (turn_count === 0) return [];
  return [
    turnLimit(turn_count + SPARE_TURNS, `It took ${turn_count}. An agent that goes round in circles takes more.`),
  ];
}

export function turnLimit(most: number, why: string): Proposal {
  return { assertion: { id: 'number-of-turns', path: 'metadata.turn_count', lte: most }, why };
}

export function answered(why: string): Proposal {
  return { assertion: { id: 'has-an-answer', type: 'output_matches', pattern: '\\S' }, why };
}
