import { createHash } from 'node:crypto';
import type { TapedRequest } from '../../adapters/observe/observation.ts';
import { isRecord } from '../../text/json/is-record.ts';
import { isNestedTooDeeply } from '../../text/json/nesting.ts';
import type { CassetteRequest } from './cassette-document.ts';

type Json = Record<string, unknown>;

/** Who asks, for bills, caches and the detection of abuse. No answer depends on it, and many SDKs send another one each time. */
const ABOUT_THE_CALLER: ReadonlySet<string> = new Set(['metadata', 'user', 'safety_identifier', 'prompt_cache_key']);
const PROMPTS: ReadonlySet<string> = new Set(['system', 'instructions', 'systemInstruction', 'system_instruction']);
const LISTS = ['messages', 'contents', 'input'];
const SECRET_PARAMETER = /key|token|secret|sig|auth|pass|cred/i;

/**
 * A request of an agent in the form in which a cassette has all requests. Without headers, because keys are there. The
 * system prompt is the first message, so that it stands once in the file.
 */
export function exchangeRequest({ target, method, path, json, body }: TapedRequest): CassetteRequest {
  const { pathname, searchParams } = new URL(path, 'http://recorder');
  const query = Object.fromEntries([...searchParams].filter(([name]) => !SECRET_PARAMETER.test(name)));
  const place = { api: target.provider, method, path: pathname, query };
  // A line of the file has some levels more.
  if (json === null || isNestedTooDeeply([[[[json]]]])) {
    const hash = body.length === 0 ? {} : { body_sha256: sha256(body) };
    return { settings: { ...place, ...hash }, messages: [], tools: [] };
  }
  const list = LISTS.find((name) => Array.isArray(json[name])) ?? '';
  const isTools = (name: string) => name === 'tools' && Array.isArray(json.tools);
  const fields = Object.entries(json).filter(
    ([name]) => name !== list && !isTools(name) && !ABOUT_THE_CALLER.has(name),
  );
  const prompt = fields.filter(([name]) => PROMPTS.has(name));
  const messages = withNumberedCalls(listOf(json[list])).map(withoutFileContent);
  return {
    settings: { ...place, body: Object.fromEntries(fields.filter(([name]) => !PROMPTS.has(name))) },
    messages: prompt.length === 0 ? messages : [Object.fromEntries(prompt), ...messages],
    tools: listOf(json.tools),
  };
}

function sha256(content: Buffer | string): string {
  return createHash('sha256').update(content).digest('hex');
}

const LONG = 2000;
const BASE64 = /^(?:data:[^,]{0,200};base64,)?[\w+/=-]+$/;

/** Images and files are known by their hash. Their content would only make the cassette large. */
function withoutFileContent(message: unknown): unknown {
  const isContent = (value: unknown) => typeof value === 'string' && value.length > LONG && BASE64.test(value);
  return JSON.parse(
    JSON.stringify(message, (_, value) => (isContent(value) ? `[FILE sha256 ${sha256(value)}]` : value)),
  );
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/**
 * Messages in which tool calls are numbered in their order. Ids of providers are replayed, but some SDKs make ids of their own,
 * which are others in each run. Only ids of calls are replaced: one in the arguments of a tool is a part of what is asked.
 */
function withNumberedCalls(messages: readonly unknown[]): unknown[] {
  const numbers = new Map<string, string>();
  const numberOf = (id: string): string => {
    const number = numbers.get(id) ?? `call ${numbers.size + 1}`;
    numbers.set(id, number);
    return number;
  };
  const numbered = (value: unknown, ...names: string[]): unknown => {
    if (!isRecord(value)) return value;
    const ids = names.flatMap((name) => (typeof value[name] === 'string' ? [[name, numberOf(value[name])]] : []));
    return { ...value, ...Object.fromEntries(ids) };
  };
  const inList = (message: Json, name: string, change: (part: unknown) => unknown): Json => {
    const list = message[name];
    return Array.isArray(list) ? { [name]: list.map(change) } : {};
  };
  const blockOf = (block: unknown): unknown =>
    numbered(block, 'tool_use_id', ...(isRecord(block) && block.type === 'tool_use' ? ['id'] : []));
  const partOf = (part: unknown): unknown => {
    if (!isRecord(part)) return part;
    const names = ['functionCall', 'functionResponse'].filter((name) => isRecord(part[name]));
    return { ...part, ...Object.fromEntries(names.map((name) => [name, numbered(part[name], 'id')])) };
  };
  return messages.map((message) =>
    isRecord(message)
      ? {
          ...Object(numbered(message, 'tool_call_id', 'call_id')),
          ...inList(message, 'tool_calls', (call) => numbered(call, 'id')),
          ...inList(message, 'content', blockOf),
          ...inList(message, 'parts', partOf),
        }
      : message,
  );
}
