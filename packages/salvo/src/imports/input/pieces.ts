import { MAX_NESTING } from '../../text/json/nesting.ts';

/** The bytes of a JSON value in a file, or why there is none. */
export type Piece = ValuePiece | Unreadable;

interface ValuePiece {
  /** The line on which it begins, from 1. */
  line: number;
  /** Where it begins, in bytes of the unpacked file. */
  offset: number;
  bytes: Buffer;
}

export interface Unreadable {
  line: number;
  /** As the end of a sentence. */
  problem: string;
}

/** Cuts a stream of bytes into pieces. Keeps no more than the piece under way. */
export interface Splitter {
  push(chunk: Buffer): Piece[];
  /** What is left when the file ends. */
  end(): Piece[];
}

/** A longer line, or element of a list, is left out. */
export const LONGEST_RECORD = 128 * 1024 * 1024;

export function tooLong(line: number, longest: number): Unreadable {
  return { line, problem: `is longer than ${Math.round(longest / 1024 / 1024)} MB, so it was left out` };
}

export function tooDeep(line: number): Unreadable {
  return { line, problem: `is nested more than ${MAX_NESTING} levels deep` };
}
