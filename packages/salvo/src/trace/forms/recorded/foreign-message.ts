import { isRecord } from '../../../text/json/is-record.ts';
import { jsonOrUndefined } from '../../../text/json/json-in-text.ts';

type Fields = Record<string, unknown>;

/** Roles as libraries write them, in lower case. */
const ROLES = new Map<string, string>([
  ...['human', 'input', 'customer'].map((role) => [role, 'user'] as const),
  ...['ai', 'model', 'bot', 'agent', 'tool-call', 'chatbot'].map((role) => [role, 'assistant'] as const),
  ...['tool-response', 'observation'].map((role) => [role, 'user'] as const),
]);

/** The messages of AutoGen and AG2 have the name of their class as their type. */
const CLASSES = new Map<unknown, string>([
  ...['UserMessage', 'HandoffMessage'].map((type) => [type, 'user'] as const),
  ...['AssistantMessage', 'ToolCallRequestEvent', 'ToolCallSummaryMessage', 'StopMessage', 'StructuredMessage'].map(
    (type) => [type, 'assistant'] as const,
  ),
  ...['FunctionExecutionResultMessage', 'ToolCallExecutionEvent'].map((type) => [type, 'tool'] as const),
  ['SystemMessage', 'system'],
]);
const SPOKEN: ReadonlySet<unknown> = new Set(['TextMessage', 'MultiModalMessage', 'ThoughtEvent']);

/** Tracing libraries change messages: what they do to them is undone here. One may become several, or none. */
export function foreignMessages(given: unknown): unknown[] {
  if (isPair(given)) return foreignMessages({ role: given[0], content: given[1] });
  if (!isRecord(given)) return [given];
  const message = unwrapped(given);
  if (isRecord(message.kwargs) && message.lc !== undefined) {
    return [{ ...message, kwargs: { ...message.kwargs, ...callsBeside(message.kwargs) } }];
  }
  const { content, text } = message;
  const role = roleOf(message);
  if (role === 'tool' && isToolDefinition(content)) return [];
  if (role === 'tool' && Array.isArray(content) && content.length > 0 && content.every(isCallEntry)) {
    return [{ role: 'assistant', content: null, tool_calls: content }];
  }
  if (role === 'tool' && Array.isArray(content) && content.length > 0 && content.every(isExecution)) {
    return content.map((result) => ({ role, ...result, tool_call_id: result.call_id }));
  }
  const changes: Fields = {
    ...(role !== undefined && role !== message.role ? { role } : {}),
    ...(role !== undefined && content === undefined && typeof text === 'string' ? { content: text } : {}),
    ...callsBeside(message),
  };
  const changed = Object.keys(changes).length > 0 || message !== given ? { ...message, ...changes } : message;
  return [withContent(changed, role)];
}

/** LangChain takes a message as a pair of its role and its text. */
export function isPair(given: unknown): given is [string, string] {
  if (!Array.isArray(given) || given.length !== 2) return false;
  const [role, content] = given;
  return typeof role === 'string' && typeof content === 'string' && /^(?:human|ai|user|assistant|system)$/.test(role);
}

/** A message within the event that told of it, or within the object of a library. */
function unwrapped(given: Fields): Fields {
  const event = given['gen_ai.event.content'];
  if (typeof event === 'string') {
    const inner = jsonOrUndefined(event);
    if (isRecord(inner)) return unwrapped({ ...(given.role === undefined ? {} : { role: given.role }), ...inner });
  }
  const name = typeof given['event.name'] === 'string' ? given['event.name'] : '';
  const [, told] = /^gen_ai\.(system|user|assistant|tool|choice)(?:\.message)?$/.exec(name) ?? [];
  if (told !== undefined) {
    const { 'event.name': _, ...body } = given;
    const role = told === 'choice' ? 'assistant' : told;
    const inner = isRecord(body.message) ? body.message : body;
    return {
      ...inner,
      role,
      ...(role === 'tool' && inner.tool_call_id === undefined ? { tool_call_id: inner.id } : {}),
    };
  }
  if (typeof given._role === 'string') return { ...given, role: given._role, content: given._content };
  const isWrapper = given.role === undefined && given.type === undefined && given.content === undefined;
  if (isWrapper && isRecord(given.message)) return spreadMessage(given.message);
  return given;
}

