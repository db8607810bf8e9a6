import { hash } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import { adapterTypeOf } from '../../adapters/adapter-name.ts';
import { isRecord } from '../../text/json/is-record.ts';
import { readShare } from '../../text/share.ts';
import { kindOfValue, some } from '../../text/words/value-words.ts';
import { caseFieldProblems, caseFields, isHeldOut, rowContent } from '../cases/case-fields.ts';
import { type DataRows, notARow, type ReadRows, readDataFile } from '../cases/data-rows.ts';
import type { DataRow } from '../cases/template.ts';
import { renderAssertion, renderField } from '../cases/templated-fields.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Path } from '../diagnostics/located-value.ts';
import { diagnosticAt, type Problem, type ProblemText } from '../diagnostics/problem.ts';
import { anyAssertionSchema } from '../schema/assertion-types.ts';
import { expandJudgeSentence, expandOperator, isJudgeSentence, isShorthand } from './assertion/expand-shorthand.ts';
import { withRebasedPaths } from './check-assertion-fields.ts';
import { thresholdWarning } from './check-minimums.ts';
import { checkOne, checkScenarioWithoutData, otherThanScenario } from './check-scenario.ts';
import { checkColumns, checkTemplates, rowSignature, type ScenarioTemplates } from './check-templates.ts';
import { toolsFromFile } from './check-tools.ts';
import type { CheckedScenario, ScenarioChecks } from './scenario-checks.ts';

/** Every row is checked for what depends on types, but only so many whole scenarios. */
const MOST_CHECKED = 100;
const ALWAYS_CHECKED = 3;
const MOST_ROW_PROBLEMS = 20;

/** Checks the value of a scenario, with data or without, and lists all its problems. */
export function checkScenario(value: unknown, checks: ScenarioChecks): CheckedScenario {
  if (isRecord(value) && value.data === undefined && value.holdout !== undefined) {
    const checked = checkScenarioWithoutData(value, checks);
    const message = '"holdout" chooses among the rows of "data", and there are none';
    return {
      ...checked,
      data: null,
      problems: [...checked.problems, { code: 'missing-key', message, path: ['holdout'] }],
    };
  }
  if (!isRecord(value) || value.data === undefined) return checkScenarioWithoutData(value, checks);
  return otherThanScenario(value) ?? checkCases(value, checks);
}

/** Checks a scenario with data: the rows, the templates, and the scenarios that they make together. */
function checkCases({ data: written, ...template }: Record<string, unknown>, checks: ScenarioChecks): CheckedScenario {
  const problems: Problem[] = [];
  const diagnostics: Diagnostic[] = [];
  const report = (problem: Problem) => problems.push(problem);
  const templates = checkTemplates(report, template);
  const data = readData(written, checks);
  if ('problem' in data) {
    return { data: null, problems: [...problems, { path: ['data'], ...data.problem }], diagnostics };
  }
  if ('diagnostics' in data) return { data: null, problems, diagnostics: data.diagnostics };
  /** A problem in the data: of the file of the scenario, or of another file. */
  const reportRow = (text: ProblemText & Pick<Problem, 'severity'>, row: number, column?: string) => {
    const header = column !== undefined && text.code === 'unused-column' ? data.headerSpan?.(column) : undefined;
    const span = header ?? data.spanOf?.(row, column);
    if (span) diagnostics.push(diagnosticAt(span, text));
    else report({ ...text, path: column === undefined ? ['data', row] : ['data', row, column], at: 'key' });
  };
  checkRows(data.rows, reportRow);
  checkEqualRows(data.rows, reportRow);
  checkHoldout(template.holdout, data.rows, report);
  checkColumns(report, {
    sites: templates.sites,
    rows: data.rows,
    reportUnused: (column, row) => {
      if (receivesRow(template.adapter, checks) || column === template.holdout) return;
      const message = `no template names the column "${column}"`;
      const hint = `use it as {{${column}}}, or remove it`;
      reportRow({ severity: 'warning', code: 'unused-column', message, hint }, row, column);
    },
  });
  const isBroken = problems.some(isWrong) || diagnostics.some(isWrong);
  if (isBroken) return { data: null, problems, diagnostics };
  const rendering = { template, templates, checks };
  const checked = checkRendered(data.rows, rendering);
  checked.problems.push(...fileProblems(data.rows, rendering));
  const idle = data.rows.flatMap(({ threshold }, row) => {
    const warning = thresholdWarning(threshold, checked.first?.assertions ?? []);
    return warning ? [{ warning, row }] : [];
  });
  for (const { warning, row } of idle.slice(0, MOST_ROW_PROBLEMS)) reportRow(warning, row, 'threshold');
  const all = { problems: [...problems, ...checked.problems], diagnostics: [...diagnostics, ...checked.diagnostics] };
  const { first } = checked;
  // With an error, assertions may be missing among the checked ones.
  if (!first || checked.problems.some(isWrong)) return { data: null, ...all };
  const writtenAt = { fileAt: checks.fileAt ?? (() => checks.file), file: checks.file };
  const fields = Object.fromEntries(
    [...templates.fields.keys()].map((field) => {
      const part = template[field];
      return [field, field === 'tools' && Array.isArray(part) ? toolsFromFile(part, writtenAt) : part];
    }),
  );
  const assertions = first.assertions.map((assertion, index) => {
    if (!templates.assertions.has(index) || !Array.isArray(template.assertions)) return assertion;
    const raw: unknown = template.assertions[index];
    // A judge has the criteria of its rubric file by now.
    const criteria = isRecord(raw) && raw.rubric !== undefined ? { criteria: Reflect.get(assertion, 'criteria') } : {};
    const { weight, required } = assertion;
    const whole = { weight, required, ...templateAssertion(raw, index, checks), ...criteria };
    return anyAssertionSchema.parse(whole);
  });
  return { data: { ...first, ...fields, ...checks.files?.found(), assertions, data: data.rows }, ...all };
}

