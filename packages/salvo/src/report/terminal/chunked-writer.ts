/** Where a report is written to. Its promise is awaited, so that a slow reader slows the report down. */
export type Write = (text: string) => void | Promise<void>;

const CHUNK = 64 * 1024;

/** Collects small texts into larger chunks. Await what `add` returns: otherwise memory is not bounded. */
export function createChunkedWriter(write: Write) {
  let parts: string[] = [];
  let size = 0;
  const flush = async (): Promise<void> => {
    const chunk = parts.join('');
    parts = [];
    size = 0;
    if (chunk !== '') await write(chunk);
  };
  return {
    add(text: string): Promise<void> | undefined {
      parts.push(text);
      size += text.length;
      return size >= CHUNK ? flush() : undefined;
    },
    flush,
  };
}
