import { z } from 'zod';
import { isRecord } from '../../text/json/is-record.ts';
import { mediaKind, mediaName } from '../files/media-type.ts';
import { mediumFile } from '../files/medium-file.ts';
import type { Message, MessageFile } from '../message.ts';
import type { Conversation } from './conversation.ts';
import { FormError, readAs, unknownType } from './form-error.ts';
import { assistantSink, type PartSink, readIntoText } from './part-sink.ts';
import { toolOutputText } from './tool-output.ts';
import { usageSchema } from './usage.ts';

const partsSchema = z.array(z.looseObject({ part_kind: z.string() }));
const requestSchema = z.object({ parts: partsSchema, instructions: z.string().nullish() });
const responseSchema = z.object({
  parts: partsSchema,
  usage: usageSchema,
  model_name: z.unknown().optional(),
  finish_reason: z.string().nullish(),
});
const textSchema = z.object({ content: z.string().nullish() });
const callSchema = z.object({
  tool_name: z.string().min(1),
  tool_call_id: z.string().nullish(),
  args: z.unknown().optional(),
});
const resultSchema = z.object({
  tool_name: z.string().nullish(),
  tool_call_id: z.string().nullish(),
  content: z.unknown().optional(),
  /** Earlier versions mark neither errors nor refusals. */
  outcome: z.string().nullish(),
});

type Part = z.infer<typeof partsSchema>[number];
type RequestReader = (part: Part, into: Conversation, place: string) => void;
type ResponseReader = (part: Part, sink: PartSink, place: string) => void;

const readResult = (part: Part, sink: Pick<PartSink, 'result'>, place: string): void => {
  const { tool_name: name, tool_call_id: id, content, outcome } = readAs(resultSchema, part, place);
  const refused = outcome === 'denied';
  sink.result({ id, name, ...returned(content), is_error: refused || outcome === 'failed', refused });
};

const REQUEST_PARTS: ReadonlyMap<string, RequestReader> = new Map<string, RequestReader>([
  ['system-prompt', (part, into, place) => into.text('system', readAs(textSchema, part, place).content ?? '')],
  [
    'user-prompt',
    ({ content }, into, place) => readIntoText(into, 'user', (sink) => readPrompt(content, sink, `${place}.content`)),
  ],
  ['tool-return', readResult],
  [
    'retry-prompt',
    (part, into, place) => {
      const { tool_name: name, tool_call_id: id, content } = readAs(resultSchema, part, place);
      const text = toolOutputText(content);
      // Without a tool, it is the answer of the model that was not valid.
      if (name == null) into.text('user', text);
      else into.result({ id, name, content: text, is_error: true });
    },
  ],
]);

const readCall: ResponseReader = (part, sink, place) => {
  const { tool_name: name, tool_call_id: id, args } = readAs(callSchema, part, place);
  sink.call({ id, name, arguments: args ?? {} }, place);
};

const RESPONSE_PARTS: ReadonlyMap<string, ResponseReader> = new Map<string, ResponseReader>([
  ['text', (part, sink, place) => sink.text(readAs(textSchema, part, place).content ?? '', place)],
  ['thinking', (part, sink, place) => sink.reasoning(readAs(textSchema, part, place).content ?? '', place)],
  ['tool-call', readCall],
  ['builtin-tool-call', readCall],
  ['builtin-tool-return', readResult],
  [
    'file',
    ({ content }, sink, place) =>
      sink.marker(mediaName(mediaKind(isRecord(content) ? content.media_type : undefined)), place, fileOf(content)),
  ],
  // Some providers encrypt the summary.
  [
    'compaction',
    (part, sink, place) => sink.reasoning(readAs(textSchema, part, place).content ?? '[compaction]', place),
  ],
]);

/** Whether it is a message of Pydantic AI: a request to a model, or a response of one. */
export function isPydanticMessage({ kind, parts }: Record<string, unknown>): boolean {
  return (kind === 'request' || kind === 'response') && Array.isArray(parts);
}

