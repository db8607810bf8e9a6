import { z } from 'zod';
import { isRecord } from '../../text/json/is-record.ts';
import { mediaKind, mediaName } from '../files/media-type.ts';
import { mediumFile } from '../files/medium-file.ts';
import type { Conversation } from './conversation.ts';
import { FormError, readAs, unknownType } from './form-error.ts';
import { assistantSink, type PartReader, type PartSink, readIntoText, resultSink } from './part-sink.ts';
import { toolErrorText, toolOutput } from './tool-output.ts';

const partsSchema = z.array(z.looseObject({ type: z.string() }));
const contentSchema = z.object({ content: z.string().nullish() });
/** Tracing tools parse what looks like JSON, and some ids do. */
const idSchema = z.preprocess(
  (id) => (typeof id === 'object' && id !== null ? JSON.stringify(id) : id),
  z.string().nullish(),
);
const callSchema = z.object({
  id: idSchema,
  name: z.string().min(1),
  arguments: z.unknown().optional(),
  /** What a tool of the provider was called with. */
  server_tool_call: z.unknown().optional(),
});
const responseSchema = z.object({
  id: idSchema,
  name: z.string().nullish(),
  response: z.unknown().optional(),
  result: z.unknown().optional(),
  server_tool_call_response: z.unknown().optional(),
});

const readContent: PartReader = (part, sink, place) =>
  sink.text(readAs(contentSchema, part, place).content ?? '', place);
const readThought: PartReader = (part, sink, place) =>
  sink.reasoning(readAs(contentSchema, part, place).content ?? '', place);
const readMedia: PartReader = (part, sink, place) => {
  const kind = typeof part.modality === 'string' ? part.modality : mediaKind(part.mime_type ?? part.media_type);
  // The content of a blob is in `content`.
  sink.marker(mediaName(kind), place, mediumFile({ ...part, data: part.data ?? part.content }));
};
const readCall: PartReader = (part, sink, place) => {
  const { id, name, server_tool_call, ...call } = readAs(callSchema, part, place);
  sink.call({ id, name, arguments: call.arguments ?? server_tool_call }, place);
};
const readResponse: PartReader = (part, sink, place) => {
  const { id, name, response, result, server_tool_call_response } = readAs(responseSchema, part, place);
  const output = response ?? result ?? server_tool_call_response;
  const error = isRecord(output) && Object.keys(output).length === 1 ? output.error : undefined;
  if (error === undefined) sink.result({ id, name, ...toolOutput(output) });
  else sink.result({ id, name, content: toolErrorText(error), is_error: true });
};

const PARTS: ReadonlyMap<string, PartReader> = new Map<string, PartReader>([
  ['text', readContent],
  ['reasoning', readThought],
  ['thinking', readThought],
  ['tool_call', readCall],
  ['server_tool_call', readCall],
  ['tool_call_response', readResponse],
  ['server_tool_call_response', readResponse],
  ['blob', readMedia],
  ['uri', readMedia],
  ['file', readMedia],
  ['binary', readMedia],
  ['image-url', (_, sink, place) => sink.marker('[image]', place)],
  ['audio-url', (_, sink, place) => sink.marker('[audio]', place)],
  ['video-url', (_, sink, place) => sink.marker('[video]', place)],
  ['document-url', (_, sink, place) => sink.marker('[document]', place)],
]);

/** Whether the parts are those of OpenTelemetry: they have `content` where the AI SDK has `text`. */
export function isOtelMessage(message: Record<string, unknown>): boolean {
  const { parts } = message;
  if (!Array.isArray(parts)) return false;
  return parts.some((part) => {
    if (!isRecord(part) || typeof part.type !== 'string' || !PARTS.has(part.type)) return false;
    if (part.type === 'text' || part.type === 'reasoning') return !('text' in part);
    return part.type !== 'file' || 'modality' in part;
  });
}

/** A message of OpenTelemetry's conventions for generative AI (`gen_ai.input.messages`, `gen_ai.output.messages`). */
export function readOtelMessage(message: Record<string, unknown>, into: Conversation, place: string): void {
  const parts = readAs(partsSchema, message.parts, `${place}.parts`);
  const readParts = (sink: PartSink): void => {
    for (const [index, part] of parts.entries()) {
      const at = `${place}.parts[${index}]`;
      const read = PARTS.get(part.type);
      if (!read) throw unknownType(at, part.type, PARTS.keys());
      read(part, sink, at);
    }
  };
  const { role } = message;
  if (role === 'system' || role === 'developer') readIntoText(into, 'system', readParts);
  else if (role === 'user') readIntoText(into, 'user', readParts);
  else if (role === 'assistant') into.assistant(() => readParts(assistantSink(into)));
  else if (role === 'tool') readParts(resultSink(into));
  else throw new FormError(`${place}.role:`, 'expected system, user, assistant or tool');
}
