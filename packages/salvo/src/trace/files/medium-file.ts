import { isRecord } from '../../text/json/is-record.ts';
import { type MessageFile, messageFilesSchema } from '../message.ts';
import { plainType, typeOfName } from './media-type.ts';
import { bytesOfBase64, fileOfBytes } from './message-file.ts';

/** Where SDKs have the content or the address of a medium, in parts or in objects inside of them. */
const PLACES = [
  ...['source', 'file', 'image_url', 'image', 'input_audio', 'inlineData', 'fileData', 'fileWithBytes'],
  ...['data', 'base64', 'base64Data', 'bytes', 'file_data', 'url', 'file_url', 'fileUri', 'uri'],
];
/** A text in one of these is base64, unless it is an address. */
const CONTENTS: ReadonlySet<string> = new Set(['data', 'base64', 'base64Data', 'bytes', 'file_data', 'image']);
const TYPES = ['mediaType', 'mimeType', 'mime_type', 'media_type'];
const NAMES = ['filename', 'name', 'displayName', 'title'];
/** `{file: {data: {type: 'data', data: '...'}}}` is the deepest form. */
const DEEPEST = 3;

interface Told {
  type?: string | undefined;
  name?: string | undefined;
}

/**
 * The file of a part that an SDK returned, if the part has its content, or an http address, which is never fetched.
 * Undefined if it has neither, or if its content is too large, is cut off or is not what it is said to be.
 */
export function mediumFile(part: unknown, told: Told = {}, depth = 0): MessageFile | undefined {
  if (!isRecord(part) || depth > DEEPEST) return undefined;
  const known = { type: textOf(part, TYPES) ?? told.type, name: textOf(part, NAMES) ?? told.name };
  for (const place of PLACES) {
    const value = part[place];
    const file =
      typeof value === 'string' ? fileOfText(value, known, CONTENTS.has(place)) : mediumFile(value, known, depth + 1);
    if (file) return file;
  }
  return undefined;
}

const MOST_OWN = 100;

/** The files of a message in Salvo's own form, which an agent returned. What it says about their content is not believed. */
export function ownFiles(given: unknown): MessageFile[] | undefined {
  if (given === undefined) return undefined;
  const { data: files = [] } = messageFilesSchema.safeParse(given);
  const checked = files.slice(0, MOST_OWN).flatMap(({ media_type, name, data, url }) => {
    const file = fileOfText(data ?? url ?? '', { type: media_type, name }, data !== undefined);
    return file ? [file] : [];
  });
  return checked.length > 0 ? checked : undefined;
}

const DATA_URL = /^data:([^,;]*)(?:;[^,;]*)*;base64,/;

function fileOfText(text: string, { type, name }: Told, isContent: boolean): MessageFile | undefined {
  if (/^https?:\/\//i.test(text)) {
    const address = URL.parse(text);
    if (!address) return undefined;
    const media_type = plainType(type ?? typeOfName(address.pathname) ?? 'application/octet-stream');
    return { media_type, ...(name === undefined ? {} : { name }), url: text };
  }
  const head = text.startsWith('data:') ? DATA_URL.exec(text.slice(0, 200)) : null;
  if (!head && !isContent) return undefined;
  const bytes = bytesOfBase64(head ? text.slice(head[0].length) : text);
  return (bytes && fileOfBytes(bytes, { name, type: head?.[1] || type })) ?? undefined;
}

function textOf(part: Record<string, unknown>, names: readonly string[]): string | undefined {
  const value = names.map((name) => part[name]).find((each) => typeof each === 'string' && each !== '');
  return typeof value === 'string' ? value : undefined;
}