export function readPydanticMessage(message: Record<string, unknown>, into: Conversation, place: string): void {
  if (message.kind === 'request') {
    const { parts, instructions } = readAs(requestSchema, message, place);
    // Each request repeats them.
    const isSame = ({ role, content }: Message): boolean => role === 'system' && content === instructions;
    if (instructions && !into.messages.some(isSame)) into.text('system', instructions);
    for (const [index, part] of parts.entries()) {
      const at = `${place}.parts[${index}]`;
      const read = REQUEST_PARTS.get(part.part_kind);
      if (!read) throw unknownType(at, part.part_kind, REQUEST_PARTS.keys());
      read(part, into, at);
    }
    return;
  }
  const { parts, usage, model_name, finish_reason } = readAs(responseSchema, message, place);
  into.assistant(() => {
    const sink = assistantSink(into);
    for (const [index, part] of parts.entries()) {
      const at = `${place}.parts[${index}]`;
      const read = RESPONSE_PARTS.get(part.part_kind);
      if (!read) throw unknownType(at, part.part_kind, RESPONSE_PARTS.keys());
      read(part, sink, at);
    }
    into.by(model_name);
    into.count(usage);
    into.endedBy(finish_reason);
  });
}

/** A prompt is a text, or a list of texts and of media. */
function readPrompt(content: unknown, sink: PartSink, place: string): void {
  if (typeof content !== 'string' && !Array.isArray(content)) {
    throw new FormError(`${place}:`, 'expected a text or a list');
  }
  for (const [index, part] of [content].flat().entries()) readPromptPart(part, sink, `${place}[${index}]`);
}

function readPromptPart(part: unknown, sink: PartSink, place: string): void {
  const text = plainText(part);
  const marker = markerOf(part);
  if (text !== undefined) sink.text(text, place);
  else if (marker !== undefined) sink.marker(marker, place, fileOf(part));
  else if (!isRecord(part)) throw new FormError(`${place}:`, 'expected a text or a part with a "kind"');
  else if (part.kind !== 'cache-point') {
    throw unknownType(place, part.kind, ['text-content', 'cache-point', ...MEDIA.keys()].map(String));
  }
}

/** Media that are addresses name their kind. The kind of the others is in their media type. */
const MEDIA: ReadonlyMap<unknown, string | undefined> = new Map([
  ['image-url', 'image'],
  ['audio-url', 'audio'],
  ['video-url', 'video'],
  ['document-url', 'document'],
  ['binary', undefined],
  ['uploaded-file', undefined],
]);

function markerOf(part: unknown): string | undefined {
  if (!isRecord(part) || !MEDIA.has(part.kind)) return undefined;
  return mediaName(MEDIA.get(part.kind) ?? mediaKind(part.media_type));
}

/** Pydantic writes base64 in the alphabet for addresses. */
function fileOf(part: unknown): MessageFile | undefined {
  if (!isRecord(part) || typeof part.data !== 'string') return mediumFile(part);
  return mediumFile({ ...part, data: part.data.replaceAll('-', '+').replaceAll('_', '/') });
}

/** A text with data of the application beside it is an object. */
function plainText(part: unknown): string | undefined {
  if (typeof part === 'string') return part;
  return isRecord(part) && part.kind === 'text-content' && typeof part.content === 'string' ? part.content : undefined;
}

/** What a tool returned. Media in it are files, and anything else is JSON. */
function returned(value: unknown): { content: string; files: MessageFile[] } {
  const parts: unknown[] = Array.isArray(value) ? value : [value];
  if (parts.every((part) => markerOf(part) === undefined) && plainText(value) === undefined) {
    return { content: toolOutputText(value), files: [] };
  }
  const texts = parts.map((part) => markerOf(part) ?? plainText(part) ?? toolOutputText(part));
  const files = parts.flatMap((part) => (markerOf(part) === undefined ? [] : (fileOf(part) ?? [])));
  return { content: texts.join('\n'), files };
}
