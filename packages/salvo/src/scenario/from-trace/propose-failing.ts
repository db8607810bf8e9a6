import { canonicalJson } from '../../text/json/canonical-json.ts';
import { sameTool } from '../../trace/agent-call.ts';
import { wasExecuted } from '../../trace/tools-seen.ts';
import type { ToolCallRecord, ToolError, Trace } from '../../trace/trace.ts';
import { demandedArguments, isExact, leavesOf, tellingArguments } from './argument-values.ts';
import { claimedActions } from './claimed-actions.ts';
import { type KnownValue, keysIn, knownValue, shortestSpelling, valuesIn } from './known-values.ts';
import { answered, noToolErrors, turnLimit } from './propose-passing.ts';
import type { WrittenTool } from './recorded-tools.ts';
import type { Proposal, SourceTrace } from './source-trace.ts';
import { isWriteCall } from './tool-effects.ts';

export interface FailedTrace extends Pick<SourceTrace, 'failed'> {
  trace: Trace;
  tools: readonly WrittenTool[];
  systemPrompt: string | null;
  /** What was wrong, in the words of a person. */
  why: string;
}

const MOST_OF_A_KIND = 5;

/** Assertions that the trace fails: the most certain ones first. What people say is wrong comes before what looks wrong. */
export function proposeFailing(failed: FailedTrace): Proposal[] {
  const own = failed.failed.map((assertion) => ({
    assertion: { ...assertion },
    why: 'The scenario of the trial demands it, and the trial failed it.',
  }));
  const named = [...own, ...namedTools(failed), ...namedValues(failed)];
  const seen = [
    ...claimsWithoutCall(failed),
    ...repeatedCalls(failed),
    ...unknownArguments(failed),
    ...unknownInAnswer(failed),
    ...noAnswer(failed.trace),
    ...agentErrors(failed.trace),
  ];
  const certain = [...named, ...seen];
  return certain.length > 0 ? certain : toolErrors(failed.trace);
}

/** Tools that the why names: the call is missing, or should not have been made like this. */
function namedTools({ trace, tools, why }: FailedTrace): Proposal[] {
  const words = why.split(/[^\w-]+/);
  const names = new Set([...tools, ...trace.tool_calls_made].map(({ name }) => name));
  return [...names]
    .filter((name) => words.includes(name))
    .flatMap((tool): Proposal[] => {
      const calls = trace.tool_calls_made.filter(({ name }) => sameTool(name, tool));
      if (calls.length === 0) {
        return [{ assertion: { type: 'tool_called', tool }, why: 'It was not called.' }];
      }
      return calls.slice(0, MOST_OF_A_KIND).map((call) => notCalled(call, 'This call is what was wrong.'));
    });
}

function notCalled(call: ToolCallRecord, why: string): Proposal {
  const args = demandedArguments(tellingArguments(call.arguments));
  const demanded = Object.keys(args).length > 0 && { arguments: args };
  return { assertion: { type: 'tool_not_called', tool: call.name, ...demanded }, why };
}

/** After these words, a person says what should have been; after `not`, that or what should not. */
const WANTED = /\b(?:instead of|rather than|expected|missing|forgot|without|should(?! not)|must(?! not))\b/i;
const NEGATED = /\b(?:not|never)\b|n't\b/i;

