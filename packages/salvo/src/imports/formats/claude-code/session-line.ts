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
  session: string | null;
  /** The line of another session of which this one is a copy. */
  copyOf: string | null;
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
    session: textOf(value, 'sessionId', 'session_id'),
    copyOf: textOf(recordIn(value, 'forkedFrom'), 'messageUuid'),
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
