import { isRecord } from '../../text/json/is-record.ts';
import type { Conversation, ReportedCall } from './conversation.ts';
import { plainUsage } from './usage.ts';

type Fields = Record<string, unknown>;

/** Beside what is read, these have fields that no reader looks at: OpenAI's and those of benchmarks' logs. */
const TEXT_FIELDS: ReadonlySet<string> = new Set([
  ...['role', 'content', 'name', 'timestamp', 'turn_idx', 'cost', 'requestor', 'raw_data', 'generation_time_seconds'],
]);
const USER_FIELDS: ReadonlySet<string> = new Set([...TEXT_FIELDS, 'id', 'usage']);
const RESULT_FIELDS: ReadonlySet<string> = new Set([...TEXT_FIELDS, 'tool_call_id', 'id', 'error']);
const ANSWER_FIELDS: ReadonlySet<string> = new Set([...TEXT_FIELDS, 'tool_calls', 'annotations', 'id', 'usage']);
/** Fields that are null in nearly all messages. */
const MOSTLY_NULL: ReadonlySet<string> = new Set(['refusal', 'audio', 'function_call', 'tool_calls']);

/**
 * Reads a message of OpenAI's chat form, or of a benchmark's like it, that has only usual fields with values of their usual types, as nearly all of a log
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
  if (typeof content !== 'string' || !hasOnly(message, USER_FIELDS)) return false;
  into.text(role, content);
  return true;
}

function readAnswer(message: Fields, into: Conversation): boolean {
  const { content, tool_calls: given, name } = message;
  if (typeof content !== 'string' && content !== null && content !== undefined) return false;
  if (!hasOnly(message, ANSWER_FIELDS)) return false;
  const calls = plainCalls(given);
  const usage = plainUsage(message.usage);
  if (!calls || usage === undefined) return false;
  into.assistant(() => {
    if (typeof content === 'string') into.say(content);
    for (const call of calls) into.call(call);
    into.count(usage);
    into.spokenBy(name);
  });
  return true;
}

function readResult(message: Fields, into: Conversation): boolean {
  const { content, tool_call_id, id, name, error } = message;
  if (typeof content !== 'string' || !isOptionalText(tool_call_id) || !isOptionalText(name)) return false;
  if ((error !== undefined && typeof error !== 'boolean') || !hasOnly(message, RESULT_FIELDS)) return false;
  const ofCall = typeof id === 'string' && into.isOpen(id) ? id : undefined;
  into.result({ id: tool_call_id ?? ofCall, name, content, is_error: error });
  return true;
}

/** Of a call that is not in a field `function`. */
const CALL_FIELDS: ReadonlySet<string> = new Set(['id', 'name', 'arguments', 'type', 'requestor']);
const NO_CALLS: readonly ReportedCall[] = [];

/** Undefined if one of the calls is in another form. */
function plainCalls(given: unknown): readonly ReportedCall[] | undefined {
  if (given === undefined || given === null) return NO_CALLS;
  if (!Array.isArray(given)) return undefined;
  const calls: ReportedCall[] = [];
  for (const call of given) {
    if (!isRecord(call)) return undefined;
    const { id } = call;
    const made = isRecord(call.function) ? call.function : hasOnly(call, CALL_FIELDS) ? call : undefined;
    if (!made || !isOptionalText(id) || typeof made.name !== 'string' || made.name === '') return undefined;
    calls.push({ id, name: made.name, arguments: made.arguments });
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
