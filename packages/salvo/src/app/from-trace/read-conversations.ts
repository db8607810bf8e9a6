import { FORMATS } from '../../imports/formats.ts';
import type { FileRecord, ImportedConversation } from '../../imports/import-format.ts';
import { errorMessage, SalvoError } from '../../text/errors/salvo-error.ts';
import { isRecord } from '../../text/json/is-record.ts';
import { jsonSyntaxError } from '../../text/json/json-syntax-error.ts';
import { bracketsFrom, MAX_NESTING } from '../../text/json/nesting.ts';

/** The conversations of a file, in any form that Salvo reads. `file` is its name in messages. */
export function readConversations(text: string, file: string): ImportedConversation[] {
  const records = recordsOf(text.replace(/^\ufeff/, ''), file);
  const [first] = records;
  if (!first) throw new SalvoError('TRACE_INVALID', `${file} is empty.`);
  const format = FORMATS.find(({ recognises }) => recognises(first.value));
  if (!format) {
    throw new SalvoError('TRACE_INVALID', `${file}:${first.line}: this is no conversation in a form that Salvo knows.`);
  }
  if (format.unit !== 'record') return readAll(() => format.read(records), `${file}:${first.line}`);
  return records.flatMap((record) => readAll(() => format.read([record]), `${file}:${record.line}`));
}

function readAll(read: () => Iterable<ImportedConversation>, place: string): ImportedConversation[] {
  try {
    return [...read()];
  } catch (cause) {
    if (!(cause instanceof SalvoError) && !(cause instanceof Error && cause.name === 'FormError')) throw cause;
    const message = errorMessage(cause).replace(/^The messages are not valid:\s*/, '');
    throw new SalvoError('TRACE_INVALID', `${place}: ${message}`, { cause });
  }
}

/** The whole file, the entries of its list, or its lines. */
function recordsOf(text: string, file: string): FileRecord[] {
  const trimmed = text.trim();
  if (trimmed === '') return [];
  const { end } = bracketsFrom(trimmed, 0);
  if (end === trimmed.length) return entriesOf(parsed(trimmed, `${file}:1`));
  const lines = text.split('\n').map((line, index) => ({ line: line.trim(), number: index + 1 }));
  const written = lines.filter(({ line }) => line !== '');
  const records = written.map(({ line, number }) => ({ value: parsed(line, `${file}:${number}`), line: number }));
  // Lines that are messages are one conversation.
  const isMessages = records.every(({ value }) => isRecord(value) && typeof value.role === 'string' && !value.messages);
  return isMessages ? [{ value: records.map(({ value }) => value), line: 1 }] : records;
}

/** A list of messages is one conversation; a list of anything else has one in each entry. */
function entriesOf(value: unknown): FileRecord[] {
  const isList = Array.isArray(value) && value.length > 0 && value.every(isConversation);
  return isList ? value.map((entry: unknown) => ({ value: entry, line: 1 })) : [{ value, line: 1 }];
}

function isConversation(value: unknown): boolean {
  return Array.isArray(value) || (isRecord(value) && Array.isArray(value.messages));
}

function parsed(text: string, place: string): unknown {
  if (bracketsFrom(text, 0).deepest > MAX_NESTING) {
    throw new SalvoError('TRACE_INVALID', `${place}: nested more than ${MAX_NESTING} levels deep.`);
  }
  const wrong = jsonSyntaxError(text);
  if (!wrong) return JSON.parse(text);
  throw new SalvoError('TRACE_INVALID', `${place}:${wrong.offset + 1}: this is no JSON: ${wrong.message}.`);
}
