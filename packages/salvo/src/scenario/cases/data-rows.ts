import { extname } from 'node:path';
import { cellValue } from '../../text/csv/csv.ts';
import { readCsvTable } from '../../text/csv/csv-table.ts';
import { doubledKeyAt } from '../../text/json/doubled-keys.ts';
import { isRecord } from '../../text/json/is-record.ts';
import { jsonOrUndefined } from '../../text/json/json-in-text.ts';
import { jsonSyntaxError } from '../../text/json/json-syntax-error.ts';
import { bracketsFrom, endOfString } from '../../text/json/nesting.ts';
import { once } from '../../text/memo.ts';
import { announceRows } from '../../text/modules/process-work.ts';
import type { SourceText, Span } from '../../text/source-text.ts';
import { kindOfValue } from '../../text/words/value-words.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { locate, type Path } from '../diagnostics/located-value.ts';
import { diagnosticAt, type ProblemText } from '../diagnostics/problem.ts';
import { loadYaml } from '../yaml/load-yaml.ts';
import { readInsideRoot } from '../yaml/read-source.ts';
import { resolveYaml } from '../yaml/resolve-yaml.ts';
import { MAX_LEXEMES, parseYamlTree } from '../yaml/yaml-tree.ts';
import type { DataRow } from './template.ts';

/** The rows of a data file, and where they are in it. */
interface DataRows {
  rows: DataRow[];
  /** Of a row, or of a value in it: the path begins with the column. */
  spanOf(row: number, path?: Path): Span;
  /** Where the column is named, if not in every row. */
  headerSpan?(column: string): Span;
}

/** Without `spanOf`, the rows are written in the scenario. */
export type Data = Pick<DataRows, 'rows'> & Partial<DataRows>;

export type ReadRows = DataRows | { problem: ProblemText } | { diagnostics: Diagnostic[] };

/** More rows than this would need a database, not a file. */
const MOST_ROWS = 100_000;
const MOST_MEGABYTES = 64;
/** In characters. A file has hardly more rows than its length divided by this. */
const SHORT_ROW = 40;

const DATA_FORMATS = '.csv, .jsonl, .ndjson, .json, .yaml and .yml';

/** How a data file is named. */
interface DataFile {
  file: string;
  /** As it was written. */
  name: string;
  root: string;
  /** Every cell of a CSV file is a text. */
  asText?: boolean;
}

/** Reads a data file: CSV, JSON lines, JSON or YAML by the end of its name. */
export function readDataFile(reference: DataFile): ReadRows {
  const extension = extname(reference.file).toLowerCase();
  const read = { '.csv': csvRows, '.jsonl': jsonLines, '.ndjson': jsonLines, '.json': jsonRows }[extension];
  if (extension === '.yaml' || extension === '.yml') return yamlRows(reference);
  if (!read) {
    const message = `${reference.name} is not a data file: its name must end in ${DATA_FORMATS}`;
    return { problem: { code: 'invalid-value', message } };
  }
  const source = readInsideRoot({ ...reference, mostMegabytes: MOST_MEGABYTES });
  if ('problem' in source) return source;
  announceRows(source.source.text.length / SHORT_ROW);
  return read(source.source, reference.asText);
}

type Code = 'csv-syntax' | 'yaml-syntax' | 'invalid-row' | 'too-large' | 'duplicate-key';

function failed(
  source: SourceText,
  problem: { offset: number; code: Code; message: string; hint?: string | undefined },
) {
  const { offset, ...text } = problem;
  return { diagnostics: [diagnosticAt(spanAt(source, offset), text)] };
}

function spanAt(source: SourceText, start = 0, length = 1): Span {
  return { source, start, end: start + length };
}

const TOO_MANY = { code: 'too-large', message: `there are more than ${MOST_ROWS} rows` } as const;

/** Columns of one-line assertions; a number in them is a text, too. */
export function isExpectedColumn(name: string): boolean {
  return /^__expected\d*$/.test(name);
}

function csvRows(source: SourceText, asText = false): ReadRows {
  const table = readCsvTable(source.text);
  if ('problem' in table) return failed(source, { code: 'csv-syntax', ...table.problem });
  const tooMany = table.rows[MOST_ROWS];
  if (tooMany) return failed(source, { offset: tooMany.offset, ...TOO_MANY });
  const columns = new Map(table.columns.map(({ name, offset }) => [name, offset]));
  return {
    rows: table.rows.map(({ cells }) =>
      Object.fromEntries(
        cells.map((cell, index) => {
          const name = table.columns[index]?.name ?? '';
          return [name, asText || isExpectedColumn(name) ? cell.text : cellValue(cell)];
        }),
      ),
    ),
    spanOf: (row, [column] = []) => {
      const position = table.columns.findIndex(({ name }) => name === column);
      const { cells = [], offset } = table.rows[row] ?? {};
      return spanAt(source, cells[position]?.offset ?? offset);
    },
    headerSpan: (column) => spanAt(source, columns.get(column), column.length),
  };
}

