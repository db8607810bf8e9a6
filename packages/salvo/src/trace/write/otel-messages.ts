import { mediaKind } from '../files/media-type.ts';
import { textWithMarkers } from '../files/message-file.ts';
import type { AssistantMessage, Message, MessageFile } from '../message.ts';

/** A message of OpenTelemetry's conventions for generative AI: `gen_ai.input.messages`, `gen_ai.output.messages`. */
export interface OtelMessage {
  role: 'system' | 'user' | 'assistant' | 'tool';
  parts: OtelPart[];
  /** Which agent wrote it. */
  name?: string;
}

type OtelPart =
  | { type: 'text' | 'reasoning'; content: string }
  | { type: 'tool_call'; id: string; name: string; arguments: unknown }
  | { type: 'tool_call_response'; id: string; response: unknown }
  | { type: 'blob'; mime_type: string; modality: string; content: string }
  | { type: 'uri'; mime_type: string; modality: string; uri: string }
  | { type: 'file'; mime_type: string; modality: string; file_id: string };

/** The messages in the form of the conventions. `imports/formats/salvo-otel.ts` reads what this writes. */
export function otelMessages(messages: readonly Message[]): OtelMessage[] {
  return messages.map(otelMessage);
}

function otelMessage(message: Message): OtelMessage {
  const { role } = message;
  if (role === 'system') return { role, parts: textParts(message.content) };
  if (role === 'user') return { role, parts: [...textParts(message.content), ...fileParts(message.files)] };
  if (role === 'assistant') return answer(message);
  // A message with results has no other parts, so files are named in the text.
  const content = textWithMarkers(message);
  const response = message.is_error ? { error: content } : content;
  return { role: 'tool', parts: [{ type: 'tool_call_response', id: message.tool_call_id, response }] };
}

function answer({ content, reasoning, files, tool_calls, agent }: AssistantMessage): OtelMessage {
  const parts: OtelPart[] = [
    ...(reasoning === undefined ? [] : [{ type: 'reasoning' as const, content: reasoning }]),
    ...textParts(content),
    ...fileParts(files),
    ...tool_calls.map(({ id, name, arguments: args, raw_arguments }) => {
      return { type: 'tool_call' as const, id, name, arguments: raw_arguments ?? args };
    }),
  ];
  return { role: 'assistant', parts, ...(agent === undefined ? {} : { name: agent }) };
}

function textParts(content: string | null): OtelPart[] {
  return content === null || content === '' ? [] : [{ type: 'text', content }];
}

function fileParts(files: readonly MessageFile[] = []): OtelPart[] {
  return files.map(({ media_type: mime_type, name, sha256, data, url }) => {
    const kind = { mime_type, modality: mediaKind(mime_type) === 'file' ? 'document' : mediaKind(mime_type) };
    if (data !== undefined) return { type: 'blob', ...kind, content: data };
    if (url !== undefined) return { type: 'uri', ...kind, uri: url };
    return { type: 'file', ...kind, file_id: sha256 ?? name ?? '' };
  });
}
