import { isRecord } from '../../../text/json/is-record.ts';
import { toolOutput } from '../../../trace/forms/tool-output.ts';
import { recordIn, textOf } from '../record-fields.ts';
import type { SessionLog } from '../session/session-log.ts';
import { itemOfEvent } from './completed-item.ts';
import { readExecItem } from './exec-stream.ts';
import type { RolloutLine } from './rollout-line.ts';

/** Events repeat what is an item of the model as well. Kinds of which a file has no items are read from its events. */
export interface ItemKinds {
  user: boolean;
  assistant: boolean;
  reasoning: boolean;
  calls: boolean;
}

export function itemKinds(lines: readonly RolloutLine[]): ItemKinds {
  const kinds = { user: false, assistant: false, reasoning: false, calls: false };
  for (const { type, payload } of lines) {
    if (type !== 'response_item') continue;
    const kind = String(payload.type);
    if (payload.role === 'user') kinds.user = true;
    else if (payload.role === 'assistant') kinds.assistant = true;
    else if (kind === 'reasoning') kinds.reasoning ||= hasReasoning(payload);
    else if (kind.endsWith('_call')) kinds.calls = true;
  }
  return kinds;
}

/** Whether the thoughts of an item can be read. They may be encrypted. */
export function hasReasoning({ summary, content }: Record<string, unknown>): boolean {
  return [summary, content].some((list) => Array.isArray(list) && list.length > 0);
}

/** Reads an event that says what no item says. False if it is one of those that only repeat or accompany others. */
export function readEvent(event: Record<string, unknown>, log: SessionLog, has: ItemKinds): boolean {
  const { conversation } = log;
  const type = textOf(event, 'type') ?? '';
  const text = textOf(event, 'message', 'text');
  if (type === 'user_message' && !has.user && text !== null) conversation.text('user', text);
  else if (type === 'agent_message' && !has.assistant && text !== null) conversation.item(() => conversation.say(text));
  else if (type.startsWith('agent_reasoning') && !type.endsWith('delta') && !has.reasoning && text !== null) {
    conversation.item(() => conversation.think(text));
  } else if (type === 'item_completed') return readCompleted(event, log, has);
  else if (!has.calls && (type.endsWith('_begin') || type.endsWith('_end'))) return readCallEvent(type, event, log);
  else return false;
  return true;
}

/** Newer versions tell about each item when it is complete. */
function readCompleted(event: Record<string, unknown>, log: SessionLog, has: ItemKinds): boolean {
  const item = itemOfEvent(event);
  if (item === null) return false;
  const { type, text } = item;
  if (type === 'user_message') {
    if (has.user || typeof text !== 'string' || text === '') return false;
    log.conversation.text('user', text);
    return true;
  }
  const isKnown = type === 'agent_message' ? has.assistant : type === 'reasoning' ? has.reasoning : has.calls;
  const isCall = typeof type === 'string' && CALL_ITEMS.has(type);
  return !isKnown && (isCall || type === 'agent_message' || type === 'reasoning') && readExecItem(item, log);
}

const CALL_ITEMS: ReadonlySet<string> = new Set([
  ...['command_execution', 'file_change', 'mcp_tool_call', 'web_search'],
]);

function readCallEvent(type: string, event: Record<string, unknown>, { conversation }: SessionLog): boolean {
  const id = textOf(event, 'call_id');
  const [, name, part] = /^(exec_command|mcp_tool_call|patch_apply)_(begin|end)$/.exec(type) ?? [];
  if (id === null || name === undefined) return false;
  if (part === 'begin') {
    const invocation = recordIn(event, 'invocation');
    const tool = textOf(invocation, 'tool') ?? (name === 'patch_apply' ? 'apply_patch' : 'shell');
    const { call_id: _, type: __, ...given } = event;
    conversation.item(() => conversation.call({ id, name: tool, arguments: invocation.arguments ?? given }));
    return true;
  }
  const failed = event.success === false || (typeof event.exit_code === 'number' && event.exit_code !== 0);
  const { result } = event;
  const printed = textOf(event, 'formatted_output', 'aggregated_output') ?? [event.stdout, event.stderr].join('');
  const given =
    result === undefined ? { content: printed } : toolOutput(isRecord(result) && 'Ok' in result ? result.Ok : result);
  conversation.result({ id, ...given, is_error: failed || (isRecord(result) && 'Err' in result) });
  return true;
}
