import { isRecord } from '../../../text/json/is-record.ts';
import type { FileRecord } from '../../import-format.ts';
import { recordIn, textOf } from '../record-fields.ts';

/** A line of a session file of Claude Code, or a message of the Claude Agent SDK. */
export interface SessionLine {
  line: number;
  value: Record<string, unknown>;
  type: string;
  uuid: string | null;
  /** Its place among the lines of the session: its own id, and that of the line before it. */
  node: string | null;
  parent: string | null;
  message: Record<string, unknown>;
  /** The id that all lines of one answer have. */
  messageId: string | null;
  /** Of a sub-agent: what the file calls it, or the call that started it. */
  agent: string | null;
  /** The call that started the sub-agent, where the line says it. */
  agentCall: string | null;
}

export function sessionLine({ value, line }: FileRecord & { value: Record<string, unknown> }): SessionLine {
  const progress = agentProgress(value);
  const own = progress ?? value;
  const message = recordIn(own, 'message');
  const type = typeof own.type === 'string' ? own.type : '';
  const agentCall = textOf(value, 'parent_tool_use_id') ?? (progress ? textOf(value, 'parentToolUseID') : null);
  const isSidechain = own.isSidechain === true || progress !== null;
  return {
    line,
    value: own,
    type,
    uuid: textOf(own, 'uuid'),
    node: textOf(value, 'uuid'),
    parent: textOf(value, 'parentUuid') ?? textOf(value, 'logicalParentUuid'),
    message,
    messageId: type === 'assistant' ? textOf(message, 'id') : null,
    agent: isSidechain ? (textOf(own, 'agentId') ?? agentCall ?? '') : agentCall,
    agentCall,
  };
}

/** What a sub-agent says is reported as the progress of the call that started it, if it has a file of its own. */
function agentProgress(value: Record<string, unknown>): Record<string, unknown> | null {
  if (value.type !== 'progress') return null;
  const data = recordIn(value, 'data');
  const { message, agentId } = data;
  if (data.type !== 'agent_progress' || !isRecord(message) || !isRecord(message.message)) return null;
  return { timestamp: value.timestamp, type: message.message.role, ...message, agentId };
}

/** Whether the user wrote it: neither a result of a tool, nor what the program adds in the user's name. */
export function isPrompt({ type, value, message }: SessionLine): boolean {
  if (type !== 'user' || isAdded(value)) return false;
  const { content } = message;
  if (!Array.isArray(content)) return true;
  return !content.some((part) => isRecord(part) && part.type === 'tool_result');
}

/** Whether the program wrote a message in the user's name. */
export function isAdded({ isMeta, isCompactSummary, isSynthetic, origin }: Record<string, unknown>): boolean {
  if (isMeta === true || isCompactSummary === true || isSynthetic === true) return true;
  return isRecord(origin) && typeof origin.kind === 'string' && origin.kind !== 'human';
}
