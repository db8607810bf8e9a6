import { canonicalJson } from '../text/json/canonical-json.ts';
import { matchesSubset } from '../text/json/json-equal.ts';
import { sameTool } from '../trace/agent-call.ts';
import type { Message } from '../trace/message.ts';
import type { ToolCallRecord } from '../trace/trace.ts';

type IsSame = (recorded: ToolCallRecord, reported: ToolCallRecord) => boolean;

/**
 * The calls that the mocks answered, and those that the agent reports: it may report its own tools, the mocks, or both.
 * Two calls are the same one if they are of the same tool and their arguments are equal. The mock's name and answer then
 * count. `mark` is for the calls that no mock answered.
 */
export function mergeToolCalls(
  recorded: readonly ToolCallRecord[],
  reported: readonly ToolCallRecord[],
  mark: (call: ToolCallRecord) => ToolCallRecord,
): { unreported: ToolCallRecord[]; reported: ToolCallRecord[] } {
  const left = new Set(recorded);
  const found = new Map<ToolCallRecord, ToolCallRecord>();
  const join = (call: ToolCallRecord, candidates: readonly ToolCallRecord[], isSame: IsSame): void => {
    const match = candidates.find((each) => left.has(each) && sameTool(each.name, call.name) && isSame(each, call));
    if (!match) return;
    left.delete(match);
    found.set(call, match);
  };
  // Equal arguments first: a call that is only alike must not take the place of one that is the same.
  const byArguments = Map.groupBy(recorded, argumentsKey);
  for (const call of reported) join(call, byArguments.get(argumentsKey(call)) ?? [], () => true);
  const mocked = [...left].filter(({ seen }) => seen === 'observed');
  for (const call of reported) if (mocked.length > 0 && !found.has(call)) join(call, mocked, isAlike);
  return {
    unreported: recorded.filter((call) => left.has(call)),
    reported: reported.map((call) => {
      const match = found.get(call);
      return match ? { ...match, id: call.id, turn: call.turn } : mark(call);
    }),
  };
}

function argumentsKey(call: ToolCallRecord): string {
  return canonicalJson(call.arguments);
}

/** An SDK may add defaults to the arguments before it calls the tool, and reports them as the model wrote them. */
const isAlike: IsSame = (recorded, reported) =>
  reported.result !== null &&
  (reported.result === recorded.result || matchesSubset(recorded.arguments, reported.arguments));

/**
 * A conversation that an agent returned, with what many leave out of it: the system prompt that they were given, and the
 * files of the user's messages.
 */
export function withGiven(reported: Message[], given: readonly Message[]): Message[] {
  const isSystem = ({ role }: Message): boolean => role === 'system';
  const prompt = reported.some(isSystem) ? [] : given.filter(isSystem);
  const users = given.filter((message) => message.role === 'user');
  if (users.every(({ files }) => files === undefined)) return [...prompt, ...reported];
  let next = 0;
  const messages = reported.map((message) => {
    if (message.role !== 'user') return message;
    const files = message.files ?? users[next]?.files;
    next += 1;
    return files ? { ...message, files } : message;
  });
  return [...prompt, ...messages];
}

/** Messages of an agent, with the results of mocks that it does not report. */
export function withResults(messages: readonly Message[], calls: readonly ToolCallRecord[]): Message[] {
  const told = new Set(messages.flatMap((message) => (message.role === 'tool_result' ? [message.tool_call_id] : [])));
  const results = new Map(calls.filter(({ id }) => !told.has(id)).map((call) => [call.id, call]));
  return messages.flatMap((message): Message[] => {
    if (message.role !== 'assistant') return [message];
    const mine = message.tool_calls.map(({ id }) => results.get(id)).filter((call) => call !== undefined);
    return [message, ...mine.flatMap(resultOf)];
  });
}

function resultOf({ id, name, result, is_error, seen }: ToolCallRecord): Message[] {
  if (result === null || seen !== 'observed') return [];
  return [{ role: 'tool_result', tool_call_id: id, name, content: result, is_error }];
}