/** A message of OpenInference, whose contents and calls are each within an object of their own. */
function spreadMessage(message: Fields): Fields {
  const { contents, tool_calls, content, ...rest } = message;
  const calls = Array.isArray(tool_calls)
    ? tool_calls.map((call) => (isRecord(call) && isRecord(call.tool_call) ? call.tool_call : call))
    : undefined;
  const parts = Array.isArray(contents)
    ? contents.map((part) => (isRecord(part) && isRecord(part.message_content) ? part.message_content : part))
    : undefined;
  return { ...rest, content: content ?? parts ?? null, ...(calls ? { tool_calls: calls } : {}) };
}

function roleOf(message: Fields): string | undefined {
  const { role, type, source } = message;
  if (role === undefined && typeof type === 'string') {
    if (SPOKEN.has(type)) return source === 'user' ? 'user' : 'assistant';
    return CLASSES.get(type);
  }
  if (typeof role !== 'string') return undefined;
  if (Array.isArray(message.parts) && role === 'model') return role;
  const lower = role.toLowerCase();
  return ROLES.get(lower) ?? lower;
}

/** Calls that are not where the reader of messages looks for them. */
function callsBeside(message: Fields): Fields {
  const { additional_kwargs: kwargs, toolCalls } = message;
  const own = jsonList(message.tool_calls);
  if (own.length > 0) {
    // The same call in the words of before and after.
    const once = message.function_call ? { function_call: null } : {};
    return own === message.tool_calls && !own.some(isOddCall) ? once : { ...once, tool_calls: own.map(plainCall) };
  }
  const inKwargs = isRecord(kwargs) ? jsonList(kwargs.tool_calls) : [];
  if (inKwargs.length > 0) return { tool_calls: inKwargs.map(plainCall) };
  if (isRecord(kwargs) && isRecord(kwargs.function_call) && !message.function_call) {
    return { function_call: kwargs.function_call };
  }
  const beside = jsonList(toolCalls);
  if (beside.some((call) => isRecord(call) && isRecord(call.function))) return { tool_calls: beside, toolCalls: null };
  return typeof message.tool_calls === 'string' ? { tool_calls: null } : {};
}

function jsonList(value: unknown): unknown[] {
  const list = typeof value === 'string' ? jsonOrUndefined(value) : value;
  return Array.isArray(list) ? list : [];
}

function isOddCall(call: unknown): boolean {
  if (!isRecord(call)) return false;
  return isRecord(call.tool_call) || 'toolName' in call || 'tool_name' in call || !isPlainId(call.id);
}

function isPlainId(id: unknown): boolean {
  return id === undefined || id === null || typeof id === 'string';
}

function plainCall(given: unknown): unknown {
  const call = isRecord(given) && isRecord(given.tool_call) ? given.tool_call : given;
  if (!isRecord(call)) return call;
  const id = call.id ?? call.toolCallId ?? call.tool_call_id;
  const name = call.name ?? call.toolName ?? call.tool_name;
  const args = call.arguments ?? call.args ?? call.input ?? call.tool_kwargs;
  const inner = isRecord(call.function) ? { function: call.function } : { name, arguments: args };
  return { ...inner, id: isPlainId(id) ? id : JSON.stringify(id) };
}

/** The tools that a model may call are recorded as messages of the role tool. */
function isToolDefinition(content: unknown): boolean {
  return isRecord(content) && content.type === 'function' && isRecord(content.function);
}

/** What a tool returned, in the words of AutoGen. */
function isExecution(part: unknown): part is Fields {
  return isRecord(part) && typeof part.call_id === 'string' && 'content' in part;
}

/** The content as a text or as parts that the reader of messages knows. */
function withContent(message: Fields, role: string | undefined): Fields {
  const content = message.content ?? message.blocks;
  const blocks = typeof content === 'string' ? blocksInText(content) : undefined;
  const list = blocks ?? (Array.isArray(content) ? content : undefined);
  if (list === undefined) {
    const isText = !isRecord(content) || Array.isArray(content.parts) || role === 'tool';
    return isText ? message : { ...message, content: textOfRecord(content) };
  }
  const { parts, calls } = foreignParts(list);
  if (parts === list && calls.length === 0) return blocks ? { ...message, content: parts } : message;
  const results = role === 'tool' && parts.some((part) => isRecord(part) && 'toolResult' in part);
  return {
    ...message,
    ...(results ? { role: 'user' } : {}),
    content: parts.length === 0 ? null : parts,
    ...(calls.length > 0 ? { tool_calls: [...jsonList(message.tool_calls), ...calls] } : {}),
  };
}

