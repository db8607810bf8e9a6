import { canonicalJson } from '../text/json/canonical-json.ts';
import { matchesSubset } from '../text/json/json-equal.ts';
import { sameTool } from '../trace/agent-call.ts';
import { callIdOf, type Message, type ToolCall } from '../trace/message.ts';
import { toolCallsOf } from '../trace/tool-calls-of.ts';
import type { ToolCallRecord } from '../trace/trace.ts';
import type { ScenarioTools } from './tools/scenario-tools.ts';

/** Adds to a call that the agent reports what the scenario knows about its tool. */
export type MarkReported = ScenarioTools['markReported'];

/** How many messages, tool calls and turns there are. */
export interface Counted {
  messages: number;
  toolCalls: number;
  turns: number;
}

interface ReportOptions {
  /** Calls of the last answer that nobody has answered yet. */
  open: readonly ToolCall[];
  mark: MarkReported;
  /** Earlier turns stay as they are. */
  ownHistory: boolean;
  /** The ids of the calls in what the agent was given. */
  givenCalls: ReadonlySet<string>;
}

/**
 * Joins messages that the agent reports itself with what is recorded already. With all messages of the user they are the
 * whole conversation; otherwise they follow what the agent was asked. Calls that the mocks answered are recorded already,
 * and not counted twice. Returns the messages that replace those from `from` on, and all tool calls.
 */
export function joinReported(
  recorded: { messages: readonly Message[]; toolCalls: readonly ToolCallRecord[]; asked: Counted },
  given: Message[],
  { open, mark, ownHistory, givenCalls }: ReportOptions,
): { from: number; messages: Message[]; toolCalls: ToolCallRecord[]; turns: number } {
  const isUser = ({ role }: Message): boolean => role === 'user';
  const isWhole =
    !ownHistory && given.some(isUser) && given.filter(isUser).length >= recorded.messages.filter(isUser).length;
  const messages = isWhole ? withGiven(given, recorded.messages) : given.slice(given.findLastIndex(isUser) + 1);
  const before = isWhole ? { messages: 0, toolCalls: 0, turns: 0 } : recorded.asked;
  const openIds = new Set(open.map(({ id }) => id));
  const answered = toolCallsOf(messages).filter(
    ({ id, result }) => (result !== null || !openIds.has(id)) && !givenCalls.has(id),
  );
  const { unreported, reported } = mergeToolCalls(recorded.toolCalls.slice(before.toolCalls), answered, mark);
  const ids = new Set(isWhole ? [] : unreported.map(({ id }) => id));
  const kept = recorded.messages.slice(before.messages).filter((message) => ids.has(callIdOf(message) ?? ''));
  const turnsBefore = before.turns + ids.size;
  return {
    from: before.messages,
    messages: [...kept, ...withResults(messages, reported)],
    toolCalls: [
      ...recorded.toolCalls.slice(0, before.toolCalls),
      ...unreported.map((call, index) => (isWhole ? call : { ...call, turn: before.turns + index + 1 })),
      ...reported.map((call) => ({ ...call, turn: call.turn + turnsBefore })),
    ],
    turns: turnsBefore + messages.filter(({ role }) => role === 'assistant').length,
  };
}

type IsSame = (recorded: ToolCallRecord, reported: ToolCallRecord) => boolean;

/**
 * The calls that the mocks answered, and those that the agent reports: it may report its own tools, the mocks, or both.
 * Two calls are the same one if they are of the same tool and their arguments are equal. The mock's name and answer then
 * count. `mark` is for the calls that no mock answered.
 */
export function mergeToolCalls(
  recorded: readonly ToolCallRecord[],
  reported: readonly ToolCallRecord[],
  mark: MarkReported,
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
function withGiven(reported: Message[], given: readonly Message[]): Message[] {
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

/** Messages with results that only mocks or the agent have: each after the answer that made its call. */
export function withResults(messages: readonly Message[], calls: readonly ToolCallRecord[]): Message[] {
  const answered = new Set(messages.flatMap((message) => (message.role === 'tool_result' ? message.tool_call_id : [])));
  const results = new Map(calls.map((call) => [call.id, call]));
  return messages.flatMap((message): Message[] => {
    if (message.role !== 'assistant') return [message];
    const missing = message.tool_calls.flatMap(({ id, name }): Message[] => {
      const { result = null, is_error = false } = results.get(id) ?? {};
      if (result === null || answered.has(id)) return [];
      return [{ role: 'tool_result', tool_call_id: id, name, content: result, is_error }];
    });
    return [message, ...missing];
  });
}
