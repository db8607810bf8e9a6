import { isRecord } from '../../../text/json/is-record.ts';
import { jsonOrUndefined } from '../../../text/json/json-in-text.ts';
import { bracketsFrom, isNestedTooDeeply, MAX_NESTING } from '../../../text/json/nesting.ts';
import { FormError } from '../form-error.ts';
import { foreignMessages, isCallEntry, isPair } from './foreign-message.ts';

type Role = 'user' | 'assistant';

/**
 * What a tracing tool recorded as the input or the output of a call, as messages in whatever form they are: messages, one
 * message, a text, the request or the answer of a provider, or an object with one of them.
 */
export function messagesIn(given: unknown, role: Role, name: string): unknown[] {
  const value = parsed(given, name);
  const found = typeof value === 'string' ? [{ role, content: value }] : listIn(value, role, name);
  const messages = found ?? (isRecord(value) ? inRecord(value, role, name) : undefined);
  if (!messages) throw new FormError(`${name}:`, 'expected messages, or a text');
  return messages.flatMap(foreignMessages);
}

function listIn(value: unknown, role: Role, name: string): unknown[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const [first] = value;
  if (value.length === 1 && ((Array.isArray(first) && !isPair(first)) || typeof first === 'string'))
    return messagesIn(first, role, name);
  // The calls of a step, as the AI SDK writes them into its spans.
  if (value.length > 0 && value.every((entry) => isRecord(entry) && 'toolName' in entry && !('role' in entry))) {
    return [{ role: 'assistant', toolCalls: value }];
  }
  if (value.length > 0 && value.every(isCall)) return [{ role: 'assistant', content: null, tool_calls: value }];
  const isPart = (entry: unknown): boolean => isRecord(entry) && !('role' in entry) && CONTENT_PARTS.has(entry.type);
  return value.length > 0 && value.every(isPart) ? [{ role, content: value }] : value;
}

/** A call by itself, as the node of a graph that runs tools gets it, or as a model without tools writes it. */
function isCall(entry: unknown): boolean {
  if (!isRecord(entry) || 'role' in entry) return false;
  return isCallEntry(entry) || (entry.type === 'tool_call' && typeof entry.name === 'string' && 'args' in entry);
}

const CONTENT_PARTS: ReadonlySet<unknown> = new Set(['text', 'tool-call', 'tool-result', 'tool_use', 'thinking']);

function inRecord(value: Record<string, unknown>, role: Role, name: string): unknown[] | undefined {
  const asked = ['messages', 'contents', 'prompt', 'new_message'].find((key) => isGiven(value[key]));
  if (asked) return [...systemOf(value), ...messagesIn(value[asked], role, `${name}.${asked}`)];
  const answer = providerAnswer(value);
  if (answer !== undefined) return messagesIn(answer, role, name);
  if (typeof value.text === 'string' && Array.isArray(value.toolCalls)) {
    return [{ role, content: value.text, toolCalls: value.toolCalls }];
  }
  if (isCall(value)) return [{ role: 'assistant', content: null, tool_calls: [value] }];
  if (['role', 'content', 'parts', 'lc', 'type', 'tool_calls'].some((key) => key in value)) return [{ role, ...value }];
  // Beside it is why the answer ended.
  if (typeof value.message === 'string') return [{ role, content: value.message }];
  const [only, ...others] = Object.values(value);
  if (others.length === 0 && (typeof only === 'string' || isRecord(only))) return messagesIn(only, role, name);
  return undefined;
}

/** What the model said, within the answer of a provider. */
function providerAnswer(value: Record<string, unknown>): unknown {
  const [generation] = Array.isArray(value.generations) ? value.generations.flat() : [];
  if (isRecord(generation)) return generation.message ?? generation.text;
  const [choice] = Array.isArray(value.choices) ? value.choices : [];
  if (isRecord(choice) && isRecord(choice.message)) return choice.message;
  const [candidate] = Array.isArray(value.candidates) ? value.candidates : [];
  if (isRecord(candidate) && isRecord(candidate.content)) return candidate.content;
  if (isRecord(value.content) && Array.isArray(value.content.parts)) return value.content;
  return Array.isArray(value.output) && !('role' in value) ? value.output : undefined;
}

function isGiven(value: unknown): boolean {
  return typeof value === 'string' || Array.isArray(value) || isRecord(value);
}

/** The system prompt that providers and SDKs take beside the messages. */
function systemOf({ system, config, ...value }: Record<string, unknown>): object[] {
  const inConfig = isRecord(config) ? (config.system_instruction ?? config.systemInstruction) : undefined;
  const prompt = system ?? value.system_instruction ?? value.systemInstruction ?? inConfig;
  return typeof prompt === 'string' && prompt !== '' ? [{ role: 'system', content: prompt }] : [];
}

/** Attributes and exported tables have JSON as text. */
export function parsed(value: unknown, name: string): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  const inner = value.length > LONG && isTooDeep(value) ? undefined : jsonOrUndefined(value);
  // To look through the value is faster than to look through its text.
  if (inner === undefined ? isTooDeep(value) : isNestedTooDeeply(inner)) {
    throw new FormError(`${name}:`, `nested more than ${MAX_NESTING} levels deep`);
  }
  return inner ?? value;
}

/** A shorter text cannot be nested so deeply that its parser needs much memory. */
const LONG = 1024 * 1024;

function isTooDeep(text: string): boolean {
  return bracketsFrom(text, text.search(/[[{]/)).deepest > MAX_NESTING;
}
