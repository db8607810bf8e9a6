import { hash } from 'node:crypto';
import type { Message, MessageFile } from '../message.ts';
import { mediaKind, mediaName, mediaTypeOf } from './media-type.ts';

/** Of one file. Providers take 5 to 20 MB, and a trace holds its files in memory. */
export const MOST_FILE_BYTES = 10 * 1024 * 1024;

/** A file with its content. Null if the content is not of the type that it is said to be of. */
export function fileOfBytes(
  content: Uint8Array,
  { name, type }: { name?: string | undefined; type?: string | undefined },
): MessageFile | null {
  const media_type = mediaTypeOf(content, type);
  if (media_type === null) return null;
  return {
    media_type,
    ...(name === undefined ? {} : { name }),
    bytes: content.length,
    sha256: hash('sha256', content),
    data: Buffer.from(content.buffer, content.byteOffset, content.length).toString('base64'),
  };
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** The bytes of base64; null if it is something else, is cut off, or has more bytes than a file may have. */
export function bytesOfBase64(text: string): Buffer | null {
  if (text.length > (MOST_FILE_BYTES / 3) * 4 + 4) return null;
  // YAML and e-mail break long lines.
  const plain = text.replaceAll(/\s+/g, '');
  if (plain.length % 4 === 1 || (plain.includes('=') && plain.length % 4 !== 0) || !BASE64.test(plain)) return null;
  const bytes = Buffer.from(plain, 'base64');
  return bytes.length === 0 || bytes.length > MOST_FILE_BYTES ? null : bytes;
}

/** What stands for a file where there can only be text: `[image: receipt.png]`. */
export function fileMarker({ media_type, name }: Pick<MessageFile, 'media_type' | 'name'>): string {
  return mediaName(mediaKind(media_type), name);
}

const MARKER = /^\[(?:image|file|audio|video|document)(?:: .*)?\]$/;

/** Without the lines that stand for files. */
export function withoutMarkers(text: string): string {
  if (!text.includes('[')) return text;
  const lines = text.split('\n');
  return lines.filter((line) => !MARKER.test(line)).join('\n');
}

/** The text of a message with a marker for each file, unless it has them already, as one that a reader wrote does. */
export function textWithMarkers({
  content,
  files = [],
}: Pick<Message, 'content'> & { files?: MessageFile[] | undefined }) {
  const text = content ?? '';
  if (files.length === 0 || withoutMarkers(text) !== text) return text;
  return [...(text === '' ? [] : [text]), ...files.map(fileMarker)].join('\n');
}

/** The content as a `data:` URL, or the address of the file. */
export function urlOfFile({ media_type, data, url }: MessageFile): string {
  return data === undefined ? (url ?? '') : `data:${media_type};base64,${data}`;
}
