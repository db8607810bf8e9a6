import { isRecord } from '../../../text/json/is-record.ts';
import type { FileRecord, ImportedConversation, ImportFormat } from '../../import-format.ts';
import { eachRecord, firstRecord } from '../session/session-log.ts';
import { ClaudeSession } from './claude-session.ts';
import { type SessionLine, sessionLine } from './session-line.ts';

/** Session files of Claude Code and of its sub-agents, and the messages of the Claude Agent SDK in a file. */
export const claudeCodeFormat: ImportFormat = {
  name: 'claude-code',
  title: 'Claude Code sessions',
  unit: 'file',
  recognises: (value) => {
    const first = firstRecord(value);
    return first !== null && isSessionLine(first);
  },
  *read(records) {
    const conversation = readSession(records);
    if (conversation) yield conversation;
  },
};

const LINE_TYPE = /^[a-z][a-z_-]*$/;

function isSessionLine(value: Record<string, unknown>): boolean {
  const { type, message } = value;
  if (typeof type !== 'string' || !LINE_TYPE.test(type)) return false;
  if (type === 'summary') return typeof value.summary === 'string' && 'leafUuid' in value;
  if (type === 'file-history-snapshot') return isRecord(value.snapshot);
  const hasIds = [value.sessionId, value.session_id, value.uuid].some((id) => typeof id === 'string');
  if (type === 'user' || type === 'assistant') return isRecord(message) && (hasIds || 'parentUuid' in value);
  if (type === 'system' || type === 'result')
    return hasIds && (typeof value.subtype === 'string' || 'content' in value);
  return typeof value.sessionId === 'string';
}

function readSession(records: readonly FileRecord[]): ImportedConversation | null {
  const session = new ClaudeSession();
  const lines: SessionLine[] = [];
  for (const { value, line } of eachRecord(records)) {
    if (isRecord(value)) lines.push(sessionLine({ value, line }));
    else session.log.lose({ line, place: 'it' }, 'is no object');
  }
  session.read(lines);
  return session.finish();
}
