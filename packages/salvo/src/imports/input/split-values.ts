import { MAX_NESTING } from '../../text/json/nesting.ts';
import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COMMA,
  NEWLINE,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  RETURN,
  SPACE,
  TAB,
} from './json-bytes.ts';
import { type Piece, type Splitter, tooDeep, tooLong } from './pieces.ts';

/**
 * One piece for each JSON value of a text that may have any line breaks: for each element of a list, or, with `whole`, for
 * each document. Follows brackets and quotes only: whether a piece is valid JSON, its parser says.
 */
export function splitValues({ longest, whole }: { longest: number; whole: boolean }): Splitter {
  const scan = new ValueScan(longest, whole);
  return { push: (chunk) => scan.push(chunk), end: () => scan.end() };
}

class ValueScan {
  readonly #longest: number;
  readonly #whole: boolean;
  /** How many brackets are open, without that of the list. */
  #depth = 0;
  #isInList = false;
  #isInString = false;
  #isEscaped = false;
  #line = 1;
  #offset = 0;
  /** The piece under way. */
  #isBegun = false;
  #isTooDeep = false;
  #startLine = 1;
  #startOffset = 0;
  #parts: Buffer[] = [];
  #length = 0;
  #pieces: Piece[] = [];

  constructor(longest: number, whole: boolean) {
    this.#longest = longest;
    this.#whole = whole;
  }

  push(chunk: Buffer): Piece[] {
    this.#pieces = [];
    let from = this.#isBegun ? 0 : -1;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at];
      if (byte === NEWLINE) this.#line += 1;
      if (this.#isInString) {
        at = this.#throughString(chunk, at);
        continue;
      }
      if (from === -1) {
        if (!this.#begins(byte, at)) continue;
        from = at;
      }
      from = this.#step(chunk, at, from, byte);
    }
    if (from !== -1) this.#keep(chunk.subarray(from));
    this.#offset += chunk.length;
    return this.#pieces;
  }

  end(): Piece[] {
    this.#pieces = [];
    const isScalar = this.#isBegun && this.#depth === 0 && !this.#isInString && !this.#isInList;
    if (isScalar) this.#emit();
    else if (this.#isBegun) {
      this.#pieces.push({
        line: this.#startLine,
        problem: 'begins a record that the file does not end: it is truncated',
      });
    } else if (this.#isInList) {
      this.#pieces.push({
        line: this.#line,
        problem: 'is the last one, and the list of the file is not closed: it is truncated',
      });
    }
    return this.#pieces;
  }

  /** Returns the position of the last byte that it has seen. */
  #throughString(chunk: Buffer, start: number): number {
    for (let at = start; at < chunk.length; at += 1) {
      const byte = chunk[at];
      if (byte === NEWLINE && at > start) this.#line += 1;
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === BACKSLASH) this.#isEscaped = true;
      else if (byte === QUOTE) {
        this.#isInString = false;
        return at;
      }
    }
    return chunk.length;
  }

  /** Whether a value begins here, outside of one. */
  #begins(byte: number | undefined, at: number): boolean {
    if (byte === SPACE || byte === NEWLINE || byte === RETURN || byte === TAB || byte === COMMA) return false;
    if (byte === OPEN_BRACKET && !this.#isInList && !this.#whole) {
      this.#isInList = true;
      return false;
    }
    if (byte === CLOSE_BRACKET && this.#isInList) {
      this.#isInList = false;
      return false;
    }
    this.#isBegun = true;
    this.#startLine = this.#line;
    this.#startOffset = this.#offset + at;
    return true;
  }

  /** Goes on by one byte of a value. Returns where its part of the chunk begins; -1 if it has ended. */
  #step(chunk: Buffer, at: number, from: number, byte: number | undefined): number {
    if (byte === QUOTE) this.#isInString = true;
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      this.#depth += 1;
      if (this.#depth > MAX_NESTING) this.#isTooDeep = true;
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      if (this.#depth === 0) return this.#endBefore(chunk, at, from, byte);
      this.#depth -= 1;
      if (this.#depth === 0) {
        this.#keep(chunk.subarray(from, at + 1));
        this.#emit();
        return -1;
      }
    } else if (this.#depth === 0 && (byte === COMMA || byte === NEWLINE)) {
      return this.#endBefore(chunk, at, from, byte);
    }
    return from;
  }

  /** A value without brackets ends where the next byte belongs to its list. */
  #endBefore(chunk: Buffer, at: number, from: number, byte: number): number {
    this.#keep(chunk.subarray(from, at));
    this.#emit();
    if (byte === CLOSE_BRACKET) this.#isInList = false;
    return -1;
  }

  #keep(part: Buffer): void {
    this.#length += part.length;
    if (this.#length > this.#longest || this.#isTooDeep) this.#parts = [];
    else this.#parts.push(part);
  }

  #emit(): void {
    const line = this.#startLine;
    if (this.#isTooDeep) this.#pieces.push(tooDeep(line));
    else if (this.#length > this.#longest) this.#pieces.push(tooLong(line, this.#longest));
    else this.#pieces.push({ line, offset: this.#startOffset, bytes: Buffer.concat(this.#parts, this.#length) });
    this.#isBegun = false;
    this.#isTooDeep = false;
    this.#parts = [];
    this.#length = 0;
  }
}
