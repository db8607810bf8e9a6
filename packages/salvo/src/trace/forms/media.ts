import { isRecord } from '../../text/json/is-record.ts';
import type { PartReader } from './part-sink.ts';

/** The name of something that is not text: `[image]`, or `[file: report.pdf]`. */
export function mediaName(kind: string, name?: unknown): string {
  return typeof name === 'string' && name !== '' ? `[${kind}: ${name}]` : `[${kind}]`;
}

/** `image` for image/png; `file` for whatever is neither image, audio nor video. */
export function mediaKind(mediaType: unknown): string {
  const kind = typeof mediaType === 'string' ? mediaType.split('/')[0] : undefined;
  return kind === 'image' || kind === 'audio' || kind === 'video' ? kind : 'file';
}

/** A reader of parts that are always of the same kind. */
export function mediaReader(kind: string): PartReader {
  return (part, sink, place) => sink.marker(mediaName(kind, part.filename ?? part.title), place);
}

/** A file of the AI SDK, LangChain or OpenAI, whose kind is in its media type. */
export const fileReader: PartReader = (part, sink, place) => {
  const file = isRecord(part.file) ? part.file : part;
  const type = file.mediaType ?? file.mimeType ?? file.mime_type ?? file.media_type;
  sink.marker(mediaName(mediaKind(type), part.filename ?? file.filename), place);
};
