import { isRecord } from '../../../text/json/is-record.ts';
import type { Message } from '../../message.ts';
import { Conversation } from '../conversation.ts';
import { FormError } from '../form-error.ts';
import { readMessage } from '../read-messages.ts';
import { findMessages } from './find-messages.ts';
import { foreignMessages } from './foreign-message.ts';
import { messagesIn, parsed } from './recorded-messages.ts';

/** Something that could not be read, and where it is. */
export interface Problem {
  place: string;
  problem: string;
}

export interface LooseOptions {
  role: 'user' | 'assistant';
  place: string;
  /** For calls without an id. */
  idPrefix: string;
  problems: Problem[];
}

/**
 * What a step was given or returned, as our messages. Unlike `messagesIn` it never refuses: what is no message is looked
 * through for messages, and is a text if it has none. A part that nobody knows is a problem, and the rest is kept.
 */
export function looseMessages(given: unknown, options: LooseOptions): Message[] {
  if (given === null || given === undefined) return [];
  const conversation = new Conversation(options.idPrefix);
  for (const [index, message] of messagesSomewhere(given, options).entries()) {
    readLoosely(message, conversation, { ...options, place: `${options.place}[${index}]` });
  }
  return conversation.messages;
}

function messagesSomewhere(given: unknown, { role, place, problems }: LooseOptions): unknown[] {
  try {
    const value = parsed(given, place);
    const direct = attempt(() => messagesIn(value, role, place));
    if (direct?.every((message) => isReadable(message))) return direct;
    const found = findMessages(value);
    if (found) return found.flatMap(foreignMessages);
    if (direct !== undefined && direct.length === 0) return [];
    return [{ role, content: textOf(value) }];
  } catch (error) {
    keep(error, problems);
    return [];
  }
}

function attempt<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof FormError) return undefined;
    throw error;
  }
}

/** Whether a reader takes it for a message, whatever it may find wrong with it. */
function isReadable(message: unknown): boolean {
  if (!isRecord(message)) return false;
  if (['role', 'parts', 'lc', 'tool_calls', 'toolInvocations', 'author'].some((key) => key in message)) return true;
  return typeof message.type === 'string' || 'content' in message || 'kind' in message;
}

/** What a program was asked or answered that has no messages: a text, or an object, which is shown as JSON. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const texts = isRecord(value) ? Object.values(value).filter((inner) => inner !== null && inner !== undefined) : [];
  const [only, ...others] = texts;
  return others.length === 0 && typeof only === 'string' ? only : (JSON.stringify(value) ?? '');
}

function readLoosely(message: unknown, into: Conversation, options: LooseOptions): void {
  const before = into.messages.length;
  const read = (given: unknown): FormError | undefined => {
    try {
      readMessage(given, into, options.place);
      return undefined;
    } catch (error) {
      if (!(error instanceof FormError)) throw error;
      into.messages.length = before;
      into.endAnswer();
      return error;
    }
  };
  const wrong = read(message);
  if (wrong === undefined) return;
  const reduced = isRecord(message) ? knownPartsOf(message, options) : undefined;
  // The reduced message says by itself what it lacks.
  const isRead = reduced !== undefined && read(reduced) === undefined;
  if (!isRead) keep(wrong, options.problems);
}

/** The message without the parts that no reader knows. Each of them is a problem. Undefined if it has no others. */
function knownPartsOf(message: Record<string, unknown>, options: LooseOptions): Record<string, unknown> | undefined {
  const { role: own } = message;
  const role = isRole(own) ? own : options.role;
  const field = ['content', 'parts'].find((name) => Array.isArray(message[name]));
  const list: unknown = field === undefined ? undefined : message[field];
  const parts = Array.isArray(list) ? list.filter((part) => isKnown({ role, [field ?? '']: [part] }, options)) : [];
  const calls = callsOf(message).filter((call) =>
    isKnown({ role: 'assistant', content: null, tool_calls: [call] }, options),
  );
  const { content } = message;
  const said = typeof content === 'string' ? content : content === null || content === undefined ? null : undefined;
  if (role === own && field === undefined && said === undefined && calls.length === 0) return undefined;
  return {
    role,
    ...(field === undefined ? { content: said ?? null } : { [field]: parts }),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
    ...Object.fromEntries(KEPT.flatMap((name) => (typeof message[name] === 'string' ? [[name, message[name]]] : []))),
  };
}

const KEPT = ['tool_call_id', 'name', 'reasoning', 'reasoning_content'];

function isRole(role: unknown): role is string {
  return typeof role === 'string' && /^(?:system|developer|user|assistant|model|tool|tool_result|function)$/.test(role);
}

function callsOf({ tool_calls }: Record<string, unknown>): unknown[] {
  return Array.isArray(tool_calls) ? tool_calls : [];
}

function isKnown(message: Record<string, unknown>, { place, problems }: LooseOptions): boolean {
  try {
    readMessage(message, new Conversation('known'), place);
    return true;
  } catch (error) {
    keep(error, problems);
    return false;
  }
}

function keep(error: unknown, problems: Problem[]): void {
  if (!(error instanceof FormError)) throw error;
  problems.push({ place: error.place, problem: error.problem });
}
