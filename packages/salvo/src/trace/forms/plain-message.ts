import { isRecord } from '../../text/json/is-record.ts';
import type { Conversation, ReportedCall } from './conversation.ts';

type Fields = Record<string, unknown>;

/** The fields that the reader of any message would not look at, or would find empty. */
const TEXT_FIELDS: ReadonlySet<string> = new Set(['role', 'content', 'name', 'timestamp']);
const RESULT_FIELDS: ReadonlySet<string> = new Set([...TEXT_FIELDS, 'tool_call_id']);
const ANSWER_FIELDS: ReadonlySet<string> = new Set([...TEXT_FIELDS, 'tool_calls', 'annotations']);
/** Fields of OpenAI's answers that are null in nearly all of them. */
const MOSTLY_NULL: ReadonlySet<string> = new Set(['refusal', 'audio', 'function_call']);

/**
 * Reads a message of OpenAI's chat form that has only usual fields with values of their usual types, as nearly all of a log
 * have. This takes a tenth of the time that the checks of all forms take. False for any other message, of which nothing is
 * read then: `readMessage` reads both alike.
 */
export function readPlainMessage(message: Fields, into: Conversation): boolean {
  switch (message.role) {
    case 'system':
    case 'developer':
      return readText(message, 'system', into);
    case 'user':
      return readText(message, 'user', into);
    case 'assistant':
      return readAnswer(message, into);
    case 'tool':
      return readResult(message, into);
    default:
      return false;
  }
}

function readText(message: Fields, role: 'system' | 'user', into: Conversation): boolean {
  const { content } = message;
  if (typeof content !== 'string' || !hasOnly(message, TEXT_FIELDS)) return false;
  into.text(role, content);
  return true;
}

function readAnswer(message: Fields, into: Conversation): boolean {
  const { content, tool_calls: given, name } = message;
  if (typeof content !== 'string' && content !== null && content !== undefined) return false;
  if (!hasOnly(message, ANSWER_FIELDS)) return false;
  const calls = plainCalls(given);
  if (!calls) return false;
  into.assistant(() => {
    if (typeof content === 'string') into.say(content);
    for (const call of calls) into.call(call);
    into.count(null);
    into.spokenBy(name);
  });
  return true;
}

function readResult(message: Fields, into: Conversation): boolean {
  const { content, tool_call_id: id, name } = message;
  if (typeof content !== 'string' || !isOptionalText(id) || !isOptionalText(name)) return false;
  if (!hasOnly(message, RESULT_FIELDS)) return false;
  into.result({ id, name, content });
  return true;
}

const NO_CALLS: readonly ReportedCall[] = [];

/** Undefined if one of the calls is in another form. */
function plainCalls(given: unknown): readonly ReportedCall[] | undefined {
  if (given === undefined || given === null) return NO_CALLS;
  if (!Array.isArray(given)) return undefined;
  const calls: ReportedCall[] = [];
  for (const call of given) {
    if (!isRecord(call) || !isRecord(call.function)) return undefined;
    const { id } = call;
    const { name } = call.function;
    if (!isOptionalText(id) || typeof name !== 'string' || name === '') return undefined;
    calls.push({ id, name, arguments: call.function.arguments });
  }
  return calls;
}

function isOptionalText(value: unknown): value is string | null | undefined {
  return typeof value === 'string' || value === null || value === undefined;
}

function hasOnly(message: Fields, names: ReadonlySet<string>): boolean {
  for (const name in message) {
    if (!names.has(name) && !(MOSTLY_NULL.has(name) && message[name] === null)) return false;
  }
  return true;
}
