import { isRecord } from '../../text/json/is-record.ts';
import { parseJson } from '../../text/json/json-in-text.ts';
import { textOf } from './record-fields.ts';

const ROLES: ReadonlyMap<unknown, string> = new Map([
  ...['human', 'user'].map((from) => [from, 'user'] as const),
  ...['gpt', 'assistant', 'chatgpt', 'bard', 'bing', 'model', 'function_call'].map(
    (from) => [from, 'assistant'] as const,
  ),
  ...['observation', 'tool', 'function_response', 'function'].map((from) => [from, 'tool'] as const),
  ['system', 'system'],
]);

/** The turns of a conversation in ShareGPT's form: `{from, value}`. */
export function shareGptTurns(record: Record<string, unknown>): readonly unknown[] | undefined {
  const turns = [record.conversations, record.conversation].find((list) => Array.isArray(list));
  return turns?.some((turn) => isRecord(turn) && 'from' in turn && 'value' in turn) ? turns : undefined;
}

/** A turn as chat messages. Calls are turns of their own, or marked in the text; results are turns. */
export function shareGptMessage(turn: unknown): unknown {
  if (!isRecord(turn)) return turn;
  const role = ROLES.get(turn.from);
  const { value } = turn;
  // An unknown speaker is refused by its name.
  if (role === undefined || typeof value !== 'string') return { role: turn.from, content: value };
  if (role === 'tool') return { role, name: textOf(turn, 'name'), content: withoutMark(value, 'tool_response') };
  if (role !== 'assistant') return { role, content: value };
  return turn.from === 'function_call' ? callTurn(value) : withMarkedCalls(value);
}

function callTurn(value: string): unknown {
  const parsed = parseJson(value.trim());
  const calls = (Array.isArray(parsed) ? parsed : [parsed]).map(callOf);
  return {
    role: 'assistant',
    content: null,
    tool_calls: calls.every(isRecord) ? calls : [{ name: 'unknown', raw_arguments: value }],
  };
}

function callOf(call: unknown): unknown {
  if (!isRecord(call)) return undefined;
  const name = textOf(call, 'name');
  return name === null ? undefined : { id: textOf(call, 'id'), name, arguments: call.arguments ?? call.parameters };
}

const OPEN = '<tool_call>';
const CLOSE = '</tool_call>';

/** Models that were trained on Hermes' form mark their calls in the text. */
function withMarkedCalls(value: string): unknown {
  const texts: string[] = [];
  const calls: unknown[] = [];
  let at = 0;
  for (let start = value.indexOf(OPEN); start !== -1; start = value.indexOf(OPEN, at)) {
    const end = value.indexOf(CLOSE, start);
    const call = end === -1 ? undefined : callOf(parseJson(value.slice(start + OPEN.length, end).trim()));
    const next = end === -1 ? value.length : end + CLOSE.length;
    texts.push(value.slice(at, call === undefined ? next : start));
    if (call !== undefined) calls.push(call);
    at = next;
  }
  texts.push(value.slice(at));
  if (calls.length === 0) return { role: 'assistant', content: value };
  const content = texts.join('').trim();
  return { role: 'assistant', content: content === '' ? null : content, tool_calls: calls };
}

function withoutMark(value: string, name: string): string {
  const text = value.trim();
  const [open, close] = [`<${name}>`, `</${name}>`];
  const isMarked = text.startsWith(open) && text.endsWith(close) && text.indexOf(open, 1) === -1;
  return isMarked ? text.slice(open.length, -close.length).trim() : value;
}
