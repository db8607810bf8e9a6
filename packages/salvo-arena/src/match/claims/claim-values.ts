import { isRecord } from 'salvo/kit/text';

/** A text from a text, a number or a list of them; empty from anything else. */
export function readText(value: unknown, separator = ', '): string {
  if (typeof value === 'string') return value.trim();
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return Array.isArray(value) ? value.map(readItem).filter(Boolean).join(separator) : '';
}

/** Texts from a list, or from one text with commas between them. */
export function readList(value: unknown): string[] {
  return Array.isArray(value) ? value.flatMap((item) => listIn(readItem(item))) : listIn(readText(value));
}

function listIn(text: string): string[] {
  if (text === '') return [];
  return /[,;\n]/.test(text) ? splitList(text) : [text];
}

/** Resources as texts. A resource may also be an object with a type and a name. */
export function readResources(value: unknown): string[] {
  if (typeof value === 'string') return readList(value);
  return (Array.isArray(value) ? value : [value]).flatMap((item) => {
    if (!isRecord(item)) return Array.isArray(item) ? [] : readList(item);
    const address = readItem(item.address) || readItem(item.resource);
    const name = readItem(item.name) || readItem(item.id);
    const type = readItem(item.type);
    return readList(address || (type !== '' && name !== '' && !name.includes('.') ? `${type}.${name}` : name || type));
  });
}

/** Lines are counted from 1; null when there is none. */
export interface LineRange {
  line: number | null;
  end_line: number | null;
}

/** A line or a range from `12`, `"12"`, `"12-15"`, `"lines 12 to 15"`, `[12, 15]`. */
export function readLines(value: unknown): LineRange {
  const [first, second] = Array.isArray(value)
    ? value.slice(0, 2).map(readItem)
    : readText(value).slice(0, LONGEST_RANGE).split(RANGE, 2);
  const line = lineIn(first);
  const end = lineIn(second);
  return { line, end_line: line !== null && end !== null && end >= line ? end : null };
}

const RANGE = /\s*(?:-|–|—|\.\.|,|:|\bto\b|\band\b)\s*/;
/** Enough for `approximately lines 12345 to 12367`. */
const LONGEST_RANGE = 50;
const MOST_LINES = 100_000_000;

function lineIn(text: string | undefined): number | null {
  const digits = /^\D{0,20}?(\d{1,9})(?!\d)/.exec(text ?? '')?.[1];
  const line = Number(digits ?? 0);
  return line >= 1 && line < MOST_LINES ? line : null;
}

const FILE_AND_LINES = /^((?:[a-z]:)?[^:#]*[^:#/])(?::|#L)(\d+(?:-L?\d+)?)(?::\d+)?$/i;

/** A file with forward slashes and without a scheme or `./`, and the line after it, if any: `main.tf:12`. */
export function readFile(value: unknown): { file: string | null; lines: LineRange } {
  const path = readText(value)
    .replace(/^file:\/\//i, '')
    .replaceAll('\\', '/')
    .replace(/^(?:\.\/+)+/, '');
  const [, file = path, lines = ''] = FILE_AND_LINES.exec(path) ?? [];
  return { file: file === '' ? null : file, lines: readLines(lines) };
}

/** A list inside a list is not read: it could be nested without end. */
function readItem(value: unknown): string {
  return Array.isArray(value) ? '' : readText(value);
}

/** Split at commas, semicolons and line ends, but not inside brackets: `data["a,b"]` is one. */
function splitList(text: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let depth = 0;
  for (let at = 0; at <= text.length; at += 1) {
    const character = text[at];
    if (character === '[') depth += 1;
    else if (character === ']') depth = Math.max(0, depth - 1);
    else if (character === undefined || (depth === 0 && /[,;\n]/.test(character))) {
      const part = text.slice(start, at).trim();
      if (part !== '') parts.push(part);
      start = at + 1;
    }
  }
  return parts;
}
