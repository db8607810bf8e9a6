import { jsonSyntaxError } from '../../text/json/json-syntax-error.ts';
import { bracketsFrom, isNestedTooDeeply, MAX_NESTING } from '../../text/json/nesting.ts';
import type { FileRecord } from '../import-format.ts';
import { type Piece, tooDeep, type Unreadable } from './pieces.ts';

/** A record with its place in the unpacked file. */
export interface PlacedRecord extends FileRecord {
  offset: number;
  length: number;
}

/** A short text cannot be nested so deeply that its parser needs much memory. */
const LONG = 1024 * 1024;

/** The value of a piece. */
export function parsePiece(piece: Piece): PlacedRecord | Unreadable {
  if ('problem' in piece) return piece;
  const { line, offset, bytes } = piece;
  const text = bytes.toString('utf8');
  if (text.length > LONG && bracketsFrom(text, text.search(/\S/)).deepest > MAX_NESTING) return tooDeep(line);
  try {
    const value: unknown = parse(text);
    if (isNestedTooDeeply(value)) return tooDeep(line);
    return { value, line, offset, length: bytes.length };
  } catch {
    return { line, problem: whatIsWrong(text) };
  }
}

const LEAST_NOT_FINITE = /\b(?:NaN|Infinity)\b/;
/** A string without its end goes on to the end of the text, so that no part of it is looked at twice. */
const STRING_OR_NOT_FINITE = /"(?:[^"\\]|\\[\s\S])*\\?(?:"|$)|-?\b(?:NaN|Infinity)\b/g;

/** Python writes numbers that JSON does not have. They are read as unknown. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!LEAST_NOT_FINITE.test(text)) throw error;
    return JSON.parse(text.replace(STRING_OR_NOT_FINITE, (found) => (found.startsWith('"') ? found : 'null')));
  }
}

function whatIsWrong(text: string): string {
  if (text.includes('\0')) return 'has zero bytes in it, which no JSON has';
  const error = jsonSyntaxError(text);
  if (error === null) return 'is not valid JSON';
  const isCut = error.offset >= text.trimEnd().length;
  if (isCut) return 'is JSON that is not complete: it is truncated';
  return `is not valid JSON at column ${error.offset + 1}: ${error.message}`;
}
