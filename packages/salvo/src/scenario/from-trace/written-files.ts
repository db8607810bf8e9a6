import { bytesOfBase64 } from '../../trace/files/message-file.ts';
import type { MessageFile } from '../../trace/message.ts';
import type { WrittenFile } from '../schema/tool-schema.ts';

const MOST_FILES = 20;
const LONGEST_NAME = 200;

/** Files of a message as a scenario writes them; undefined if there are none whose content or address is known. */
export function writtenFiles(files: readonly MessageFile[] | undefined): WrittenFile[] | undefined {
  const written = (files ?? []).flatMap((file): WrittenFile[] => {
    const named = file.name === undefined || file.name.trim() === '' ? {} : { name: file.name.slice(0, LONGEST_NAME) };
    const kind = file.media_type === '' ? {} : { media_type: file.media_type };
    if (file.data !== undefined && bytesOfBase64(file.data)) return [{ base64: file.data, ...kind, ...named }];
    return file.url === undefined || !/^https?:/.test(file.url) ? [] : [{ url: file.url, ...kind, ...named }];
  });
  return written.length === 0 ? undefined : written.slice(0, MOST_FILES);
}
