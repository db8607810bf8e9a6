import type { Store } from '../../../store/store.ts';
import { SalvoError } from '../../../text/errors/salvo-error.ts';
import { SHOWN_IMAGES, typeOfContent } from '../../../trace/files/media-type.ts';
import { urlOfFile } from '../../../trace/files/message-file.ts';
import type { Message, MessageFile } from '../../../trace/message.ts';
import { existingTrace } from './trial-view.ts';

/** A file of a message, as a page shows it. */
export interface FileView {
  name: string | null;
  /** As it is stated. Pages show it as text, and decide nothing by it. */
  media_type: string;
  bytes: number | null;
  /** Where it is, if the trace does not have its content. Pages show it as text, and do not load it. */
  url: string | null;
  has_content: boolean;
  /** Whether its content is that of an image which pages show. */
  is_image: boolean;
  /** The image itself; null unless the page is a file of its own. */
  data_url: string | null;
}

/** Decides which images an HTML file contains. */
export type EmbedFile = (bytes: number) => boolean;

export function filesOf(message: Message): readonly MessageFile[] {
  return message.role === 'system' ? [] : (message.files ?? []);
}

export function fileView(file: MessageFile, embed: EmbedFile | undefined): FileView {
  const { media_type, name = null, bytes = null, url = null, data } = file;
  const type = shownType(file);
  const isEmbedded = type !== undefined && embed?.(bytes ?? 0) === true;
  return {
    ...{ name, media_type, bytes, url: data === undefined ? url : null },
    has_content: data !== undefined,
    is_image: type !== undefined,
    data_url: isEmbedded ? urlOfFile({ ...file, media_type: type }) : null,
  };
}

/** What a browser may be told that a file is. Whatever is not an image is bytes, so that no browser interprets it. */
export interface ServedFile {
  content: Buffer<ArrayBuffer>;
  /** Undefined for what is only saved. */
  image: string | undefined;
  name: string;
}

export async function servedFile(
  store: Store,
  traceId: string,
  at: { index: number; file: number },
): Promise<ServedFile> {
  const message = (await existingTrace(store, traceId)).messages[at.index];
  const file = message && filesOf(message)[at.file];
  if (file?.data === undefined) {
    throw new SalvoError(
      'MESSAGE_UNKNOWN',
      `Trace ${traceId} has no file ${at.file} with its content in message ${at.index}.`,
    );
  }
  return { content: Buffer.from(file.data, 'base64'), image: shownType(file), name: file.name ?? 'file' };
}

/** By its first bytes, and never by what somebody says about it. Undefined for whatever is not an image of pixels. */
function shownType({ data }: MessageFile): string | undefined {
  const type = data === undefined ? undefined : typeOfContent(Buffer.from(data.slice(0, 64), 'base64'));
  return type !== undefined && SHOWN_IMAGES.has(type) ? type : undefined;
}
