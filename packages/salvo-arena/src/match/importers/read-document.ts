import { bracketsFrom, isNestedTooDeeply, jsonSyntaxError, MAX_NESTING, quoteOutput } from 'salvo/kit/text';
import { readJsonStream } from 'salvo/kit/text-files';
import { JudgeError, type JudgeErrorCode } from '../claims/judge-error.ts';
import { isNagCsv, readNagCsv } from './cdk-nag/nag-csv.ts';
import { textLooksLike } from './text-looks-like.ts';

/** One JSON value, or several values of one text. */
export type Document = { value: unknown } | { values: unknown[] };

interface Reading {
  /** How messages call it: a file's path. */
  name: string;
  code: JudgeErrorCode;
  /** Which values count between the lines of a log, where other JSON may occur. */
  isReport: (value: unknown) => boolean;
}

/** Reads a JSON text, or takes a parsed value. Throws a `JudgeError` that says what the text looks like, and where. */
export function readDocument(input: unknown, reading: Reading): Document {
  if (typeof input === 'string') return parseText(input.replace(/^\uFEFF/, ''), reading);
  if (isNestedTooDeeply(input)) throw tooDeep(reading);
  return { value: input };
}

function tooDeep({ name, code }: Reading): JudgeError {
  const message = `${name} is nested more than ${MAX_NESTING} levels deep, which no list of findings and no report is.`;
  return new JudgeError(code, message, { location: { file: name } });
}

function parseText(text: string, reading: Reading): Document {
  if (isNagCsv(text)) return { value: readNagCsv(text, reading.name, (offset) => lineAndColumn(text, offset)) };
  if (bracketsFrom(text, text.search(/\S/)).deepest > MAX_NESTING) throw tooDeep(reading);
  try {
    return { value: JSON.parse(text) };
  } catch (cause) {
    const { values, strayAt, isCutOff } = readJsonStream(text);
    if (strayAt === null && values.length > 0) return { values };
    // The parts of a report that breaks off have fewer findings than the whole report.
    const reports = isCutOff ? [] : values.filter(reading.isReport);
    if (reports.length > 0) return { values: reports };
    const isBehindJson = values.length > 0 && text.slice(0, strayAt ?? 0).trim() !== '';
    throw notJson(text, { ...reading, cause, lineAt: isBehindJson ? strayAt : null });
  }
}

interface Broken extends Reading {
  cause: unknown;
  /** Where the first unreadable text after whole values begins, such as a line of JSON Lines; else null. */
  lineAt: number | null;
}

function notJson(text: string, { name, code, cause, lineAt }: Broken): JudgeError {
  const isCutOff = /^\s*[[{]\s*["\]}[{\d]/.test(text) || lineAt !== null;
  const likeness = isCutOff ? null : textLooksLike(text);
  if (likeness) {
    const message = `${name} is not JSON: it looks like ${likeness.what}. ${likeness.advice}`;
    return new JudgeError('FINDINGS_FORMAT_UNKNOWN', message, { cause, location: { file: name } });
  }
  const offset = lineAt ?? jsonSyntaxError(text)?.offset ?? text.length;
  const place = lineAndColumn(text, offset);
  const where = `${name}:${place.line}:${place.column}`;
  const isOver = text.slice(offset, offset + 1000).trim() === '' && offset >= text.trimEnd().length;
  const found = quoteOutput(text.slice(offset, offset + 60).replace(/\s+/g, ' '), { length: 40 });
  // A scenario names its manifest, which could be any file of the user: its content is not shown.
  const shown = code === 'MANIFEST_INVALID' ? '.' : `: ${found}`;
  const message = isOver
    ? `${where}: the JSON ends too early. The file is not complete: write it again.`
    : `${where}: this is not JSON from here on${shown}`;
  return new JudgeError(code, message, { cause, location: { file: name, ...place } });
}

function lineAndColumn(text: string, offset: number): { line: number; column: number } {
  let line = 1;
  let start = 0;
  for (let end = text.indexOf('\n'); end >= 0 && end < offset; end = text.indexOf('\n', start)) {
    line += 1;
    start = end + 1;
  }
  return { line, column: Math.min(offset, text.length) - start + 1 };
}
