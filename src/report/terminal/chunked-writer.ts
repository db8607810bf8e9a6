import type { Write } from '../run/run-stream.ts';

const CHUNK = 64 * 1024;

export interface ChunkedWriter {
  add(text: string): Promise<void> | undefined;
  flush(): Promise<void>;
}

/** Gathers small texts into chunks worth a system call. Await what `add` returns, or memory is not bounded. */
export function createChunkedWriter(write: Write): ChunkedWriter {
  let parts: string[] = [];
  let size = 0;
  const flush = async (): Promise<void> => {
    const chunk = parts.join('');
    parts = [];
    size = 0;
    if (chunk !== '') await write(chunk);
  };
  return {
    add(text) {
      parts.push(text);
      size += text.length;
      return size >= CHUNK ? flush() : undefined;
    },
    flush,
  };
}
