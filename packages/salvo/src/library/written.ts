import type { Write } from '../report/terminal/chunked-writer.ts';

/** Everything that a report writes, as one text. */
export async function written(writeAll: (write: Write) => Promise<void>): Promise<string> {
  const parts: string[] = [];
  await writeAll((text) => void parts.push(text));
  return parts.join('');
}