function jsonLines(source: SourceText): ReadRows {
  const rows: DataRow[] = [];
  const offsets: number[] = [];
  const { text } = source;
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline;
    if (text.slice(start, end).trim() !== '') {
      const read = parseJson(source, start, end);
      if ('diagnostics' in read) return read;
      const { value } = read;
      if (!isRecord(value)) return failed(source, { offset: start, code: 'invalid-row', message: notARow(value) });
      if (rows.length === MOST_ROWS) return failed(source, { offset: start, ...TOO_MANY });
      rows.push(value);
      offsets.push(start);
    }
    start = end + 1;
  }
  return { rows, spanOf: (row, path) => jsonSpan(source, offsets[row], path) };
}

function jsonRows(source: SourceText): ReadRows {
  const read = parseJson(source, 0, source.text.length);
  if ('diagnostics' in read) return read;
  const { value } = read;
  if (!Array.isArray(value)) {
    const message = `data is a list of rows, but this is ${kindOfValue(value)}`;
    return failed(source, { offset: 0, code: 'invalid-row', message });
  }
  const list: readonly unknown[] = value;
  const offsets = once(() => entryOffsets(source.text));
  const spanOf = (row: number, path?: Path): Span => jsonSpan(source, offsets()[row], path);
  const wrong = list.findIndex((row) => !isRecord(row));
  if (wrong !== -1) {
    return failed(source, { offset: spanOf(wrong).start, code: 'invalid-row', message: notARow(list[wrong]) });
  }
  if (list.length > MOST_ROWS) return failed(source, { offset: spanOf(MOST_ROWS).start, ...TOO_MANY });
  return { rows: list.filter(isRecord), spanOf };
}

function yamlRows(reference: { file: string; name: string; root: string }): ReadRows {
  const readable = readInsideRoot(reference);
  if ('problem' in readable) return readable;
  const { root, diagnostics } = loadYaml({ file: reference.file, projectRoot: reference.root });
  if (!root || root.broken || diagnostics.some(({ severity }) => severity === 'error')) return { diagnostics };
  const at = (span: Span, message: string) => ({ diagnostics: [diagnosticAt(span, { code: 'invalid-row', message })] });
  const list: unknown = root.value ?? [];
  if (!Array.isArray(list)) return at(root.span, `data is a list of rows, but this is ${kindOfValue(list)}`);
  const wrong = list.findIndex((row) => !isRecord(row));
  if (wrong !== -1) return at(locate(root, [wrong], 'value').span, notARow(list[wrong]));
  return {
    rows: list.filter(isRecord),
    spanOf: (row, path = []) => locate(root, [row, ...path], path.length > 1 ? 'value' : 'key').span,
  };
}

export function notARow(value: unknown): string {
  return `a row is a map of columns and values, but this is ${kindOfValue(value)}`;
}

/** The value between two positions of a file, in which no key may occur twice. */
function parseJson(source: SourceText, start: number, end: number): { value: unknown } | { diagnostics: Diagnostic[] } {
  const text = source.text.slice(start, end);
  const value = jsonOrUndefined(text);
  if (value === undefined) {
    const error = jsonSyntaxError(text);
    const message = `not valid JSON: ${error?.message ?? 'a value is expected'}`;
    return failed(source, { offset: start + (error?.offset ?? 0), code: 'yaml-syntax', message });
  }
  const doubled = doubledKeyAt(text);
  if (!doubled) return { value };
  return failed(source, {
    offset: start + doubled.offset,
    code: 'duplicate-key',
    message: `the key ${JSON.stringify(doubled.key)} occurs twice in one object`,
    hint: 'remove one of them: which of both counts is not defined',
  });
}

/** Where a value of a JSON object is, which begins at this place. Only needed to report a problem. */
function jsonSpan(source: SourceText, start = 0, path: Path = []): Span {
  if (path.length === 0) return spanAt(source, start);
  const { end } = bracketsFrom(source.text, start);
  const text = source.text.slice(start, end ?? start).replaceAll('\t', ' ');
  const { contents } = parseYamlTree({ ...source, text }, { left: MAX_LEXEMES });
  const root =
    contents && resolveYaml({ source: { ...source, text }, contents, report: () => {}, include: () => null });
  if (!root) return spanAt(source, start);
  const found = locate(root, path, 'value').span;
  return { source, start: start + found.start, end: start + found.end };
}

/** Where the entries of a list begin, in valid JSON. Only needed to report a problem. */
function entryOffsets(text: string): number[] {
  const offsets: number[] = [];
  let depth = 0;
  let isNext = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (/\s/.test(character)) continue;
    if (isNext && character !== ']') offsets.push(at);
    isNext = false;
    if (character === '"') at = endOfString(text, at);
    else if (character === '[' || character === '{') {
      depth += 1;
      isNext = depth === 1;
    } else if (character === ']' || character === '}') depth -= 1;
    else if (character === ',') isNext = depth === 1;
  }
  return offsets;
}
