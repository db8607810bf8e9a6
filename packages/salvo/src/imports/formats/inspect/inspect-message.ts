import { isRecord } from '../../../text/json/is-record.ts';
import { mapEntries, mapList } from '../../../text/json/map-json.ts';
import type { Conversation } from '../../../trace/forms/conversation.ts';
import { readMessage } from '../../../trace/forms/read-messages.ts';
import { toolErrorText, toolOutput } from '../../../trace/forms/tool-output.ts';
import { listIn, recordIn, textOf } from '../record-fields.ts';

type Fields = Record<string, unknown>;

/** Reads a message of Inspect: calls have the name of their tool in `function`, and media are in fields of their own name. */
export function readInspectMessage(message: unknown, into: Conversation, place: string): void {
  if (!isRecord(message)) readMessage(message, into, place);
  else if (message.role === 'tool') readToolMessage(message, into);
  else if (message.role === 'assistant') {
    const tool_calls = listIn(message, 'tool_calls').map(plainCall);
    readMessage({ ...withPlainParts(message), tool_calls }, into, place);
    into.by(message.model);
  } else readMessage(withPlainParts(message), into, place);
}

function readToolMessage(message: Fields, into: Conversation): void {
  const { error, tool_error } = message;
  const failure = error ?? tool_error;
  const isFailed = failure !== null && failure !== undefined;
  const output = toolOutput(withPlainParts(message).content);
  into.result({
    id: textOf(message, 'tool_call_id'),
    name: textOf(message, 'function'),
    ...output,
    content: output.content === '' && isFailed ? toolErrorText(failure) : output.content,
    is_error: isFailed,
    refused: recordIn(message, 'error').type === 'approval',
  });
}

function plainCall(call: unknown): unknown {
  if (!isRecord(call) || typeof call.function !== 'string') return call;
  return { id: textOf(call, 'id'), name: call.function, arguments: call.arguments };
}

function withPlainParts(message: Fields): Fields {
  const { content } = message;
  return Array.isArray(content) ? { ...message, content: content.flatMap(plainPart) } : message;
}

function plainPart(part: unknown): unknown[] {
  if (!isRecord(part)) return [part];
  const { type } = part;
  if (type === 'reasoning') return [{ type, text: thoughtOf(part) }];
  if (type === 'audio') return [{ type: 'input_audio', data: part.audio }];
  if (type === 'video') return [{ type, url: part.video }];
  if (type === 'document') return [{ ...part, url: part.document }];
  if (type === 'data') return [{ type: 'custom', kind: 'data' }];
  if (type === 'tool_use') return serverCall(part);
  return [part];
}

/** What a provider has encrypted is no text, but it may have a summary. */
function thoughtOf(part: Fields): string {
  const summary = textOf(part, 'summary');
  if (part.redacted === true) return summary ?? '[redacted reasoning]';
  return textOf(part, 'reasoning') ?? summary ?? '';
}

/** A tool that ran at the provider: its call and its result are one part. */
function serverCall(part: Fields): unknown[] {
  const error = textOf(part, 'error');
  const result = { type: 'tool_result', tool_use_id: part.id, content: error ?? part.result, is_error: error !== null };
  return [{ type: 'tool_use', id: part.id, name: part.name, input: part.arguments }, result];
}

const ATTACHMENT = 'attachment://';

/**
 * A value with the texts that Inspect has moved into the attachments of the sample. `onMissing` is told about those that
 * are not there.
 */
export function withAttachments(value: unknown, attachments: unknown, onMissing: (reference: string) => void): unknown {
  const texts = new Map(isRecord(attachments) || Array.isArray(attachments) ? Object.entries(attachments) : []);
  const resolve = (part: unknown): unknown => {
    if (typeof part === 'string') {
      if (!part.startsWith(ATTACHMENT)) return part;
      const text = texts.get(part.slice(ATTACHMENT.length));
      if (typeof text === 'string') return text;
      onMissing(part);
      return part;
    }
    if (Array.isArray(part)) return mapList(part, resolve);
    return isRecord(part) ? mapEntries(part, (_, inner) => resolve(inner)) : part;
  };
  return resolve(value);
}
