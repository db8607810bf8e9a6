import { NEWLINE } from './json-bytes.ts';
import { type Piece, type Splitter, tooLong } from './pieces.ts';

const BLANK: ReadonlySet<number> = new Set([9, 11, 12, 13, 32]);

/** One piece for each line that is not blank. */
export function splitLines(longest: number): Splitter {
  let begun: Buffer[] = [];
  let length = 0;
  let line = 1;
  let offset = 0;
  let isTooLong = false;

  function keep(part: Buffer): void {
    length += part.length;
    if (length > longest) {
      isTooLong = true;
      begun = [];
    } else if (part.length > 0) begun.push(part);
  }

  function endLine(pieces: Piece[]): void {
    const bytes = begun.length === 1 ? begun[0] : Buffer.concat(begun);
    if (isTooLong) pieces.push(tooLong(line, longest));
    else if (bytes && !isBlank(bytes)) pieces.push({ line, offset, bytes });
    offset += length + 1;
    line += 1;
    begun = [];
    length = 0;
    isTooLong = false;
  }

  return {
    push(chunk) {
      const pieces: Piece[] = [];
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
        keep(chunk.subarray(start, end));
        endLine(pieces);
        start = end + 1;
      }
      keep(chunk.subarray(start));
      return pieces;
    },
    end() {
      const pieces: Piece[] = [];
      if (length > 0) endLine(pieces);
      return pieces;
    },
  };
}

function isBlank(bytes: Buffer): boolean {
  for (const byte of bytes) if (!BLANK.has(byte)) return false;
  return true;
}
