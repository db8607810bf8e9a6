import { basename } from 'node:path';
import { isRecord } from '../../../text/json/is-record.ts';
import type { ImportFormat, Loss } from '../../import-format.ts';
import { eachRecord, firstRecord } from '../session/session-log.ts';
import { ClaudeSession } from './claude-session.ts';
import { type SessionLine, sessionLine } from './session-line.ts';
import { sessionsOfFile } from './sessions-of-file.ts';

/** Session files of Claude Code and of its sub-agents, and the messages of the Claude Agent SDK in a file. */
export const claudeCodeFormat: ImportFormat = {
  name: 'claude-code',
  title: 'Claude Code sessions',
  unit: 'file',
  recognises: (value) => {
    const first = firstRecord(value);
    return first !== null && isSessionLine(first);
  },
  companion: (path) => (AGENT_FILE.test(basename(path)) ? path.replace(/\.jsonl$/, '.meta.json') : null),
  *read(records) {
    const lines: SessionLine[] = [];
    const losses: Loss[] = [];
    let about: Record<string, unknown> = {};
    for (const { value, line } of eachRecord(records)) {
      // A file beside that of a sub-agent tells about the agent. It has no lines.
      if (isRecord(value) && line === 0) about = value;
      else if (isRecord(value)) lines.push(sessionLine({ value, line }));
      else losses.push({ line, place: 'it', problem: 'is no object' });
    }
    for (const own of sessionsOfFile(lines)) {
      const session = new ClaudeSession(about);
      session.log.losses.push(...losses.splice(0));
      session.read(own);
      const conversation = session.finish();
      if (conversation) yield conversation;
    }
  },
};

const AGENT_FILE = /^agent-.+\.jsonl$/;
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
