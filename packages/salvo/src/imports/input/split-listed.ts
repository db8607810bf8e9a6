import { MAX_NESTING } from '../../text/json/nesting.ts';
import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  NEWLINE,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  SPACE,
} from './json-bytes.ts';
import { type Piece, tooLong } from './pieces.ts';

/** What comes before a list is kept, so it must not be the larger part of a document. */
const LONGEST_HEAD = 64 * 1024 * 1024;

/** A document up to its list. */
export interface ListHead {
  /** Where the list is: `results.results`. */
  path: string;
  /** JSON, in which the list is empty. */
  bytes: Buffer;
}

/** An element of the list, and the document that it belongs to. */
export interface ListedPiece {
  piece: Piece;
  head: ListHead;
}

/**
 * Cuts the elements of one list out of a document that is an object, so that no more than one of them is in memory. The list
 * is the first one at one of the given paths, such as `simulations` or `results.results`. Other documents may follow, as
 * lines do. Follows brackets and quotes only.
 */
export class ListedElements {
  readonly #paths: ReadonlySet<string>;
  readonly #longest: number;
  /** By depth: the last key of the object that is open there. */
  readonly #keys: string[] = [''];
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #line = 1;
  #string: Buffer[] = [];
  #headParts: Buffer[] = [];
  #headLength = 0;
  #state: 'before' | 'in list' | 'after' | 'none' = 'before';
  #listDepth = 0;
  /** The element under way. */
  #isBegun = false;
  #startLine = 1;
  #parts: Buffer[] = [];
  #length = 0;
  #pieces: ListedPiece[] = [];
  #head: ListHead | null = null;

  constructor(paths: Iterable<string>, longest: number) {
    this.#paths = new Set(paths);
    this.#longest = longest;
  }

  /** Whether nothing more will be found. */
  get isOver(): boolean {
    return this.#state === 'none';
  }

  push(chunk: Buffer): ListedPiece[] {
    this.#pieces = [];
    let from = 0;
    for (let at = 0; at < chunk.length && !this.isOver; at += 1) {
      const byte = chunk[at] ?? 0;
      if (this.#isInString) {
        at = this.#throughString(chunk, at);
        continue;
      }
      if (byte === NEWLINE) this.#line += 1;
      if (this.#state === 'before') {
        if (this.#seek(byte)) {
          this.#beginList(chunk.subarray(from, at + 1));
          from = at + 1;
        }
      } else if (this.#state === 'in list') from = this.#takeElement(chunk, at, from);
      else if (this.#endsDocument(byte)) from = at + 1;
    }
    if (this.#state === 'before') this.#keepHead(chunk.subarray(from));
    else if (this.#isBegun) this.#keep(chunk.subarray(from));
    return this.#pieces;
  }

  end(): ListedPiece[] {
    const head = this.#head;
    if (head === null || this.#depth === 0) return [];
    const line = this.#isBegun ? this.#startLine : this.#line;
    return [{ head, piece: { line, problem: 'is where the file ends, and its document does not: it is truncated' } }];
  }

  /** Returns the position of the last byte of the string, or of the chunk. */
  #throughString(chunk: Buffer, start: number): number {
    let at = start;
    for (; at < chunk.length; at += 1) {
      const byte = chunk[at];
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === BACKSLASH) this.#isEscaped = true;
      else if (byte === QUOTE) {
        this.#isInString = false;
        break;
      }
    }
    if (this.#state === 'before') this.#string.push(chunk.subarray(start, at));
    return at;
  }

  /** Goes on by one byte before the list. Returns whether the list begins with it. */
  #seek(byte: number): boolean {
    if (byte === QUOTE) {
      this.#isInString = true;
      this.#string = [];
    } else if (byte === COLON) this.#keys[this.#depth] = Buffer.concat(this.#string).toString('utf8');
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      const isList = byte === OPEN_BRACKET && this.#paths.has(this.#keys.slice(1).join('.'));
      this.#depth += 1;
      if (isList) return true;
      this.#keys[this.#depth] = '';
      if (this.#depth > MAX_NESTING) this.#state = 'none';
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      this.#depth -= 1;
      this.#keys.length = Math.max(1, this.#depth + 1);
      if (this.#depth <= 0) this.#endWithoutList();
    }
    return false;
  }

  #beginList(rest: Buffer): void {
    const closing = Buffer.from(`]${'}'.repeat(this.#depth - 1)}`);
    this.#head = { path: this.#keys.slice(1).join('.'), bytes: Buffer.concat([...this.#headParts, rest, closing]) };
    this.#headParts = [];
    this.#headLength = 0;
    this.#listDepth = this.#depth;
    this.#state = 'in list';
  }

  /** Goes on by one byte after the list. Returns whether the document ends with it. */
  #endsDocument(byte: number): boolean {
    if (byte === QUOTE) this.#isInString = true;
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) this.#depth += 1;
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) this.#depth -= 1;
    if (this.#depth > 0) return false;
    this.#keys.length = 1;
    this.#state = 'before';
    return true;
  }

  /** The first document shows whether the file has such lists. */
  #endWithoutList(): void {
    this.#depth = 0;
    this.#headParts = [];
    this.#headLength = 0;
    if (this.#head === null) this.#state = 'none';
    else
      this.#pieces.push({
        head: this.#head,
        piece: { line: this.#line, problem: `ends a document without ${this.#head.path}` },
      });
  }

  #keepHead(chunk: Buffer): void {
    this.#headParts.push(chunk);
    this.#headLength += chunk.length;
    if (this.#headLength <= LONGEST_HEAD) return;
    if (this.#head) this.#pieces.push({ head: this.#head, piece: tooLong(this.#line, LONGEST_HEAD) });
    this.#state = 'none';
  }

  /** Goes on by one byte of the list. Returns where the element under way begins in the chunk. */
  #takeElement(chunk: Buffer, at: number, from: number): number {
    const byte = chunk[at] ?? 0;
    const isOutside = this.#depth === this.#listDepth;
    if (isOutside && (byte === COMMA || byte === CLOSE_BRACKET)) {
      // An element without brackets ends here.
      if (this.#isBegun) this.#emit(chunk.subarray(from, at));
      if (byte === CLOSE_BRACKET) {
        this.#state = 'after';
        this.#depth -= 1;
      }
      return at;
    }
    let start = from;
    if (!this.#isBegun) {
      if (byte <= SPACE) return from;
      this.#isBegun = true;
      this.#startLine = this.#line;
      start = at;
    }
    if (byte === QUOTE) this.#isInString = true;
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) this.#depth += 1;
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      this.#depth -= 1;
      if (this.#depth === this.#listDepth) this.#emit(chunk.subarray(start, at + 1));
    }
    return start;
  }

  #keep(part: Buffer): void {
    this.#length += part.length;
    if (this.#length > this.#longest) this.#parts = [];
    else this.#parts.push(part);
  }

  #emit(part: Buffer): void {
    this.#keep(part);
    const line = this.#startLine;
    const isTooLong = this.#length > this.#longest;
    const bytes = Buffer.concat(this.#parts, isTooLong ? 0 : this.#length);
    const piece = isTooLong ? tooLong(line, this.#longest) : { line, offset: 0, bytes };
    if (this.#head) this.#pieces.push({ piece, head: this.#head });
    this.#isBegun = false;
    this.#parts = [];
    this.#length = 0;
  }
}