/** Adapters of models see the messages of a case only. An agent receives its whole row. */
const OF_MODELS: ReadonlySet<unknown> = new Set(['openai', 'anthropic', 'ai-sdk', 'llama', 'scripted', undefined]);

function receivesRow(adapter: unknown, { defaultAdapter, adapterNames }: ScenarioChecks): boolean {
  return !OF_MODELS.has(adapterTypeOf(typeof adapter === 'string' ? adapter : defaultAdapter, adapterNames));
}

const isWrong = ({ severity = 'error' }: Pick<Problem, 'severity'>): boolean => severity === 'error';

/** Without `spanOf`, the rows are written in the scenario. */
type Data = Pick<DataRows, 'rows'> & Partial<DataRows>;

function readData(
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

function checkRows(
  rows: readonly DataRow[],
  reportRow: (text: ProblemText, row: number, column?: string) => void,
): void {
  const names = new Map<string, number>();
  let reported = 0;
  for (const [index, row] of rows.entries()) {
    if (reported >= MOST_ROW_PROBLEMS) return;
    const wrong = caseFieldProblems(row);
    for (const { column, message } of wrong) reportRow({ code: 'invalid-row', message }, index, column);
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
function checkEqualRows(
  rows: readonly DataRow[],
  reportRow: (text: ProblemText & Pick<Problem, 'severity'>, row: number) => void,
): void {
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

function checkHoldout(holdout: unknown, rows: readonly DataRow[], report: (problem: Problem) => void): void {
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

interface Rendering {
  template: Record<string, unknown>;
  templates: ScenarioTemplates;
  checks: ScenarioChecks;
}

/** Unlike other values, every file that a row names is looked at: one that is missing is known before anything is paid. */
function fileProblems(rows: readonly DataRow[], { template, templates, checks }: Rendering): Problem[] {
  const { files } = checks;
  if (!files) return [];
  const problems = new Map<string, Problem>();
  const isOfRows = templates.sites.some(({ path }) => path.includes('files') || path[0] === 'workspace');
  for (const [index, row] of (isOfRows ? rows : rows.slice(0, 1)).entries()) {
    const { name, skip } = caseFields(row, index);
    if (isOfRows && skip !== null) continue;
    if (problems.size >= MOST_ROW_PROBLEMS) break;
    files.check(
      (problem) => {
        const message = isOfRows ? `${problem.message} (in the case "${name}")` : problem.message;
        problems.set(JSON.stringify([problem.path, problem.message]), { ...problem, message });
      },
      rendered(template, templates, row),
    );
  }
  return [...problems.values()];
}

/** Checks the scenarios of the first rows, and of every row whose values are of another kind. */
function checkRendered(
  rows: readonly DataRow[],
  { template, templates, checks }: Rendering,
): { first: CheckedScenario['data']; problems: Problem[]; diagnostics: Diagnostic[] } {
  const signatureOf = rowSignature(templates.sites);
  const signatures = new Set<string>();
  const problems = new Map<string, Problem>();
  let first: CheckedScenario | null = null;
  for (const [index, row] of rows.entries()) {
    if (signatures.size >= MOST_CHECKED) break;
    const signature = signatureOf(row);
    if (index >= ALWAYS_CHECKED && signatures.has(signature)) continue;
    signatures.add(signature);
    const checked = checkOne(rendered(template, templates, row), { ...checks, files: undefined });
    first ??= checked;
    for (const problem of checked.problems) {
      const key = JSON.stringify([problem.path, problem.code]);
      if (problems.has(key)) continue;
      const isOfRow = templates.sites.some(
        ({ path }) => startsWith(path, problem.path) || startsWith(problem.path, path),
      );
      const message = `${problem.message} (in the case "${caseFields(row, index).name}")`;
      problems.set(key, isOfRow ? { ...problem, message } : problem);
    }
  }
  return { first: first?.data ?? null, problems: [...problems.values()], diagnostics: first?.diagnostics ?? [] };
}

function startsWith(path: Path, beginning: Path): boolean {
  return beginning.every((step, index) => path[index] === step);
}

/** The scenario of one row, as if it had been written without templates. */
function rendered(template: Record<string, unknown>, { fields, assertions }: ScenarioTemplates, row: DataRow) {
  const value: Record<string, unknown> = { ...template };
  for (const [field, each] of fields) value[field] = renderField(field, each, row);
  if (Array.isArray(value.assertions)) {
    value.assertions = value.assertions.map((assertion: unknown, index) => {
      const each = assertions.get(index);
      return each ? renderAssertion(each, row) : assertion;
    });
  }
  return value;
}

/** An assertion with templates in the form in which it is stored: without shorthand, paths relative to the scenario. */
function templateAssertion(assertion: unknown, index: number, checks: ScenarioChecks): Record<string, unknown> {
  if (!isRecord(assertion)) return {};
  const around = { ...checks, fileAt: checks.fileAt ?? (() => checks.file) };
  const ofSentence = isJudgeSentence(assertion) ? expandJudgeSentence(assertion) : assertion;
  const long = isShorthand(assertion) ? expandOperator(assertion) : ofSentence;
  return withRebasedPaths({ assertion: long, around, path: ['assertions', index] });
}
