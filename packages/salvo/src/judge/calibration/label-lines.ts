import { SalvoError } from '../../text/errors/salvo-error.ts';
import { doubledKey } from '../../text/json/doubled-keys.ts';
import { isRecord } from '../../text/json/is-record.ts';
import { jsonOrUndefined } from '../../text/json/json-in-text.ts';
import { kindOfValue } from '../../text/words/value-words.ts';

/** Called with each problem of a line. Problems of one kind are alike; the message is the kind when it is missing. */
export type Complain = (message: string, kind?: string) => void;

interface Problem {
  line: number;
  message: string;
  kind: string;
}

const MOST_PROBLEMS = 20;
const MOST_ALIKE = 3;

/**
 * Reads a JSONL file of objects, line by line. `read` returns null for a line that it complained about.
 * Throws with the problems of the whole file at once, each with its line.
 */
export function readLabelLines<Item>(
  text: string,
  options: {
    /** Name of the file in messages. */
    file: string;
    example: string;
    /** Maps whose keys must not be there twice. */
    maps: readonly string[];
    read: (value: Record<string, unknown>, complain: Complain) => Item | null;
  },
): (Item & { line: number })[] {
  const { file, read } = options;
  const items: (Item & { line: number })[] = [];
  const problems: Problem[] = [];
  for (const { line, content, isLast } of linesOf(text)) {
    const complain: Complain = (message, kind = message) => problems.push({ line, message, kind });
    const value = parseLine(content, { isLast, complain });
    if (value === undefined) continue;
    if (!isRecord(value)) {
      complain(`should be a JSON object such as ${options.example}, but is ${kindOfValue(value)}`);
      continue;
    }
    const twice = doubledKey(content, options.maps);
    if (twice !== null) complain(`${quoted(twice)} is there twice: remove one of them`);
    const item = read(value, complain);
    if (item) items.push({ ...item, line });
  }
  if (problems.length > 0) throw labelError(file, problems);
  if (items.length === 0) {
    throw new SalvoError('LABELS_MISSING', `${file} holds no labels. Write one JSON object a line.`, {
      location: { file },
    });
  }
  return items;
}

/** The first object of the file; null when no line is one. */
export function firstObject(text: string): Record<string, unknown> | null {
  // A line that is not JSON is reported when the file is read.
  const values = linesOf(text).map(({ content }) => jsonOrUndefined(content));
  return values.find(isRecord) ?? null;
}

function* linesOf(text: string): Generator<{ line: number; content: string; isLast: boolean }> {
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/);
  for (const [index, content] of lines.entries()) {
    if (content.trim() !== '') yield { line: index + 1, content, isLast: index === lines.length - 1 };
  }
}

/** Undefined when it is not JSON. */
function parseLine(content: string, { isLast, complain }: { isLast: boolean; complain: Complain }): unknown {
  try {
    return JSON.parse(content);
  } catch {
    const start = content.trim();
    if (start === '[' || start === '{') complain('is only the beginning of JSON: write every object on one line');
    // A complete file ends with a line break, so a last line without one may have been cut off.
    else if (isLast && start.startsWith('{') && !start.endsWith('}')) complain('breaks off: the file is not complete');
    else complain(`is not JSON: ${quoted(start)}`, 'not JSON');
    return undefined;
  }
}

/** Of a problem that many lines have, the first few lines are named and the others counted. */
function labelError(file: string, problems: readonly Problem[]): SalvoError {
  const alike = Map.groupBy(problems, ({ kind }) => kind);
  const shown = [...alike.values()].flatMap((group) => {
    const lines = group
      .slice(0, MOST_ALIKE)
      .map(({ line, message }) => ({ count: 1, text: `${file}:${line}: ${message}` }));
    const rest = group.length - lines.length;
    return rest > 0 ? [...lines, { count: rest, text: `and ${rest} more like this` }] : lines;
  });
  const kept = shown.slice(0, MOST_PROBLEMS);
  const left = problems.length - kept.reduce((sum, { count }) => sum + count, 0);
  const lines = kept.map(({ text }) => text);
  if (left > 0) lines.push(`and ${left} more ${left === 1 ? 'problem' : 'problems'}`);
  const [first] = problems;
  return new SalvoError('LABELS_INVALID', lines.join('\n'), {
    location: first ? { file, line: first.line } : { file },
  });
}

export function field(value: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

/** A table converted to JSON has null where a cell is empty. */
export function isMissing(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

/** The text of a field; null when it is missing, or something else, about which is complained. */
export function readText(value: Record<string, unknown>, key: string, complain: Complain): string | null {
  const text = field(value, key);
  if (isMissing(text) || typeof text === 'string') return text ?? null;
  complain(`"${key}" should be a text, but is ${kindOfValue(text)}`);
  return null;
}

export function quoted(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