const BLOCK_FIELDS = ['toolUse', 'toolResult', 'reasoningContent', 'tool_use_id', 'tool_call'];

/** Strands records the blocks of a message as JSON. */
function blocksInText(content: string): unknown[] | undefined {
  if (!/^\s*\[\s*\{/.test(content)) return undefined;
  const list = jsonOrUndefined(content);
  if (!Array.isArray(list) || !list.every(isRecord)) return undefined;
  const isBlock = (part: Fields): boolean =>
    BLOCK_FIELDS.some((field) => field in part) || (typeof part.text === 'string' && Object.keys(part).length === 1);
  return list.every(isBlock) ? list : undefined;
}

/** The parts of a message that the reader of messages knows, and the calls that were among them. */
interface ForeignParts {
  parts: unknown[];
  calls: Fields[];
}

/** Parts as libraries write them: LlamaIndex, Haystack, AutoGen, OpenAI's assistants, OpenInference. */
function foreignParts(list: unknown[]): ForeignParts {
  const calls: Fields[] = [];
  let isChanged = false;
  const parts = list.flatMap((part) => {
    if (!isRecord(part)) return [part];
    if (isCallEntry(part)) {
      calls.push(callOf(part));
      isChanged = true;
      return [];
    }
    const known = knownPart(part);
    if (known !== part) isChanged = true;
    return [known];
  });
  return { parts: isChanged ? parts : list, calls };
}

/** A call that is an entry of a list: `{function: {name, arguments}}`, or `{id, name, arguments}` without a type. */
export function isCallEntry(part: unknown): boolean {
  if (!isRecord(part)) return false;
  if (part.type === 'function' && isRecord(part.function)) return 'arguments' in part.function;
  if (part.type === undefined && typeof part.name === 'string' && 'arguments' in part) return true;
  if (part.block_type === 'tool_call' && typeof part.tool_name === 'string') return true;
  if (part.type === undefined && isRecord(part.tool_call)) return typeof part.tool_call.tool_name === 'string';
  const called = part.type === undefined ? (part.functionCall ?? part.function_call) : undefined;
  return isRecord(called) && typeof called.name === 'string';
}

function callOf(part: Fields): Fields {
  if (isRecord(part.function)) return part;
  const called = part.functionCall ?? part.function_call;
  if (isRecord(called)) return { id: called.id, name: called.name, arguments: called.args ?? called.arguments };
  const inner = isRecord(part.tool_call) ? part.tool_call : part;
  return {
    id: inner.id ?? inner.tool_call_id,
    name: inner.name ?? inner.tool_name,
    arguments: inner.arguments ?? inner.tool_kwargs,
  };
}

function knownPart(part: Fields): unknown {
  const { type, block_type, text } = part;
  if (type === 'text' && isRecord(text)) return { ...part, text: textOfRecord(text) };
  if (type === 'text' && text === undefined && typeof part.content === 'string') {
    return { type, text: part.content };
  }
  if (block_type === 'text') return { type: 'text', text: typeof text === 'string' ? text : '' };
  if (block_type === 'thinking') return { type: 'reasoning', text: part.content };
  if (typeof block_type === 'string') return { type: 'image', url: part.url };
  if (type === 'image' && isRecord(part.image)) return { ...part, ...part.image };
  if (isRecord(part.tool_call_result)) {
    const { result, origin, error } = part.tool_call_result;
    const id = isRecord(origin) ? origin.id : undefined;
    return { type: 'tool_result', tool_use_id: id, content: result, is_error: error === true };
  }
  const response = type === undefined ? (part.functionResponse ?? part.function_response) : undefined;
  if (isRecord(response))
    return { type: 'tool_result', tool_use_id: response.id, content: JSON.stringify(response.response) };
  return part;
}

/** `{value: "text"}` of OpenAI's assistants; any other object is shown as JSON, as the answer of a model in JSON mode is. */
function textOfRecord(given: Fields): string {
  if (typeof given.value === 'string') return given.value;
  if (typeof given.text === 'string' && Object.keys(given).length === 1) return given.text;
  return JSON.stringify(given);
}
