import { type CsvCell, cellValue } from '../../text/csv/csv.ts';
import { readCsvTable } from '../../text/csv/csv-table.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { sourceText } from '../../text/source-text.ts';

/**
 * A table of labels as JSON lines, each on the line on which its row begins. Columns are named like the keys of the
 * lines; `labels.polite` and `votes.gpt-4o` are the entries of a map. Throws if it is not CSV.
 */
export function jsonLinesOfTable(text: string, { file }: { file: string }): string {
  const source = sourceText({ file, text: text.replace(/^\ufeff/, '') });
  const table = readCsvTable(source.text);
  if ('problem' in table) {
    const { line, column } = source.place(table.problem.offset);
    const hint = table.problem.hint === undefined ? '' : ` (${table.problem.hint})`;
    const message = `${file}:${line}:${column}: ${table.problem.message}${hint}`;
    throw new SalvoError('LABELS_INVALID', message, { location: { file, line, column } });
  }
  const lines: string[] = [];
  for (const { cells, offset } of table.rows) {
    lines[source.place(offset).line - 1] = JSON.stringify(rowOf(table.columns, cells));
  }
  // Lines of the header and of line breaks in quotes are empty.
  return Array.from(lines, (line) => line ?? '').join('\n');
}

function rowOf(columns: readonly { name: string }[], cells: readonly CsvCell[]): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  const maps = { labels: new Map<string, unknown>(), votes: new Map<string, unknown>() };
  for (const [index, cell] of cells.entries()) {
    const name = columns[index]?.name ?? '';
    const [, map, key] = /^(labels|votes)\.(.+)$/s.exec(name) ?? [];
    if (map === 'labels' && key !== undefined) {
      if (cell.text !== '') maps.labels.set(key, cellValue(cell));
    } else if (map === 'votes' && key !== undefined) maps.votes.set(key, verdictOf(cell));
    else row[name] = VERDICTS.has(name) ? verdictOf(cell) : cell.text === '' ? null : cell.text;
  }
  for (const [name, map] of Object.entries(maps)) if (map.size > 0) row[name] = Object.fromEntries(map);
  return row;
}

const VERDICTS = new Set(['human', 'judge', 'passed']);

/** How people, and programs for tables, write them. */
const WORDS: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'pass', 'passed', 'yes'].map((word) => [word, true] as const),
  ...['false', 'fail', 'failed', 'no'].map((word) => [word, false] as const),
]);

/** Null if the cell is empty: nobody gave a verdict. */
function verdictOf(cell: CsvCell): unknown {
  const word = cell.text.trim().toLowerCase();
  return word === '' ? null : (WORDS.get(word) ?? cellValue({ ...cell, text: word, isQuoted: false }));
}
