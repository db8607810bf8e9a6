import type { AssistantMessage, Message } from '../trace/message.ts';
import type { ToolCallRecord, Trace } from '../trace/trace.ts';

/** What a call is, without the place that it has in the conversation. */
export type CallContent = Pick<ToolCallRecord, 'name' | 'arguments' | 'result' | 'is_error'> &
  Partial<Pick<ToolCallRecord, 'effect' | 'seen'>>;

/** Where a call is in the messages. */
interface Place {
  /** The position of the message that makes the call, and of the call in it; -1 if no message has it. */
  message: number;
  call: number;
  /** The position of the message with its result; -1 if there is none. */
  result: number;
}

/** The trace with another final answer. Null: the agent gave none. */
export function withAnswer(trace: Trace, answer: string | null, finishReason = trace.finish_reason): Trace {
  const last = trace.messages.findLastIndex(({ role }) => role === 'assistant');
  const messages = trace.messages.map((message, index): Message => {
    return index === last && message.role === 'assistant' ? { ...message, content: answer } : message;
  });
  return { ...trace, messages, final_content: answer, finish_reason: finishReason };
}

/** The trace with other contents of some of its calls, by their positions. */
export function withCalls(trace: Trace, contents: ReadonlyMap<number, CallContent>): Trace {
  const messages = [...trace.messages];
  const calls = trace.tool_calls_made.map((record, index): ToolCallRecord => {
    const content = contents.get(index);
    if (!content) return record;
    const place = placeOf(trace, index);
    changeMessage(messages, place, content);
    return { ...record, ...content };
  });
  return { ...trace, messages, tool_calls_made: calls };
}

/** The trace without one of its calls and its result. A message that only made this call is gone, too. */
export function withoutCall(trace: Trace, index: number): Trace {
  const place = placeOf(trace, index);
  const record = trace.tool_calls_made[index];
  const isAlone = isOnlyCall(trace.messages[place.message]);
  const messages = trace.messages.flatMap((message, position): Message[] => {
    if (position === place.result || (position === place.message && isAlone)) return [];
    if (position !== place.message || message.role !== 'assistant') return [message];
    return [{ ...message, tool_calls: message.tool_calls.filter((_, at) => at !== place.call) }];
  });
  const calls = trace.tool_calls_made
    .filter((_, at) => at !== index)
    .map((call) => (isAlone && record && call.turn > record.turn ? { ...call, turn: call.turn - 1 } : call));
  return {
    ...trace,
    messages,
    tool_calls_made: calls,
    tool_errors: trace.tool_errors.filter(({ tool_call_id }) => tool_call_id !== record?.id),
    turn_count: Math.max(1, trace.turn_count - (isAlone ? 1 : 0)),
  };
}

/** The trace with a further call in the same message as one of its calls, answered after that. */
export function withCallAfter(trace: Trace, index: number, content: CallContent): Trace {
  const place = placeOf(trace, index);
  const record = trace.tool_calls_made[index];
  if (!record) return trace;
  const id = freeId(trace);
  const messages = trace.messages.flatMap((message, position): Message[] => {
    if (position === place.message && message.role === 'assistant') {
      const { name, arguments: args } = content;
      return [
        { ...message, tool_calls: message.tool_calls.toSpliced(place.call + 1, 0, { id, name, arguments: args }) },
      ];
    }
    return position === place.result ? [message, resultMessage(id, content)] : [message];
  });
  const added: ToolCallRecord = { id, turn: record.turn, ...(record.seen && { seen: record.seen }), ...content };
  return { ...trace, messages, tool_calls_made: trace.tool_calls_made.toSpliced(index + 1, 0, added) };
}

/** The trace with a call before the final answer, of an agent that made none so far. */
export function withFirstCall(trace: Trace, content: CallContent): Trace {
  const last = trace.messages.findLastIndex(({ role }) => role === 'assistant');
  const id = freeId(trace);
  const { name, arguments: args } = content;
  const asking: AssistantMessage = { role: 'assistant', content: null, tool_calls: [{ id, name, arguments: args }] };
  const at = last === -1 ? trace.messages.length : last;
  const added: ToolCallRecord = { id, turn: Math.max(1, trace.turn_count), seen: 'reported', ...content };
  return {
    ...trace,
    messages: trace.messages.toSpliced(at, 0, asking, resultMessage(id, content)),
    tool_calls_made: [...trace.tool_calls_made, added],
    turn_count: trace.turn_count + 1,
  };
}

/** The contents of calls by position, after the call at `from` was moved to `to`. The places of the calls stay. */
export function movedCalls(trace: Trace, from: number, to: number): Map<number, CallContent> {
  const calls = trace.tool_calls_made;
  const order = [...calls.keys()];
  order.splice(to, 0, ...order.splice(from, 1));
  const [first, last] = [Math.min(from, to), Math.max(from, to)];
  return new Map(
    order.flatMap((source, position): [number, CallContent][] => {
      const call = calls[source];
      return call && position >= first && position <= last ? [[position, contentOf(call)]] : [];
    }),
  );
}

export function contentOf({ name, arguments: args, result, is_error, effect }: ToolCallRecord): CallContent {
  return { name, arguments: args, result, is_error, ...(effect && { effect }) };
}

/** Ids may repeat in a long conversation: the nth record of an id is the nth call of it in the messages. */
function placeOf({ messages, tool_calls_made }: Trace, index: number): Place {
  const id = tool_calls_made[index]?.id;
  let left = tool_calls_made.slice(0, index).filter((call) => call.id === id).length;
  for (const [position, message] of messages.entries()) {
    if (message.role !== 'assistant') continue;
    for (const [call, asked] of message.tool_calls.entries()) {
      if (asked.id !== id) continue;
      if (left === 0) return { message: position, call, result: resultAfter(messages, position, asked.id) };
      left -= 1;
    }
  }
  return { message: -1, call: -1, result: -1 };
}

function resultAfter(messages: readonly Message[], from: number, id: string): number {
  return messages.findIndex(
    (message, position) => position > from && message.role === 'tool_result' && message.tool_call_id === id,
  );
}

function changeMessage(messages: Message[], { message, call, result }: Place, content: CallContent): void {
  const asking = messages[message];
  if (asking?.role === 'assistant') {
    const changed = asking.tool_calls.map((each, at) =>
      at === call ? { id: each.id, name: content.name, arguments: content.arguments } : each,
    );
    messages[message] = { ...asking, tool_calls: changed };
  }
  const answered = messages[result];
  if (answered?.role === 'tool_result') {
    messages[result] = { ...answered, name: content.name, content: content.result ?? '', is_error: content.is_error };
  }
}

function resultMessage(id: string, { name, result, is_error }: CallContent): Message {
  return { role: 'tool_result', tool_call_id: id, name, content: result ?? '', is_error };
}

function isOnlyCall(message: Message | undefined): boolean {
  return message?.role === 'assistant' && message.tool_calls.length === 1 && (message.content ?? '').trim() === '';
}

function freeId({ tool_calls_made }: Trace): string {
  const ids = new Set(tool_calls_made.map(({ id }) => id));
  let number = 1;
  while (ids.has(`mutant_${number}`)) number += 1;
  return `mutant_${number}`;
}
