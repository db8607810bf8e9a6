import { type CsvCell, type CsvProblem, readCsv } from './csv.ts';

/** A CSV file whose first line names its columns. Every row has a cell for each of them. */
export interface CsvTable {
  columns: { name: string; offset: number }[];
  rows: { cells: CsvCell[]; offset: number }[];
}

export function readCsvTable(text: string): CsvTable | { problem: CsvProblem } {
  const records = readCsv(text);
  const rows: CsvTable['rows'] = [];
  let columns: CsvTable['columns'] | null = null;
  for (;;) {
    const { done, value } = records.next();
    if (done) return value ? { problem: value } : { columns: columns ?? [], rows };
    const offset = value[0]?.offset ?? 0;
    if (columns === null) {
      columns = value.map((cell) => ({ name: cell.text.trim(), offset: cell.offset }));
      const problem = headerProblem(columns);
      if (problem) return { problem };
      continue;
    }
    if (value.length !== columns.length) {
      const message = `this row has ${value.length} values, but the first line names ${columns.length} columns`;
      return { problem: { offset, message, hint: 'put a value with a comma in quotes' } };
    }
    rows.push({ cells: value, offset });
  }
}

function headerProblem(header: CsvTable['columns']): CsvProblem | null {
  const seen = new Set<string>();
  for (const { name, offset } of header) {
    if (name === '') return { offset, message: 'this column has no name in the first line' };
    if (seen.has(name)) return { offset, message: `there are two columns named "${name}"` };
    seen.add(name);
  }
  const [only] = header;
  if (header.length === 1 && only && /[;\t]/.test(only.name)) {
    return { offset: only.offset, message: 'columns must be separated by commas' };
  }
  return null;
}