/** Values that the why names: "refunded 59.90 instead of 49.90". */
function namedValues({ trace, why }: FailedTrace): Proposal[] {
  const answer = trace.final_content ?? '';
  const inAnswer = keysIn([answer]);
  const isSaid = (value: Named) => (value.kind === 'quoted' ? answer.includes(value.text) : inAnswer.has(value.key));
  const wanted = namedIn(afterFirst(WANTED, why));
  const isWanted = ({ key }: Named) => wanted.some((value) => value.key === key);
  const blamed = [...namedIn(why), ...wordsOf(answer, why)].filter((value) => !isWanted(value));
  const calls = blamed.flatMap((value) => callsWith(trace, value));
  const missing = wanted.filter((value) => callsWith(trace, value).length === 0);
  const unsaid = [...wanted, ...namedIn(afterFirst(NEGATED, why))].filter((value) => !isSaid(value));
  return [
    ...calls.map(({ call, name, value }) => ({
      assertion: { type: 'tool_not_called', tool: call.name, arguments: demandedArguments({ [name]: value }) },
      why: `It was called with ${JSON.stringify(value)}.`,
    })),
    ...calls.flatMap(({ call, name, value }) =>
      missing.flatMap((other) => {
        const right = sameKind(value, other);
        if (right === null) return [];
        const args = demandedArguments({ [name]: right });
        return [
          { assertion: { type: 'tool_called', tool: call.name, arguments: args }, why: 'This was wanted instead.' },
        ];
      }),
    ),
    ...blamed.filter(isSaid).map((value) => ({
      assertion: { type: 'output_not_contains', value: spelling(value) },
      why: 'The answer said it.',
    })),
    ...(answer === '' || calls.length > 0 ? [] : unsaid).map((value) => ({
      assertion: { type: 'output_contains', value: spelling(value) },
      why: 'The answer did not say it.',
    })),
  ];
}

type Named = KnownValue | Quoted;

function afterFirst(pattern: RegExp, text: string): string {
  return text.slice(pattern.exec(text)?.index ?? text.length);
}

/** A named value as an argument can have it in place of another; null if it is of another kind. */
function sameKind(instead: string | number, { kind, key, text }: Named): string | number | null {
  if (typeof instead === 'number') return kind === 'number' ? Number(key.slice('number '.length)) : null;
  return kind !== 'quoted' && knownValue(instead)?.kind === kind ? text : null;
}

function namedIn(text: string): Named[] {
  return [...quotedIn(text), ...valuesIn(text)].slice(0, MOST_OF_A_KIND);
}

function spelling(value: Named): string {
  return value.kind === 'quoted' ? value.text : shortestSpelling(value);
}

interface Quoted {
  kind: 'quoted';
  text: string;
  key: string;
}

/** What is in quotes, or in backticks. */
function quotedIn(why: string): Quoted[] {
  return Array.from(why.matchAll(/"([^"]{2,200})"|`([^`]{2,200})`|“([^”]{2,200})”/g), (found) => {
    const text = found[1] ?? found[2] ?? found[3] ?? '';
    return { kind: 'quoted' as const, text, key: text };
  });
}

/** Words of the answer that the why repeats without quotes. */
function wordsOf(answer: string, why: string): Quoted[] {
  const parts = why.split(/[;\n]/).map((part) => part.trim());
  const repeated = parts.filter((part) => /\S\s\S/.test(part) && answer.includes(part));
  return repeated.map((text) => ({ kind: 'quoted', text, key: text }));
}

/** Calls that have the value as a whole argument. */
function callsWith({ tool_calls_made }: Trace, { key }: { key: string }) {
  return tool_calls_made.flatMap((call) =>
    Object.entries(call.arguments).flatMap(([name, value]) => {
      if (typeof value !== 'string' && typeof value !== 'number') return [];
      return isExact(value) && keyOf(value) === key ? [{ call, name, value }] : [];
    }),
  );
}

function keyOf(value: string | number): string {
  return typeof value === 'number' ? `number ${value}` : (knownValue(value)?.key ?? value);
}

/** The answer says that something was done, and no call did it. */
function claimsWithoutCall({ trace, tools }: FailedTrace): Proposal[] {
  return claimedActions(trace.final_content ?? '', tools).flatMap(({ tool, word }) => {
    const isDone = trace.tool_calls_made.some(
      (call) => sameTool(call.name, tool) && wasExecuted(call) && !call.is_error,
    );
    if (isDone) return [];
    return [{ assertion: { type: 'tool_called', tool }, why: `The answer says "${word}", and no call did it.` }];
  });
}

const MOST_READS = 2;

