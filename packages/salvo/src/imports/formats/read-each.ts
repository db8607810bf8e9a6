import { isRecord } from '../../text/json/is-record.ts';
import type { Conversation } from '../../trace/forms/conversation.ts';
import { FormError } from '../../trace/forms/form-error.ts';
import { readMessage } from '../../trace/forms/read-messages.ts';
import type { FileRecord, ImportedConversation, Loss } from '../import-format.ts';

/** Where a conversation is in a file, and what of it could not be kept. */
export interface ReadingPlace {
  line: number;
  /** Where it is in its record, with a dot at the end; empty if it is the record. */
  prefix: string;
  losses: Loss[];
}

export function placeAt(line: number, prefix = ''): ReadingPlace {
  return { line, prefix, losses: [] };
}

/** The records of a file, each of which must be an object. */
export function* eachObject(
  records: Iterable<FileRecord>,
  problem: string,
): Generator<FileRecord & { value: Record<string, unknown> }> {
  for (const { value, line } of records) {
    if (!isRecord(value)) throw new FormError('it', problem);
    yield { value, line };
  }
}

type MessageReader = (message: unknown, into: Conversation, place: string) => void;

/** Reads messages one by one. One that is in no form that Salvo knows is a loss. */
export function readEachMessage(
  messages: readonly unknown[],
  into: Conversation,
  { at, name, read = readMessage }: { at: ReadingPlace; name: string; read?: MessageReader },
): void {
  for (const [index, message] of messages.entries()) {
    try {
      read(message, into, `${at.prefix}${name}[${index}]`);
    } catch (error) {
      if (!(error instanceof FormError)) throw error;
      at.losses.push(lossOf(error, at.line));
    }
  }
}

/** The message of a `FormError` begins with its place. */
export function lossOf({ message }: FormError, line: number): Loss {
  const end = message.indexOf(' ');
  return { line, place: message.slice(0, end).replace(/:$/, ''), problem: message.slice(end + 1) };
}

/**
 * The conversations of a list in a document. One that cannot be read does not keep the others from being read: the error
 * comes after them.
 */
export function* eachConversation(
  list: readonly unknown[],
  name: string,
  read: (element: unknown, place: string) => ImportedConversation,
): Generator<ImportedConversation> {
  let first: FormError | undefined;
  let failed = 0;
  for (const [index, element] of list.entries()) {
    const conversation = readOrError(() => read(element, `${name}[${index}]`));
    if (!(conversation instanceof FormError)) {
      yield conversation;
      continue;
    }
    first ??= conversation;
    failed += 1;
  }
  if (first) throw failed === 1 ? first : new FormError(first.message, `(and ${failed - 1} more of ${list.length})`);
}

function readOrError(read: () => ImportedConversation): ImportedConversation | FormError {
  try {
    return read();
  } catch (error) {
    if (error instanceof FormError) return error;
    throw error;
  }
}
