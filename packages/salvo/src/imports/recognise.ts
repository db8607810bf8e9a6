import { SalvoError } from '../text/errors/salvo-error.ts';
import { isRecord } from '../text/json/is-record.ts';
import { quoteOutput } from '../text/output/quote-output.ts';
import { suggestion } from '../text/words/did-you-mean.ts';
import { kindOfValue } from '../text/words/value-words.ts';
import { Conversation } from '../trace/forms/conversation.ts';
import { readMessage } from '../trace/forms/read-messages.ts';
import { conversationFormat } from './formats/conversation.ts';
import { messageListFormat } from './formats/message-list.ts';
import { FORMATS } from './formats.ts';
import type { ImportFormat } from './import-format.ts';

/** The format of a record by its content; null if no format has it. */
export function recognise(value: unknown): ImportFormat | null {
  return FORMATS.find((format) => recognises(format, value)) ?? null;
}

/** A record of others may be of any shape: what a format fails on is not of its form. */
function recognises(format: ImportFormat, value: unknown): boolean {
  try {
    return format.recognises(value);
  } catch {
    return false;
  }
}

/** The format that `--format` names. */
export function formatNamed(name: string): ImportFormat {
  const format = FORMATS.find((each) => each.name === name);
  if (format) return format;
  const names = FORMATS.map((each) => each.name);
  throw new SalvoError(
    'IMPORT_FORMAT_UNKNOWN',
    `There is no format "${quoteOutput(name, { length: 60 })}": ${suggestion(name, names, `use one of ${names.join(', ')}.`)}`,
  );
}

/** Whether a record is a message and no conversation: then all of its file are one conversation. */
export function isMessage(value: unknown): boolean {
  if (!isRecord(value) || recognise(value) !== conversationFormat) return false;
  if ('messages' in value || 'choices' in value) return false;
  try {
    readMessage(value, new Conversation('call'), 'messages[0]');
    return true;
  } catch {
    return false;
  }
}

const CONTAINERS = [
  ...['data', 'items', 'traces', 'conversations', 'results', 'rows', 'records', 'sessions', 'samples', 'examples'],
] as const;

/** The conversations in an object that is none itself, such as the page of a list; null if it has none. */
export function containedRecords(value: unknown): unknown[] | null {
  if (!isRecord(value)) return null;
  for (const name of CONTAINERS) {
    const list = value[name];
    if (!Array.isArray(list) || list.length === 0 || !list.every((each) => isRecord(each) || Array.isArray(each)))
      continue;
    if (!isMessage(list[0]) && recognise(list[0]) !== messageListFormat) return list;
  }
  return null;
}

const MOST_NAMES = 12;

/** What a record looks like, for the reader of a message that no format has it. */
export function describeRecord(value: unknown): string {
  if (!isRecord(value)) return kindOfValue(value);
  const names = Object.keys(value);
  const listed = names.slice(0, MOST_NAMES).map((name) => quoteOutput(name, { length: 40 }));
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : '';
  return names.length === 0 ? 'an empty object' : `an object with ${listed.join(', ')}${more}`;
}

/** Whether a record says anything: blank ones do not tell the format of a file. */
export function saysSomething(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return isRecord(value) && Object.keys(value).length > 0;
}
