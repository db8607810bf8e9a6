import { finalContent, type Message } from './message.ts';
import { isSameText } from './same-text.ts';
import type { ToolCallRecord, Trace } from './trace.ts';

/** What the agent did about a message of the user: the messages from `start` up to `end`. */
export interface AgentTurn {
  start: number;
  end: number;
  calls: ToolCallRecord[];
  /** Null if the agent gave none, such as at the end of its turns. */
  answer: string | null;
}

type Given = readonly Pick<Message, 'role' | 'content'>[];

/**
 * The agent's answers to the messages of the user, in order. Answers that the scenario gives as history are not the
 * agent's. A message that it never answered is no turn.
 */
export function agentTurns(
  { messages, final_content, tool_calls_made }: Pick<Trace, 'messages' | 'final_content' | 'tool_calls_made'>,
  scenario: { messages?: Given | undefined } | undefined,
): AgentTurn[] {
  const history = historyOf(scenario?.messages ?? []);
  // Ids may repeat, so the nth call of an id is its nth record.
  const records = Map.groupBy(tool_calls_made, ({ id }) => id);
  const recordsOf = (message: Message): ToolCallRecord[] =>
    message.role === 'assistant' ? message.tool_calls.flatMap(({ id }) => records.get(id)?.shift() ?? []) : [];
  return exchangesOf(messages).flatMap(({ start, end }) => {
    const exchange = messages.slice(start, end);
    if (history[0] && isSameExchange(exchange, history[0])) {
      history.shift();
      return [];
    }
    if (!exchange.some(({ role }) => role === 'assistant')) return [];
    const answer = end === messages.length ? final_content : finalContent(exchange);
    return [{ start, end, calls: exchange.flatMap(recordsOf), answer }];
  });
}

/** The trace as it was at the end of a turn, without what came later. Figures such as the cost are of the whole trial. */
export function traceUpTo(trace: Trace, turns: readonly AgentTurn[], turn: AgentTurn): Trace {
  const later = new Set(turns.slice(turns.indexOf(turn) + 1).flatMap(({ calls }) => calls));
  return {
    ...trace,
    messages: trace.messages.slice(0, turn.end),
    tool_calls_made: trace.tool_calls_made.filter((call) => !later.has(call)),
    final_content: turn.answer,
  };
}

/** The trace of one turn alone. Calls are unknown if the messages do not show in which turn each was made. */
export function traceOf(trace: Trace, turns: readonly AgentTurn[], turn: AgentTurn): Trace {
  const placed = turns.reduce((count, { calls }) => count + calls.length, 0);
  const isUnclear = turns.length > 1 && placed < trace.tool_calls_made.length;
  return {
    ...trace,
    messages: trace.messages.slice(turn.start, turn.end),
    tool_calls_made: turn.calls,
    final_content: turn.answer,
    ...(isUnclear && { tools_seen: 'unknown' }),
  };
}

/** Each begins with a message of the user, or several in a row. What comes before the first is no exchange. */
function exchangesOf(messages: Given): { start: number; end: number }[] {
  const isStart = (index: number) => messages[index]?.role === 'user' && messages[index - 1]?.role !== 'user';
  const starts = [...messages.keys()].filter(isStart);
  return starts.map((start, index) => ({ start, end: starts[index + 1] ?? messages.length }));
}

/** The exchanges that the scenario gives. The messages of the user that the agent must answer are not among them. */
function historyOf(given: Given): Given[] {
  return exchangesOf(given)
    .map(({ start, end }) => given.slice(start, end))
    .filter((exchange) => exchange.some(({ role }) => role === 'assistant'));
}

/** Of several messages of the user in a row, the agent answered all but the last before: only that one is the same. */
function isSameExchange(exchange: Given, given: Given): boolean {
  const asked = (messages: Given) => messages.findLast(({ role }) => role === 'user')?.content ?? '';
  const said = (messages: Given) => messages.findLast(({ role }) => role === 'assistant')?.content ?? '';
  return isSameText(asked(exchange), asked(given)) && isSameText(said(exchange), said(given));
}
