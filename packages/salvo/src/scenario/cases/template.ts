import { isRecord } from '../../text/json/is-record.ts';
import { type Path, valueAt } from '../diagnostics/located-value.ts';

/** One row of a scenario's data: columns and their values. */
export type DataRow = Record<string, unknown>;

/** A `{{column}}` in a value. */
export interface TemplateSite {
  path: Path;
  /** Of `{{` in the text. */
  offset: number;
  column: string;
  /** The text is nothing but this template, so the value keeps its type. */
  isWhole: boolean;
}

interface TemplateProblem {
  path: Path;
  offset: number;
  message: string;
}

/** A value with templates, compiled once for all rows. */
export interface Template {
  sites: readonly TemplateSite[];
  problems: readonly TemplateProblem[];
  /**
   * Parts without a template are the same objects in every row. Everything else is new for each call. A number, a boolean
   * or null becomes a text if `isText` says so of its template.
   */
  render: Render;
}

type Render = (row: DataRow, isText?: (site: TemplateSite) => boolean) => unknown;

/** Null if the value has no templates. */
export function compileTemplate(value: unknown): Template | null {
  const sites: TemplateSite[] = [];
  const problems: TemplateProblem[] = [];
  const render = compile(value, [], { sites, problems });
  return render === null ? null : { sites, problems, render };
}

interface Found {
  sites: TemplateSite[];
  problems: TemplateProblem[];
}

function compile(value: unknown, path: Path, found: Found): Render | null {
  if (typeof value === 'string') return value.includes('{{') ? compileText(value, path, found) : null;
  if (Array.isArray(value)) {
    const list: readonly unknown[] = value;
    const parts = list.map((part, index) => compile(part, [...path, index], found));
    if (parts.every((part) => part === null)) return null;
    return (row, isText) => list.map((part, index) => (parts[index] ?? (() => part))(row, isText));
  }
  if (!isRecord(value)) return null;
  const entries = Object.entries(value).map(([key, part]) => ({
    key,
    part,
    render: compile(part, [...path, key], found),
  }));
  if (entries.every(({ render }) => render === null)) return null;
  return (row, isText) =>
    Object.fromEntries(entries.map(({ key, part, render }) => [key, render ? render(row, isText) : part]));
}

type Part = string | { column: string; offset: number };

function compileText(text: string, path: Path, found: Found): Render {
  const { parts, problem } = parseText(text);
  if (problem) found.problems.push({ ...problem, path });
  const isWhole = parts.length === 1;
  for (const part of parts) if (typeof part !== 'string') found.sites.push({ path, ...part, isWhole });
  const [only] = parts;
  if (isWhole && only !== undefined && typeof only !== 'string') {
    return (row, isText) => {
      const value = columnValue(row, only.column);
      const isScalar = value === null || typeof value === 'number' || typeof value === 'boolean';
      return isScalar && isText?.({ path, ...only, isWhole }) ? valueText(value) : value;
    };
  }
  return (row) =>
    parts.map((part) => (typeof part === 'string' ? part : valueText(columnValue(row, part.column)))).join('');
}

/** `\{{` is a literal `{{`. What a row contains is never read as a template. */
function parseText(text: string): { parts: Part[]; problem: { offset: number; message: string } | null } {
  const parts: Part[] = [];
  let literal = '';
  let at = 0;
  for (;;) {
    const open = text.indexOf('{{', at);
    if (open === -1) break;
    if (text[open - 1] === '\\') {
      literal += `${text.slice(at, open - 1)}{{`;
      at = open + 2;
      continue;
    }
    const close = text.indexOf('}}', open + 2);
    const column = close === -1 ? '' : text.slice(open + 2, close).trim();
    if (column === '' || column.includes('{{')) {
      const message =
        close === -1 || column !== '' ? 'this {{ has no }}' : 'a template names a column, such as {{question}}';
      return { parts, problem: { offset: open, message } };
    }
    literal += text.slice(at, open);
    if (literal !== '') parts.push(literal);
    literal = '';
    parts.push({ column, offset: open });
    at = close + 2;
  }
  literal += text.slice(at);
  if (literal !== '') parts.push(literal);
  return { parts, problem: null };
}

/** The value of a column, or of a part of it: `user.name`. Undefined if the row has none. */
export function columnValue(row: DataRow, column: string): unknown {
  return Object.hasOwn(row, column) ? row[column] : valueAt(row, column.split('.'));
}

/** A value inside a longer text. */
function valueText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === null || value === undefined ? '' : (JSON.stringify(value) ?? '');
}
