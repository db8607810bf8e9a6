import { hash } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import { isRecord } from '../../text/json/is-record.ts';
import { readShare } from '../../text/share.ts';
import { kindOfValue, some } from '../../text/words/value-words.ts';
import type { ScenarioChecks } from '../checks/scenario-checks.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Path } from '../diagnostics/located-value.ts';
import type { Problem, ProblemText } from '../diagnostics/problem.ts';
import { caseFieldProblems, caseFields, isHeldOut, rowContent } from './case-fields.ts';
import { type Data, notARow, type ReadRows, readDataFile } from './data-rows.ts';
import type { DataRow } from './template.ts';

/** More problems of rows than this are those of one mistake. */
export const MOST_ROW_PROBLEMS = 20;

/** Reports a problem of a row. The path, if there is one, begins with a column. */
export type ReportRow = (
  text: ProblemText & Pick<Problem, 'severity' | 'offset'>,
  row: number,
  path?: Path | undefined,
) => void;

export function readData(
  written: unknown,
  { file, fileAt, readRoot }: ScenarioChecks,
): Data | { problem: ProblemText & { path?: Path } } | { diagnostics: Diagnostic[] } {
  const data = typeof written === 'string' ? readNamedFile(written) : inlineRows(written);
  if (!('rows' in data) || data.rows.length > 0) return data;
  const message = typeof written === 'string' ? `${written} has no rows` : 'the data has no rows';
  return { problem: { code: 'empty-data', message, hint: 'a case needs a row; without data there is one case' } };

  function readNamedFile(name: string): ReadRows {
    if (name.trim() === '' || name.includes('\0')) {
      return { problem: { code: 'invalid-value', message: '"data" needs the name of a file, or a list of rows' } };
    }
    const folder = dirname(fileAt?.(['data']) ?? file);
    return readDataFile({ file: resolve(folder, name), name, root: readRoot });
  }
}

function inlineRows(written: unknown): Data | { problem: ProblemText & { path?: Path } } {
  if (!Array.isArray(written)) {
    const message = `"data" should be a list of rows or the name of a file, but is ${kindOfValue(written)}`;
    return { problem: { code: 'wrong-type', message } };
  }
  const list: readonly unknown[] = written;
  const wrong = list.findIndex((row) => !isRecord(row));
  if (wrong !== -1) return { problem: { code: 'invalid-row', message: notARow(list[wrong]), path: ['data', wrong] } };
  return { rows: list.filter(isRecord) };
}

export function checkRows(rows: readonly DataRow[], reportRow: ReportRow): void {
  const names = new Map<string, number>();
  let reported = 0;
  for (const [index, row] of rows.entries()) {
    if (reported >= MOST_ROW_PROBLEMS) return;
    const wrong = caseFieldProblems(row);
    for (const { column, message } of wrong) reportRow({ code: 'invalid-row', message }, index, [column]);
    reported += wrong.length;
    if (wrong.length > 0) continue;
    const { name } = caseFields(row, index);
    const first = names.get(name);
    if (first !== undefined) {
      const message = `rows ${first + 1} and ${index + 1} both make a case named "${name}"`;
      reportRow({ code: 'duplicate-case', message, hint: 'give each row a name of its own' }, index);
      reported += 1;
    }
    names.set(name, index);
  }
}

/** Equal rows are one case: they count as several, and intervals would be too narrow. */
export function checkEqualRows(rows: readonly DataRow[], reportRow: ReportRow): void {
  const keyOf = (row: DataRow) => hash('sha256', rowContent(row));
  const groups = Map.groupBy(rows.keys(), (index) => keyOf(rows[index] ?? {}));
  const equal = [...groups.values()].filter(({ length }) => length > 1);
  for (const [first = 0, ...others] of equal.slice(0, MOST_ROW_PROBLEMS)) {
    const which = some(others.map((index) => String(index + 1)));
    const are = others.length === 1 ? `row ${which} is equal to row` : `rows ${which} are equal to row`;
    reportRow(
      {
        severity: 'warning',
        code: 'equal-rows',
        message: `${are} ${first + 1}: together they are one case, and are counted as ${others.length + 1}`,
        hint: 'remove the copies; `trials` in the row says how often a case runs',
      },
      others[0] ?? first,
    );
  }
}

/** With fewer rows on a side, little can be said about how both differ. */
const FEW_ROWS = 5;

export function checkHoldout(holdout: unknown, rows: readonly DataRow[], report: (problem: Problem) => void): void {
  if (typeof holdout !== 'string' && typeof holdout !== 'number') return;
  const by = readShare(holdout) ?? holdout;
  if (typeof by === 'string' && !rows.some((row) => Object.hasOwn(row, by))) {
    const hint = 'name a column, or give a share such as 20%';
    report({ code: 'invalid-value', message: `no row has the column "${by}" of "holdout"`, hint, path: ['holdout'] });
    return;
  }
  const held = rows.filter((row) => isHeldOut(row, by)).length;
  const others = rows.length - held;
  if (Math.min(held, others) >= FEW_ROWS) return;
  const message = `${held} of ${rows.length} rows are held out, and ${others} are not: fewer than ${FEW_ROWS} on a side show little`;
  report({ severity: 'warning', code: 'few-held-out', message, path: ['holdout'] });
}
