import { displayWidth, shorten } from '../../text/safe-text.ts';

/** Safe parts with dots between them, in lines of at most `width` columns; a part is never broken over two. */
export function joinParts(parts: readonly string[], width: number): string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    if (last !== undefined && displayWidth(last) + displayWidth(part) + 3 <= width) {
      lines[lines.length - 1] = `${last} · ${part}`;
    } else {
      lines.push(shorten(part, width));
    }
  }
  return lines;
}
