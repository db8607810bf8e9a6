import { z } from 'zod';
import { isRecord } from '../../text/json/is-record.ts';
import { mediaName, typeOfName } from '../files/media-type.ts';
import { mediumFile } from '../files/medium-file.ts';
import type { MessageFile } from '../message.ts';
import { FormError, readAs } from './form-error.ts';
import type { PartReader } from './part-sink.ts';

const useSchema = z.object({ toolUseId: z.string(), name: z.string().min(1), input: z.unknown().optional() });
const resultSchema = z.object({
  toolUseId: z.string(),
  status: z.string().nullish(),
  content: z.array(z.unknown()).nullish(),
});
const guardSchema = z.object({ text: z.object({ text: z.string() }).nullish(), image: z.unknown().optional() });
const citationsSchema = z.object({ content: z.array(z.object({ text: z.string().nullish() })).nullish() });
const searchSchema = z.object({
  title: z.string().nullish(),
  content: z.array(z.object({ text: z.string().nullish() })).nullish(),
});
/** Bedrock has the text in `reasoningText`, Strands has it at once. */
const reasoningSchema = z.object({
  reasoningText: z.object({ text: z.string().nullish() }).nullish(),
  text: z.string().nullish(),
  redactedContent: z.unknown().optional(),
});

const media =
  (kind: string): PartReader =>
  (block, sink, place) =>
    sink.marker(mediaName(kind, block.name), place, mediumFile(block, { type: bedrockType(kind, block.format) }));

const readReasoning: PartReader = (block, sink, place) => {
  const { reasoningText, text, redactedContent } = readAs(reasoningSchema, block, place);
  const said = reasoningText?.text ?? text;
  if (said) sink.reasoning(said, place);
  if (redactedContent !== undefined) sink.reasoning('[redacted reasoning]', place);
};

const readCitations: PartReader = (block, sink, place) => {
  const { content } = readAs(citationsSchema, block, place);
  for (const { text } of content ?? []) if (text) sink.text(text, place);
};

/** What a block says to the provider, and not to the model: caching, and which tools there are from now on. */
const withoutContent: PartReader = () => {};

/** The blocks of Bedrock's Converse messages by their only field, and those that Strands names otherwise. */
const BEDROCK_BLOCKS: ReadonlyMap<string, PartReader> = new Map<string, PartReader>([
  [
    'toolUse',
    (block, sink, place) => {
      const { toolUseId, name, input } = readAs(useSchema, block, place);
      sink.call({ id: toolUseId, name, arguments: input }, place);
    },
  ],
  [
    'toolResult',
    (block, sink, place) => {
      const { toolUseId, status, content } = readAs(resultSchema, block, place);
      const texts = (content ?? []).map((part, index) => resultText(part, `${place}.content[${index}]`));
      const files = (content ?? []).flatMap((part) => filesOfResult(part));
      sink.result({ id: toolUseId, content: texts.join('\n'), files, is_error: status === 'error' });
    },
  ],
  ['reasoningContent', readReasoning],
  ['reasoning', readReasoning],
  ['image', media('image')],
  ['video', media('video')],
  ['audio', media('audio')],
  ['document', media('document')],
  [
    'guardContent',
    (block, sink, place) => {
      const { text, image } = readAs(guardSchema, block, place);
      if (text) sink.text(text.text, place);
      if (image !== undefined) sink.marker(mediaName('image'), place);
    },
  ],
  ['citationsContent', readCitations],
  ['citations', readCitations],
  [
    'searchResult',
    (block, sink, place) => {
      const { title, content } = readAs(searchSchema, block, place);
      sink.marker(mediaName('search result', title), place);
      for (const { text } of content ?? []) if (text) sink.text(text, place);
    },
  ],
  ['cachePoint', withoutContent],
  ['toolAddition', withoutContent],
  ['toolRemoval', withoutContent],
]);

/** The reader of a block without a `type`, as Bedrock and Strands write it; undefined if it is none. */
export function bedrockBlock(part: Record<string, unknown>): PartReader | undefined {
  const { text } = part;
  if (typeof text === 'string') return (_, sink, place) => sink.text(text, place);
  for (const [field, block] of Object.entries(part)) {
    const read = BEDROCK_BLOCKS.get(field);
    if (read && isRecord(block)) return (_, sink, place) => read(block, sink, `${place}.${field}`);
  }
  return undefined;
}

function resultText(part: unknown, place: string): string {
  if (!isRecord(part)) throw new FormError(`${place}:`, 'expected a block of a tool result');
  if (typeof part.text === 'string') return part.text;
  if ('json' in part) return JSON.stringify(part.json) ?? '';
  const kind = ['image', 'video', 'document'].find((name) => isRecord(part[name]));
  if (kind !== undefined) {
    const medium = part[kind];
    return mediaName(kind, isRecord(medium) ? medium.name : undefined);
  }
  if (isRecord(part.searchResult)) return JSON.stringify(part.searchResult);
  throw new FormError(
    place,
    `has none of the fields that Salvo knows: text, json, image, video, document, searchResult; it has ${Object.keys(part).join(', ') || 'none'}`,
  );
}

function filesOfResult(part: unknown): MessageFile[] {
  if (!isRecord(part)) return [];
  const { image, document } = part;
  const kind = isRecord(image) ? 'image' : 'document';
  const medium = isRecord(image) ? image : document;
  const file = isRecord(medium) ? mediumFile(medium, { type: bedrockType(kind, medium.format) }) : undefined;
  return file ? [file] : [];
}

/** Bedrock names the end of a file's name instead of a type. */
function bedrockType(kind: string, format: unknown): string | undefined {
  if (typeof format !== 'string') return undefined;
  return typeOfName(`x.${format}`) ?? (kind === 'document' ? undefined : `${kind}/${format}`);
}
