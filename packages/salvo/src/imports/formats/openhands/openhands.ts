import { isRecord } from '../../../text/json/is-record.ts';
import { FormError } from '../../../trace/forms/form-error.ts';
import type { FileRecord, GivenOutcome, ImportedConversation, ImportFormat } from '../../import-format.ts';
import { fieldsWithout, listIn, recordIn, textOf } from '../record-fields.ts';
import { eachRecord, firstRecord } from '../session/session-log.ts';
import { EventStream } from './event-stream.ts';

type Fields = Record<string, unknown>;

/** The events of a conversation of OpenHands, also those of its SDK. */
export const openHandsFormat: ImportFormat = {
  name: 'openhands',
  title: 'OpenHands events',
  unit: 'file',
  recognises: (value) => {
    const first = firstRecord(value);
    return first !== null && isEvent(first);
  },
  *read(records) {
    const stream = new EventStream(records[0]?.line ?? 1);
    for (const event of eachRecord(records)) stream.read(event);
    const conversation = stream.finish();
    if (conversation) yield conversation;
  },
};

/** What an evaluation of OpenHands writes for each task: the events, what they took, and whether the task was solved. */
export const openHandsOutputFormat: ImportFormat = {
  name: 'openhands-output',
  title: 'OpenHands evaluations',
  unit: 'record',
  recognises: (value) => isRecord(value) && typeof value.instance_id === 'string' && isHistory(value.history),
  *read(records) {
    for (const { value, line } of records) {
      if (!isRecord(value)) throw new FormError('it', 'is no row of an evaluation, which is an object');
      const conversation = readRow(value, line);
      if (conversation) yield conversation;
    }
  },
};

function isEvent(value: Fields): boolean {
  if (typeof value.kind === 'string') {
    return 'source' in value && 'timestamp' in value && /^[A-Z][A-Za-z]+$/.test(value.kind);
  }
  const isStep = typeof value.action === 'string' || typeof value.observation === 'string';
  return isStep && 'source' in value && ('args' in value || 'extras' in value || 'content' in value);
}

function isHistory(history: unknown): boolean {
  if (!Array.isArray(history)) return false;
  const [first] = history;
  const event = firstRecord(first);
  return first === undefined || (event !== null && isEvent(event));
}

const EVENTS: ReadonlySet<string> = new Set(['history']);
const KNOWN: ReadonlySet<string> = new Set([
  ...[...EVENTS, 'instance_id', 'instance', 'test_result', 'instruction', 'metadata', 'metrics', 'error', 'report'],
  'resolved',
]);

function readRow(row: Fields, line: number): ImportedConversation | null {
  const stream = new EventStream(line, 'history');
  for (const record of eachStep(listIn(row, 'history'), line)) stream.read(record);
  const id = textOf(row, 'instance_id');
  const metadata = recordIn(row, 'metadata');
  const model = textOf(recordIn(metadata, 'llm_config'), 'model') ?? textOf(recordIn(metadata, 'llm'), 'model');
  const read = stream.finish({ id, model, metrics: recordIn(row, 'metrics'), error: textOf(row, 'error') });
  return (
    read && {
      ...read,
      suite: textOf(metadata, 'dataset'),
      case: id,
      given: givenOf(row),
      fields: { ...fieldsWithout(row, EVENTS), ...read.fields },
      aside: { ...read.aside, ...fieldsWithout(row, KNOWN) },
    }
  );
}

/** The first versions have pairs of an action and what was observed. */
function* eachStep(history: readonly unknown[], line: number): Generator<FileRecord> {
  for (const step of history) yield* eachRecord([{ value: step, line }]);
}

function givenOf(row: Fields): GivenOutcome | null {
  const result = recordIn(row, 'test_result');
  const places = [recordIn(result, 'report'), recordIn(row, 'report'), result, row];
  const resolved = places.map((place) => place.resolved).find((value) => typeof value === 'boolean');
  return typeof resolved === 'boolean' ? { passed: resolved, reward: null, scores: {} } : null;
}
