import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const compress = promisify(gzip);

/** So much is unpacked at once when a page asks for one answer of a chunk. */
const CHUNK_LENGTH = 400_000;

/**
 * Writes answers of the API as elements of an HTML file. `web/src/embedded-answers.ts` reads them. Base64 has no
 * character that means something in HTML, so that nothing in an answer can end the element.
 */
export function answerChunks(write: (html: string) => Promise<void>) {
  const index: string[][] = [];
  let members: string[] = [];
  let paths: string[] = [];
  let length = 0;
  const flush = async () => {
    if (paths.length === 0) return;
    await write(await dataElement(`answers-${index.length}`, `{${members.join(',')}}`));
    index.push(paths);
    [members, paths, length] = [[], [], 0];
  };
  return {
    add: async (path: string, answer: string) => {
      if (length > 0 && length + answer.length > CHUNK_LENGTH) await flush();
      members.push(`${JSON.stringify(path)}:${answer}`);
      paths.push(path);
      length += answer.length;
    },
    /** Writes what is left, and which chunk has which answer. */
    end: async () => {
      await flush();
      await write(await dataElement('answers', JSON.stringify(index)));
    },
  };
}

async function dataElement(id: string, json: string): Promise<string> {
  const packed = await compress(json);
  return `<script type="text/plain" id="${id}">${packed.toString('base64')}</script>\n`;
}
