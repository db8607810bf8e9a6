import { isRecord } from '../../../text/json/is-record.ts';
import { readChatMessage } from '../../../trace/forms/chat-message.ts';
import type { FileRecord, ImportedConversation, ImportFormat } from '../../import-format.ts';
import { listIn, textOf } from '../record-fields.ts';
import { timeOf } from '../session/session-clock.ts';
import { eachRecord, firstRecord, SessionLog } from '../session/session-log.ts';
import { isChangeLog, replayChanges } from './change-log.ts';
import { isChatSession, readChatSession } from './chat-session.ts';
import { CopilotSession } from './copilot-session.ts';

/** Sessions of GitHub's Copilot: event files of its command line, and chats of VS Code. */
export const copilotFormat: ImportFormat = {
  name: 'copilot',
  title: 'GitHub Copilot sessions',
  unit: 'file',
  recognises: (value) => {
    const first = firstRecord(value);
    return first !== null && (isEvent(first) || isChatSession(first) || isChangeLog(first) || isTimeline(first));
  },
  *read(records) {
    const all = [...eachRecord(records)];
    const first = all.find(({ value }) => isRecord(value))?.value;
    if (!isRecord(first) || isEvent(first)) yield* known(readEvents(all));
    else if (isChangeLog(first)) {
      const log = new SessionLog();
      yield* known(readChatSession(replayChanges(all, log), { log, line: all[0]?.line ?? 1 }));
    } else {
      for (const { value, line } of all) {
        if (!isRecord(value)) continue;
        const log = new SessionLog();
        yield* known(isTimeline(value) ? readTimeline(value, line) : readChatSession(value, { log, line }));
      }
    }
  },
};

const EVENT_TYPE =
  /^(?:abort|(?:session|user|assistant|tool|system|hook|permission|subagent|skill|command|model|mcp|external_tool)\.[a-z_.]+)$/;

function isEvent({ type, data }: Record<string, unknown>): boolean {
  return typeof type === 'string' && EVENT_TYPE.test(type) && isRecord(data);
}

/** A session of the first versions of the command line. */
function isTimeline({ chatMessages, timeline }: Record<string, unknown>): boolean {
  return Array.isArray(chatMessages) && Array.isArray(timeline);
}

function readEvents(records: readonly FileRecord[]): ImportedConversation | null {
  const session = new CopilotSession();
  session.read(records);
  return session.finish(records[0]?.line ?? 1);
}

function readTimeline(value: Record<string, unknown>, line: number): ImportedConversation | null {
  const log = new SessionLog();
  log.clock.seen(timeOf(value.startTime));
  for (const [index, message] of listIn(value, 'chatMessages').entries()) {
    const place = `chatMessages[${index}]`;
    log.attempt({ line, place }, () => readChatMessage(isRecord(message) ? message : {}, log.conversation, place));
  }
  return log.finish({ line, id: textOf(value, 'sessionId'), fields: { startTime: value.startTime } });
}

function* known(conversation: ImportedConversation | null): Generator<ImportedConversation> {
  if (conversation) yield conversation;
}
