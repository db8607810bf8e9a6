import { isRecord } from '../../../text/json/is-record.ts';
import type { FileRecord, ImportedConversation, ImportFormat } from '../../import-format.ts';
import { amountOf, recordIn, textOf } from '../record-fields.ts';
import { eachRecord, firstRecord } from '../session/session-log.ts';
import { CodexSession } from './codex-session.ts';
import { isExecEvent, readExecStream } from './exec-stream.ts';
import type { RolloutLine } from './rollout-line.ts';

const LINE_TYPES: ReadonlySet<unknown> = new Set([
  ...['session_meta', 'turn_context', 'response_item', 'event_msg', 'compacted'],
]);

/** Rollout files of the Codex CLI, also those of its first versions, and what `codex exec --json` prints. */
export const codexFormat: ImportFormat = {
  name: 'codex',
  title: 'Codex sessions',
  unit: 'file',
  recognises: (value) => {
    const first = firstRecord(value);
    return first !== null && (isLine(first) || isHeader(first) || isDocument(first) || isExecEvent(first));
  },
  *read(records) {
    const all = [...eachRecord(records)];
    const isStream = all.some(({ value }) => isRecord(value) && isExecEvent(value));
    const conversation = isStream ? readExecStream(all) : readRollout(all);
    if (conversation) yield conversation;
  },
};

function readRollout(records: readonly FileRecord[]): ImportedConversation | null {
  const session = new CodexSession();
  const lines: RolloutLine[] = [];
  for (const { value, line } of records) {
    if (!isRecord(value)) session.log.lose({ line, place: 'it' }, 'is no object');
    else for (const read of linesOf(value, line)) lines.push(read);
  }
  session.read(lines);
  return session.finish();
}

function isLine(value: Record<string, unknown>): boolean {
  return LINE_TYPES.has(value.type) && (isRecord(value.payload) || isRecord(value.item));
}

/** The first line of a file of the first versions, whose other lines are items. */
function isHeader(value: Record<string, unknown>): boolean {
  const { id, timestamp, type } = value;
  return type === undefined && typeof id === 'string' && typeof timestamp === 'string' && 'instructions' in value;
}

/** A session of the command line in TypeScript, which is one document. */
function isDocument({ session, items }: Record<string, unknown>): boolean {
  return isRecord(session) && typeof session.id === 'string' && Array.isArray(items);
}

function* linesOf(value: Record<string, unknown>, line: number): Generator<RolloutLine> {
  const time = value.timestamp;
  const ordinal = amountOf(value.ordinal);
  if (isDocument(value)) {
    yield {
      line,
      time: recordIn(value, 'session').timestamp,
      type: 'session_meta',
      payload: recordIn(value, 'session'),
      ordinal,
    };
    for (const item of Array.isArray(value.items) ? value.items : []) {
      if (isRecord(item)) yield { line, time: undefined, type: 'response_item', payload: item, ordinal };
    }
  } else if (isHeader(value)) yield { line, time, type: 'session_meta', payload: value, ordinal };
  else if (isRecord(value.payload) || isRecord(value.item)) {
    const payload = isRecord(value.payload) ? value.payload : recordIn(value, 'item');
    yield { line, time, type: textOf(value, 'type') ?? '', payload, ordinal };
  } else if (typeof value.record_type === 'string') yield { line, time, type: value.record_type, payload: {}, ordinal };
  else yield { line, time, type: 'response_item', payload: value, ordinal };
}
