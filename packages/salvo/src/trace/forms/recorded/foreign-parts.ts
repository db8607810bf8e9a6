import { isRecord } from '../../../text/json/is-record.ts';

type Fields = Record<string, unknown>;

/** The parts of a message that the reader of messages knows, and the calls that were among them. */
export interface ForeignParts {
  parts: unknown[];
  calls: Fields[];
}

/** Parts as libraries write them: LlamaIndex, Haystack, AutoGen, OpenAI's assistants, OpenInference. */
export function foreignParts(list: unknown[]): ForeignParts {
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
export function textOfRecord(given: Fields): string {
  if (typeof given.value === 'string') return given.value;
  if (typeof given.text === 'string' && Object.keys(given).length === 1) return given.text;
  return JSON.stringify(given);
}
