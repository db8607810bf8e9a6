import { assertionsOf } from '../cases/case-fields.ts';
import { type Data, isExpectedColumn } from '../cases/data-rows.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { diagnosticAt } from '../diagnostics/problem.ts';
import { expectedAssertion } from './expected-assertion.ts';

/** More problems than this are those of one mistake. */
const MOST_PROBLEMS = 20;

/**
 * The rows with the cells of their columns `__expected`, `__expected2`, ... as assertions, which come after those of the
 * column `assertions`. Problems have the place of the cell.
 */
export function withExpectedColumns(data: Data, report: (diagnostic: Diagnostic) => void): Data {
  const { spanOf } = data;
  const columns = Object.keys(data.rows[0] ?? {}).filter(isExpectedColumn);
  if (columns.length === 0 || !spanOf) return data;
  let problems = 0;
  /** The column of each assertion of a row, after those that it had. */
  const cells: { before: number; columns: string[] }[] = [];
  const rows = data.rows.map((row, index) => {
    const own = row.assertions === '' || row.assertions === undefined ? [] : assertionsOf(row.assertions);
    const found = columns.flatMap((column) => {
      const text = String(row[column] ?? '').trim();
      if (text === '') return [];
      const read = expectedAssertion(text);
      if ('assertion' in read) return [{ column, assertion: read.assertion }];
      if (problems < MOST_PROBLEMS) report(diagnosticAt(spanOf(index, [column]), { code: 'invalid-row', ...read }));
      problems += 1;
      return [];
    });
    cells.push({ before: own?.length ?? 0, columns: found.map(({ column }) => column) });
    const rest = Object.fromEntries(Object.entries(row).filter(([column]) => !isExpectedColumn(column)));
    // What is no list of assertions is reported as such.
    if (found.length === 0 || own === null) return rest;
    return { ...rest, assertions: [...own, ...found.map(({ assertion }) => assertion)] };
  });
  return {
    ...data,
    rows,
    spanOf(row, path = []) {
      const [key, position] = path;
      const { before = 0, columns: made = [] } = cells[row] ?? {};
      const column = key === 'assertions' && typeof position === 'number' ? made[position - before] : undefined;
      return spanOf(row, column === undefined ? path : [column]);
    },
  };
}
