import { isRecord } from '../../../text/json/is-record.ts';
import type { Conversation } from '../../../trace/forms/conversation.ts';
import { readMessage } from '../../../trace/forms/read-messages.ts';
import { toolOutputText } from '../../../trace/forms/tool-output.ts';
import { amountOf, listIn, recordIn, textOf } from '../record-fields.ts';

type Fields = Record<string, unknown>;

/** A call that the simulated user made on a device of its own. The agent neither made it nor saw it. */
export interface UserToolCall {
  /** How many messages of the conversation came before it. */
  after_messages: number;
  id: string | null;
  name: string | null;
  arguments: unknown;
  result: string | null;
  is_error: boolean;
}

/** A reader of messages that puts the calls of the user and their results beside the conversation. */
export function readTau2Message(userCalls: UserToolCall[]) {
  return (message: unknown, into: Conversation, place: string): void => {
    if (!isRecord(message)) readMessage(message, into, place);
    else if (message.role === 'user' && listIn(message, 'tool_calls').length > 0) {
      for (const call of listIn(message, 'tool_calls')) userCalls.push(userCall(call, into));
      if (textOf(message, 'content') !== null) readMessage({ ...message, tool_calls: null }, into, place);
    } else if (message.role === 'tool' && message.requestor === 'user') addResult(message, userCalls, into);
    else {
      readMessage(spoken(message), into, place);
      if (message.role === 'assistant') addFigures(message, into);
    }
  };
}

function userCall(call: unknown, into: Conversation): UserToolCall {
  const given = isRecord(call) ? call : {};
  return {
    after_messages: into.messages.length,
    id: textOf(given, 'id'),
    name: textOf(given, 'name'),
    arguments: given.arguments ?? {},
    result: null,
    is_error: false,
  };
}

function addResult(message: Fields, userCalls: UserToolCall[], into: Conversation): void {
  const id = textOf(message, 'id');
  const answered = { result: toolOutputText(message.content), is_error: message.error === true };
  const call = userCalls.findLast((made) => made.result === null && made.id === id);
  if (call) Object.assign(call, answered);
  else userCalls.push({ ...userCall({ id }, into), ...answered });
}

/** A spoken message has its words beside its sound. The model's thoughts are in the answer of its provider. */
function spoken(message: Fields): Fields {
  const words = message.is_audio === true ? textOf(message, 'audio_script_gold') : null;
  const thoughts = message.role === 'assistant' ? thoughtsOf(recordIn(message, 'raw_data')) : null;
  return {
    ...message,
    ...(words === null ? {} : { content: words }),
    ...(thoughts === null ? {} : { reasoning_content: thoughts }),
  };
}

function thoughtsOf(answer: Fields): string | null {
  const [choice] = listIn(answer, 'choices');
  const inner = isRecord(choice) ? recordIn(choice, 'message') : recordIn(answer, 'message');
  return textOf(inner, 'reasoning_content') ?? textOf(answer, 'reasoning_content');
}

function addFigures(message: Fields, into: Conversation): void {
  into.by(recordIn(message, 'raw_data').model);
  into.figures({ cost_usd: amountOf(message.cost), latency_seconds: amountOf(message.generation_time_seconds) });
}
