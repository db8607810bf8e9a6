import { isRecord } from '../../text/json/is-record.ts';
import { SHOWN_IMAGES } from '../files/media-type.ts';
import { fileMarker, textWithMarkers, urlOfFile } from '../files/message-file.ts';
import type { Message, MessageFile } from '../message.ts';

type WithFiles = Pick<Message, 'content'> & { files?: MessageFile[] | undefined };

/** How a form of messages has texts and files. `file` is null for a file that the form has no part for. */
interface PartForms<Text, File> {
  text: (text: string) => Text;
  file: (file: MessageFile) => File | null;
}

/**
 * The content of a message that may have files: its text alone, or a list of parts. Files come first, as providers advise.
 * One that the form cannot have is named in a text.
 */
export function contentParts<Text, File>(message: WithFiles, form: PartForms<Text, File>): string | (Text | File)[] {
  const { files } = message;
  return files === undefined || files.length === 0 ? (message.content ?? '') : fileParts(message, form);
}

/** The same, always as a list. */
export function fileParts<Text, File>(
  { content, files = [] }: WithFiles,
  { text, file }: PartForms<Text, File>,
): (Text | File)[] {
  const parts: (Text | File)[] = files.map((each) => file(each) ?? text(fileMarker(each)));
  return content !== null && content.trim() !== '' ? [...parts, text(content)] : parts;
}

/** Providers want a name for a file. */
export function nameOfFile({ name, media_type }: MessageFile): string {
  return name ?? `file.${media_type.split('/')[1]?.replace(/\W.*/, '') || 'bin'}`;
}

export function isImage({ media_type }: MessageFile): boolean {
  return media_type.startsWith('image/');
}

/** An image of a type that every provider takes: `png`, `jpeg`, `gif` or `webp`. */
export function imageFormat({ media_type }: MessageFile): 'png' | 'jpeg' | 'gif' | 'webp' | null {
  const format = media_type.slice('image/'.length);
  if (!SHOWN_IMAGES.has(media_type)) return null;
  return format === 'png' || format === 'jpeg' || format === 'gif' || format === 'webp' ? format : null;
}

/** The content of a text file; null if the file is something else, or is only known by its address. */
export function textOfFile({ media_type, data }: MessageFile): string | null {
  const isText = media_type.startsWith('text/') || media_type === 'application/json';
  return isText && data !== undefined ? Buffer.from(data, 'base64').toString('utf8') : null;
}

/** The parts of an answer as a provider or an SDK gave them, each with its type. */
export function partsOfState(state: unknown): { type: string; [field: string]: unknown }[] | undefined {
  const isPart = (part: unknown): part is { type: string } => isRecord(part) && typeof part.type === 'string';
  return Array.isArray(state) && state.every(isPart) ? state : undefined;
}

export { textWithMarkers as resultText, urlOfFile };
