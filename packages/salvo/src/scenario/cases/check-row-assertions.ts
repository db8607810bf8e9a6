import { isRecord } from '../../text/json/is-record.ts';
import type { AssertionSurroundings } from '../checks/check-assertion-fields.ts';
import { checkAssertions } from '../checks/check-assertions.ts';
import { fixedInAssertion, LITERAL_HINT } from '../checks/check-templates.ts';
import type { FileAt } from '../checks/written-path.ts';
import type { Problem, Report } from '../diagnostics/problem.ts';
import type { Assertion } from '../schema/assertion-schema.ts';
import { MOST_ASSERTIONS } from '../schema/scenario-schema.ts';
import { assertionsOf } from './case-fields.ts';
import { columnValue, compileTemplate, type DataRow, type Template } from './template.ts';
import { templateAssertion } from './template-assertion.ts';
import { isDemand, isLeftOut, renderAssertion } from './templated-fields.ts';

export interface RowAssertions {
  /** As they are stored with the scenario: each row with its checked assertions. */
  rows: DataRow[];
  /** The assertions of all rows, without equal ones. */
  distinct: Assertion[];
  /** Columns that templates in them name. */
  columns: Set<string>;
}

interface RowChecks {
  around: AssertionSurroundings;
  /** The ids of the scenario's own assertions. */
  taken: ReadonlySet<unknown>;
  /** In which file the value at a path of a row is written; the path begins with `assertions`. */
  fileAt: (row: number) => FileAt;
  /** Paths begin with `assertions`. */
  report: (row: number) => Report;
}

/** More problems than this are those of one mistake. */
const MOST_PROBLEMS = 20;

/** Checks the assertions that rows have of their own: all of them, but equal ones once. */
export function checkRowAssertions(rows: readonly DataRow[], checks: RowChecks): RowAssertions {
  const found: RowAssertions = { rows: [], distinct: [], columns: new Set() };
  const known = new Map<string, Assertion[]>();
  let problems = 0;
  for (const [index, row] of rows.entries()) {
    const written = assertionsOf(row.assertions);
    if (written === null || problems >= MOST_PROBLEMS) {
      found.rows.push(row);
      continue;
    }
    const report: Report = (problem) => {
      if ((problem.severity ?? 'error') === 'error') problems += 1;
      checks.report(index)(problem);
    };
    const templates = written.map((assertion) => compileTemplate(assertion));
    for (const site of templates.flatMap((each) => each?.sites ?? [])) found.columns.add(site.column);
    const fileAt = checks.fileAt(index);
    // What is checked: the values of the row, and where paths are written.
    const key = JSON.stringify([rendered(written, templates, row), written, fileAt(['assertions'])]);
    const before = known.get(key);
    const assertions =
      before ??
      checkRow({ row, written, templates, report, around: { ...checks.around, fileAt }, taken: checks.taken });
    if (!before) {
      known.set(key, assertions);
      found.distinct.push(...assertions);
    }
    found.rows.push({ ...row, assertions });
  }
  return found;
}

interface CheckedRow extends Pick<RowChecks, 'around' | 'taken'> {
  row: DataRow;
  written: unknown[];
  templates: (Template | null)[];
  report: Report;
}

function checkRow({ row, written, templates, report, around, taken }: CheckedRow): Assertion[] {
  const problems: Problem[] = [...checkOwnTemplates(row, templates)];
  if (written.length > MOST_ASSERTIONS) {
    const message = `a row has at most ${MOST_ASSERTIONS} assertions, and this one has ${written.length}`;
    problems.push({ code: 'too-large', message, path: ['assertions'] });
  }
  const kept = written.flatMap((assertion, index) => {
    const template = templates[index];
    if (template && isLeftOut(template, row)) return [];
    if (isRecord(assertion) && assertion.id !== undefined && taken.has(assertion.id)) {
      const message = `the scenario has an assertion with the id "${assertion.id}", too`;
      problems.push({ code: 'duplicate-id', message, path: ['assertions', index, 'id'] });
    }
    return [{ index, rendered: template ? renderAssertion(template, row) : assertion }];
  });
  const originally = ({ path: [key, position, ...rest], ...problem }: Problem): Problem => {
    const index = typeof position === 'number' ? (kept[position]?.index ?? position) : position;
    return { ...problem, path: [key ?? 'assertions', ...(index === undefined ? [] : [index]), ...rest] };
  };
  const checked = problems.some(isWrong)
    ? []
    : checkAssertions(
        (problem) => problems.push(originally(problem)),
        kept.map((each) => each.rendered),
        { ...around, fileAt: (path) => around.fileAt(originally({ code: 'wrong-type', message: '', path }).path) },
      );
  for (const problem of problems) report(problem);
  if (problems.some(isWrong)) return [];
  return written.flatMap((assertion, index) => {
    const position = kept.findIndex((each) => each.index === index);
    const template = templates[index];
    if (!template) return checked[position] ?? [];
    return [templateAssertion(assertion, { around, path: ['assertions', index], checked: checked[position] })];
  });
}

const isWrong = ({ severity = 'error' }: Pick<Problem, 'severity'>): boolean => severity === 'error';

/** What the templates of a row's assertions say that cannot be replaced. */
function checkOwnTemplates(row: DataRow, templates: readonly (Template | null)[]): Problem[] {
  return templates.flatMap((template, index) => {
    const path = ['assertions', index];
    const malformed = (template?.problems ?? []).map(
      (problem): Problem => ({
        ...problem,
        code: 'invalid-template',
        hint: LITERAL_HINT,
        path: [...path, ...problem.path],
      }),
    );
    const sites = (template?.sites ?? []).flatMap((site): Problem[] => {
      const place = { path: [...path, ...site.path], offset: site.offset };
      if (fixedInAssertion(site.path[0])) {
        const message = `"${site.path[0]}" cannot have a template: reports group by it, or it is read once`;
        return [{ code: 'invalid-template', message, ...place }];
      }
      if (columnValue(row, site.column) !== undefined || isDemand(site)) return [];
      return [
        { code: 'missing-column', message: `this row has no column "${site.column}"`, hint: LITERAL_HINT, ...place },
      ];
    });
    return [...malformed, ...sites];
  });
}

function rendered(written: readonly unknown[], templates: readonly (Template | null)[], row: DataRow): unknown[] {
  return written.map((assertion, index) => templates[index]?.render(row) ?? assertion);
}
