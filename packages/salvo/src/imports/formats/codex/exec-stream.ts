import { isRecord } from '../../../text/json/is-record.ts';
import { toolErrorText, toolOutput } from '../../../trace/forms/tool-output.ts';
import type { Usage } from '../../../trace/forms/usage.ts';
import type { FileRecord, ImportedConversation } from '../../import-format.ts';
import { recordIn, textOf } from '../record-fields.ts';
import { SessionLog } from '../session/session-log.ts';
import { knownUsage, usageOf } from '../session/session-usage.ts';

type Fields = Record<string, unknown>;

/** Whether it is an event that `codex exec --json` prints. */
export function isExecEvent({ type, thread_id, item }: Fields): boolean {
  if (type === 'thread.started') return typeof thread_id === 'string';
  return typeof type === 'string' && type.startsWith('item.') && isRecord(item) && typeof item.id === 'string';
}

/** The conversation that `codex exec --json` prints. It does not say what the user asked. */
export function readExecStream(records: readonly FileRecord[]): ImportedConversation | null {
  const log = new SessionLog();
  const usages: (Usage | null)[] = [];
  let id: string | null = null;
  let error: string | null = null;
  for (const { value, line } of records) {
    if (!isRecord(value)) {
      log.lose({ line, place: 'it' }, 'is no object');
      continue;
    }
    const type = textOf(value, 'type') ?? '';
    if (type === 'item.completed') readExecItem(recordIn(value, 'item'), log);
    else log.leave(type);
    if (type === 'thread.started') id = textOf(value, 'thread_id');
    else if (type === 'turn.completed') usages.push(usageOf(recordIn(value, 'usage'), TOKENS));
    if (type === 'turn.started' || type === 'turn.completed') error = null;
    else if (type === 'turn.failed') error = toolErrorText(value.error);
    else if (type === 'error') error = textOf(value, 'message') ?? 'error';
  }
  return log.finish({ line: records[0]?.line ?? 1, id, facts: { usage: knownUsage(usages), error }, fields: {} });
}

const TOKENS = { input: 'input_tokens', output: 'output_tokens', read: 'cached_input_tokens' };

/** Reads what the agent said, thought or called. False if it is none of these. */
export function readExecItem(item: Fields, log: SessionLog): boolean {
  const { conversation } = log;
  const type = textOf(item, 'type', 'item_type');
  const text = textOf(item, 'text') ?? '';
  const id = textOf(item, 'id');
  if (type === 'agent_message' || type === 'assistant_message') conversation.item(() => conversation.say(text));
  else if (type === 'reasoning' && text !== '') conversation.item(() => conversation.think(text));
  else {
    const call = callOf(type, item);
    if (call === null) {
      log.leave(`item/${type}`);
      return false;
    }
    conversation.item(() => conversation.call({ id, name: call.name, arguments: call.arguments }));
    const failed = item.status === 'failed' || (typeof item.exit_code === 'number' && item.exit_code !== 0);
    const output = isRecord(item.error)
      ? { content: toolErrorText(item.error) }
      : toolOutput(call.output ?? item.status);
    conversation.result({ id, ...output, is_error: failed || isRecord(item.error) });
  }
  return true;
}

interface ItemCall {
  name: string;
  arguments: unknown;
  output: unknown;
}

function callOf(type: string | null, item: Fields): ItemCall | null {
  if (type === 'command_execution') {
    return { name: 'shell', arguments: { command: item.command }, output: item.aggregated_output ?? item.stdout };
  }
  if (type === 'file_change') return { name: 'apply_patch', arguments: { changes: item.changes }, output: undefined };
  if (type === 'web_search') return { name: 'web_search', arguments: { query: item.query }, output: undefined };
  if (type !== 'mcp_tool_call') return null;
  return {
    name: [textOf(item, 'server'), textOf(item, 'tool') ?? 'unknown'].filter((part) => part !== null).join('.'),
    arguments: item.arguments,
    output: isRecord(item.result) ? item.result.content : item.result,
  };
}