function repeatedCalls({ trace, tools }: FailedTrace): Proposal[] {
  const calls = Map.groupBy(trace.tool_calls_made, ({ name, arguments: args }) => canonicalJson([name, args]));
  return [...calls.values()].flatMap((same): Proposal[] => {
    const [call] = same;
    if (!call || same.length < 2 || (!isWriteCall(call, tools) && same.length <= MOST_READS)) return [];
    const args = demandedArguments(tellingArguments(call.arguments));
    const demanded = Object.keys(args).length > 0 && { arguments: args };
    const times = { min: 0, max: 1 };
    return [
      {
        assertion: { type: 'tool_called', tool: call.name, ...demanded, times },
        why: `The same call was made ${same.length} times.`,
      },
    ];
  });
}

/** Arguments that neither the user nor a tool has said before. */
function unknownArguments({ trace, tools, systemPrompt }: FailedTrace): Proposal[] {
  const proposals: Proposal[] = [];
  const said = keysIn([systemPrompt ?? '', ...descriptions(tools), ...textsOf(trace, 'user')]);
  for (const call of trace.tool_calls_made) {
    for (const { name, value } of leavesOf(call.arguments)) {
      const known = knownValue(String(value));
      if (!known || said.has(known.key) || !isExact(value) || typeof call.arguments[name] !== typeof value) continue;
      proposals.push({
        assertion: { type: 'tool_not_called', tool: call.name, arguments: demandedArguments({ [name]: value }) },
        why: `Nobody had said ${JSON.stringify(value)}: neither the user nor a tool.`,
      });
    }
    for (const key of keysIn([call.result ?? ''])) said.add(key);
  }
  return proposals.slice(0, MOST_OF_A_KIND);
}

/** Values of the answer that neither the user nor a tool has said. */
function unknownInAnswer({ trace, tools, systemPrompt }: FailedTrace): Proposal[] {
  if (trace.tools_seen === 'unknown') return [];
  const said = keysIn([
    ...[systemPrompt ?? '', ...descriptions(tools)],
    ...[...textsOf(trace, 'user'), ...textsOf(trace, 'tool_result')],
    ...trace.tool_calls_made.map(({ result }) => result ?? ''),
  ]);
  return valuesIn(trace.final_content ?? '')
    .filter(({ key }) => !said.has(key))
    .slice(0, MOST_OF_A_KIND)
    .map((value) => ({
      assertion: { type: 'output_not_contains', value: shortestSpelling(value) },
      why: 'The answer says it, and neither the user nor a tool has.',
    }));
}

function descriptions(tools: readonly WrittenTool[]): string[] {
  return tools.map(({ description, parameters }) => `${description ?? ''} ${JSON.stringify(parameters ?? {})}`);
}

function textsOf({ messages }: Trace, role: 'user' | 'tool_result'): string[] {
  return messages.flatMap((message) => (message.role === role ? [message.content] : []));
}

function noAnswer({ final_content, max_turns_hit, turn_count }: Trace): Proposal[] {
  const isMissing = final_content === null || final_content.trim() === '';
  return [
    ...(isMissing ? [answered('There was no answer.')] : []),
    ...(max_turns_hit && turn_count > 1
      ? [turnLimit(turn_count - 1, `It took ${turn_count}, and was still not done.`)]
      : []),
  ];
}

/** Calls that were wrong in themselves. */
const MISTAKES: ReadonlySet<ToolError['kind']> = new Set([
  ...(['unknown_tool', 'malformed_arguments', 'invalid_arguments'] as const),
]);

function agentErrors({ tool_errors }: Trace): Proposal[] {
  const mistake = tool_errors.find(({ kind }) => MISTAKES.has(kind));
  return mistake ? [noToolErrors(`A call was wrong: ${mistake.message}`)] : [];
}

function toolErrors({ tool_calls_made }: Trace): Proposal[] {
  const count = tool_calls_made.filter(({ is_error }) => is_error).length;
  return count === 0 ? [] : [noToolErrors(count === 1 ? 'A call failed.' : `${count} calls failed.`)];
}
