import { z } from 'zod';
import { isRecord } from '../../text/json/is-record.ts';
import { mediaKind, mediaName } from '../files/media-type.ts';
import { mediumFile } from '../files/medium-file.ts';
import type { Message } from '../message.ts';
import type { Conversation } from './conversation.ts';
import { FormError, readAs, unknownType } from './form-error.ts';
import { assistantSink, type PartSink } from './part-sink.ts';
import { toolOutputText } from './tool-output.ts';
import { usageSchema } from './usage.ts';

const partsSchema = z.array(z.looseObject({ part_kind: z.string() }));
const requestSchema = z.object({ parts: partsSchema, instructions: z.string().nullish() });
const responseSchema = z.object({ parts: partsSchema, usage: usageSchema, model_name: z.unknown().optional() });
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
  sink.result({ id, name, content: toolOutputText(content), is_error: refused || outcome === 'failed', refused });
};

const REQUEST_PARTS: ReadonlyMap<string, RequestReader> = new Map<string, RequestReader>([
  ['system-prompt', (part, into, place) => into.text('system', readAs(textSchema, part, place).content ?? '')],
  ['user-prompt', (part, into, place) => into.text('user', promptText(part.content, `${place}.content`))],
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
      sink.marker(mediaName(mediaKind(isRecord(content) ? content.media_type : undefined)), place, mediumFile(content)),
  ],
  ['compaction', (_, sink, place) => sink.reasoning('[compaction]', place)],
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
  const { parts, usage, model_name } = readAs(responseSchema, message, place);
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
  });
}

/** A prompt is a text, or a list of texts and of media by their kind. */
function promptText(content: unknown, place: string): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) throw new FormError(`${place}:`, 'expected a text or a list');
  return content.map((part, index) => promptPart(part, `${place}[${index}]`)).join('\n');
}

const MEDIA: ReadonlyMap<unknown, string> = new Map([
  ['image-url', 'image'],
  ['audio-url', 'audio'],
  ['video-url', 'video'],
  ['document-url', 'document'],
  ['uploaded-file', 'file'],
]);

function promptPart(part: unknown, place: string): string {
  if (typeof part === 'string') return part;
  if (!isRecord(part)) throw new FormError(`${place}:`, 'expected a text or a part with a "kind"');
  if (part.kind === 'binary') return mediaName(mediaKind(part.media_type));
  if (typeof part.content === 'string' && part.kind === 'text') return part.content;
  if (part.kind === 'cache-point') return '';
  const kind = MEDIA.get(part.kind);
  if (kind === undefined)
    throw unknownType(place, part.kind, ['text', 'binary', 'cache-point', ...MEDIA.keys()].map(String));
  return mediaName(kind);
}
