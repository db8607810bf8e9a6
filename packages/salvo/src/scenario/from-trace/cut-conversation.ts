import { SalvoError } from '../../text/errors/salvo-error.ts';
import { agentTurns } from '../../trace/agent-turns.ts';
import type { Message } from '../../trace/message.ts';
import type { Trace } from '../../trace/trace.ts';
import type { Scenario } from '../schema/scenario-schema.ts';

type UserMessage = Extract<Message, { role: 'user' }>;

/** Which turns of the user are asked again, from 1. */
export interface TurnRange {
  first: number;
  last: number;
}

export interface CutConversation {
  systemPrompt: string | null;
  /** What was said before: the agent is given it, and does not answer it. */
  history: Message[];
  /** What the agent has to answer. Empty if nobody asked it anything. */
  turns: UserMessage[];
  /** The trace as it is with these turns alone, which assertions are tried on. */
  trace: Trace;
  notes: string[];
}

interface Exchange {
  start: number;
  end: number;
}

/**
 * The parts of a recorded conversation. Turns before the range are history, so that the agent knows what was said; those
 * after it are left out.
 */
export function cutConversation(
  recorded: Trace,
  { scenario, range }: { scenario: Pick<Scenario, 'messages'> | null; range: TurnRange | null },
): CutConversation {
  const trace = { ...recorded, messages: withJoinedUsers(recorded.messages) };
  const { messages } = trace;
  const exchanges = exchangesOf(messages);
  const answered = agentTurns(trace, scenario ?? undefined);
  const own = exchanges.filter(
    ({ start, end }) =>
      answered.some((turn) => turn.start === start) ||
      !messages.slice(start, end).some(({ role }) => role === 'assistant'),
  );
  const { first, last } = range ?? { first: 1, last: Math.max(1, own.length) };
  if (range && last > own.length) {
    const has = own.length === 1 ? 'one turn of the user' : `${own.length} turns of the user`;
    throw new SalvoError('OPTIONS_INVALID', `The conversation has ${has}, so there is no turn ${last}.`);
  }
  const asked = own.slice(first - 1, last);
  const begin = asked[0]?.start ?? messages.length;
  const end = asked.at(-1)?.end ?? messages.length;
  const isWhole = first === 1 && last >= own.length;
  const turns = asked.flatMap(({ start }) => {
    const message = messages[start];
    return message?.role === 'user' ? [message] : [];
  });
  return {
    ...systemOf(messages, begin),
    history: asked.length === 0 ? [] : messages.slice(0, begin).filter(({ role }) => role !== 'system'),
    turns,
    trace: isWhole
      ? trace
      : cutTrace(trace, { end, isLast: last >= own.length, turns: answered.filter((turn) => isIn(turn, asked)) }),
  };
}

function isIn(turn: Exchange, asked: readonly Exchange[]): boolean {
  return asked.some(({ start }) => start === turn.start);
}

/** A scenario asks each message of the user on its own, so messages that were answered together are joined. */
function withJoinedUsers(messages: readonly Message[]): Message[] {
  const joined: Message[] = [];
  for (const message of messages) {
    const before = joined.at(-1);
    if (message.role !== 'user' || before?.role !== 'user') {
      joined.push(message);
      continue;
    }
    const files = [...(before.files ?? []), ...(message.files ?? [])];
    const content = [before.content, message.content].filter((text) => text !== '').join('\n\n');
    joined[joined.length - 1] = { ...message, content, ...(files.length > 0 && { files }) };
  }
  return joined;
}

/** Each begins with a message of the user. */
function exchangesOf(messages: readonly Message[]): Exchange[] {
  const starts = [...messages.keys()].filter((index) => messages[index]?.role === 'user');
  return starts.map((start, index) => ({ start, end: starts[index + 1] ?? messages.length }));
}

function systemOf(messages: readonly Message[], begin: number): Pick<CutConversation, 'systemPrompt' | 'notes'> {
  const isSystem = ({ role }: Message) => role === 'system';
  const before = messages.slice(0, begin + 1).filter(isSystem);
  const after = messages.slice(begin + 1).filter(isSystem).length;
  const text = before.map(({ content }) => content ?? '').join('\n\n');
  return {
    systemPrompt: text === '' ? null : text,
    notes: after === 0 ? [] : ['Instructions in the middle of the conversation were left out.'],
  };
}

function cutTrace(
  trace: Trace,
  { end, isLast, turns }: { end: number; isLast: boolean; turns: ReturnType<typeof agentTurns> },
): Trace {
  const calls = turns.flatMap((turn) => turn.calls);
  const ids = new Set(calls.map(({ id }) => id));
  const said = turns.flatMap((turn) => trace.messages.slice(turn.start, turn.end));
  const { state: _state, turns: _turns, workspace: _workspace, ...rest } = trace;
  return {
    ...rest,
    messages: trace.messages.slice(0, end),
    tool_calls_made: calls,
    tool_errors: trace.tool_errors.filter(({ tool_call_id }) => ids.has(tool_call_id)),
    turn_count: said.filter(({ role }) => role === 'assistant').length,
    final_content: turns.at(-1)?.answer ?? null,
    ...{ input_tokens: null, output_tokens: null, total_tokens: null, latency_seconds: null, cost_usd: null },
    ...(isLast ? {} : { error: null, max_turns_hit: false, finish_reason: 'stop' }),
  };
}
