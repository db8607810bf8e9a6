import { isRecord } from '../../text/json/is-record.ts';
import { mediaKind, mediaName } from '../files/media-type.ts';
import { mediumFile } from '../files/medium-file.ts';
import type { PartReader } from './part-sink.ts';

/** A reader of parts that are always of the same kind. */
export function mediaReader(kind: string): PartReader {
  return (part, sink, place) => sink.marker(mediaName(kind, part.filename ?? part.title), place, mediumFile(part));
}

/** A file of the AI SDK, LangChain or OpenAI, whose kind is in its media type. */
export const fileReader: PartReader = (part, sink, place) => {
  const file = isRecord(part.file) ? part.file : part;
  const type = file.mediaType ?? file.mimeType ?? file.mime_type ?? file.media_type;
  sink.marker(mediaName(mediaKind(type), part.filename ?? file.filename), place, mediumFile(part));
};
