import { isRecord } from '../../../text/json/is-record.ts';
import { parsed } from './recorded-messages.ts';

type Fields = Record<string, unknown>;

/** More of a record is not looked through: the state of a graph may hold documents. */
const MOST_VALUES = 20_000;
const LANGCHAIN: ReadonlySet<unknown> = new Set(['human', 'ai', 'system', 'tool', 'HumanMessage', 'AIMessage']);

/**
 * The messages somewhere in what a step was given or returned: in the state of a graph, in the arguments of a function, in
 * the answer of a provider. The ones nearest to the surface are taken. Undefined if there are none.
 */
export function findMessages(given: unknown): unknown[] | undefined {
  const queue: unknown[] = [given];
  for (let at = 0; at < queue.length && at < MOST_VALUES; at += 1) {
    const value = parsed(queue[at], 'value');
    const found = Array.isArray(value) ? messageList(value) : isRecord(value) ? messagesOf(value) : undefined;
    if (found) return found;
    if (typeof value !== 'object' || value === null) continue;
    for (const inner of Object.values(value)) {
      const isText = typeof inner === 'string' && /^\s*[[{]/.test(inner);
      if (isText || (typeof inner === 'object' && inner !== null)) queue.push(inner);
      if (queue.length > MOST_VALUES) break;
    }
  }
  return undefined;
}

function messageList(list: unknown[]): unknown[] | undefined {
  return list.some(isMessage) && list.every((entry) => isRecord(entry) || typeof entry === 'string') ? list : undefined;
}

function isMessage(entry: unknown): boolean {
  if (!isRecord(entry)) return false;
  if (entry.lc !== undefined && isRecord(entry.kwargs) && 'content' in entry.kwargs) return true;
  if (LANGCHAIN.has(entry.type) && 'content' in entry) return true;
  if (entry.type === 'function_call' || entry.type === 'function_call_output') return true;
  if (typeof (entry.role ?? entry._role) !== 'string') return false;
  return ['content', '_content', 'parts', 'tool_calls', 'text', 'blocks'].some((field) => field in entry);
}

/** One message, or the answer of a provider or an SDK. */
function messagesOf(value: Fields): unknown[] | undefined {
  if (isMessage(value)) return [value];
  const [choice] = listOf(value.choices);
  if (isRecord(choice)) return [choice.message ?? choice.delta ?? { role: 'assistant', content: choice.text }];
  const [candidate] = listOf(value.candidates);
  if (isRecord(candidate) && isRecord(candidate.content)) return [{ role: 'model', ...candidate.content }];
  const [generation] = listOf(value.generations).flat();
  if (isRecord(generation) && isRecord(generation.message)) return [generation.message];
  const { content, text } = value;
  const calls = [value.tool_calls, value.toolCalls].map(listOf).find((list) => list.length > 0);
  if (calls) {
    const said =
      typeof content === 'string' || Array.isArray(content) ? content : typeof text === 'string' ? text : null;
    return [{ role: 'assistant', content: said, tool_calls: calls }];
  }
  const called = value.function_call ?? value.functionCall;
  if (isRecord(called) && typeof called.name === 'string') {
    const { name } = called;
    return [{ role: 'assistant', content: null, tool_calls: [{ name, arguments: called.arguments ?? called.args }] }];
  }
  const isBlocks = (part: unknown): boolean =>
    isRecord(part) &&
    ['toolUse', 'toolResult', 'tool_use', 'tool_call'].some((kind) => kind in part || part.type === kind);
  return listOf(content).some(isBlocks) ? [{ role: 'assistant', content }] : undefined;
}

function listOf(value: unknown): unknown[] {
  const list = parsed(value, 'value');
  return Array.isArray(list) ? list : [];
}
