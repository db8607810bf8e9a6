import { adapterTypeOf } from '../../adapters/adapter-name.ts';
import { formatPlural } from '../../stats/format.ts';
import { isRecord } from '../../text/json/is-record.ts';
import { some } from '../../text/words/value-words.ts';
import { caseFields } from '../cases/case-fields.ts';
import { checkRowAssertions, type RowAssertions } from '../cases/check-row-assertions.ts';
import {
  checkEqualRows,
  checkHoldout,
  checkRows,
  MOST_ROW_PROBLEMS,
  type ReportRow,
  readData,
} from '../cases/check-rows.ts';
import type { Data } from '../cases/data-rows.ts';
import type { DataRow } from '../cases/template.ts';
import { templateAssertion } from '../cases/template-assertion.ts';
import { isLeftOut, renderAssertion, renderField } from '../cases/templated-fields.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Path } from '../diagnostics/located-value.ts';
import { diagnosticAt, type Problem } from '../diagnostics/problem.ts';
import type { Assertion } from '../schema/assertion-schema.ts';
import { thresholdWarning } from './check-minimums.ts';
import {
  assertionSurroundings,
  checkOne,
  checkScenarioWithoutData,
  otherThanScenario,
  withShared,
} from './check-scenario.ts';
import { checkColumns, checkTemplates, rowSignature, type ScenarioTemplates } from './check-templates.ts';
import { toolsFromFile } from './check-tools.ts';
import type { CheckedScenario, ScenarioChecks } from './scenario-checks.ts';

/** Every row is checked for what depends on types, but only so many whole scenarios. */
const MOST_CHECKED = 100;
const ALWAYS_CHECKED = 3;

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
  return otherThanScenario(value) ?? withShared(value, checks, (all) => checkCases(value, all));
}

/** Checks a scenario with data: the rows, the templates, and the scenarios that they make together. */
function checkCases({ data: written, ...template }: Record<string, unknown>, checks: ScenarioChecks): CheckedScenario {
  const problems: Problem[] = [];
  const diagnostics: Diagnostic[] = [];
  const report = (problem: Problem) => problems.push(problem);
  const templates = checkTemplates(report, template);
  const read = readData(written, checks);
  if ('problem' in read) {
    return { data: null, problems: [...problems, { path: ['data'], ...read.problem }], diagnostics };
  }
  if ('diagnostics' in read) return { data: null, problems, diagnostics: read.diagnostics };
  const data = checks.expected?.(read, (diagnostic) => diagnostics.push(diagnostic)) ?? read;
  /** A problem in the data: of the file of the scenario, or of another file. */
  const reportRow: ReportRow = (text, row, path = []) => {
    const [column] = path;
    const header = text.code === 'unused-column' ? data.headerSpan?.(String(column)) : undefined;
    const span = header ?? data.spanOf?.(row, path);
    if (span) diagnostics.push(diagnosticAt(span, text));
    else report({ ...text, path: ['data', row, ...path], at: path.length > 1 ? 'value' : 'key' });
  };
  checkRows(data.rows, reportRow);
  checkEqualRows(data.rows, reportRow);
  checkHoldout(template.holdout, data.rows, report);
  const own = ownAssertions({ data, template, templates, checks, reportRow, diagnostics });
  checkColumns(report, {
    sites: templates.sites,
    rows: data.rows,
    reportUnused: (column, row) => {
      if (receivesRow(template.adapter, checks) || column === template.holdout || own.columns.has(column)) return;
      const message = `no template names the column "${column}"`;
      const hint = `use it as {{${column}}}, or remove it`;
      reportRow({ severity: 'warning', code: 'unused-column', message, hint }, row, [column]);
    },
  });
  const isBroken = problems.some(isWrong) || diagnostics.some(isWrong);
  if (isBroken) return { data: null, problems, diagnostics };
  const rendering = { template, templates, checks: { ...checks, others: [...(checks.others ?? []), ...own.distinct] } };
  const checked = checkRendered(own.rows, rendering);
  checked.problems.push(
    ...fileProblems(data.rows, rendering),
    ...(checks.others ? [] : withoutAssertions(own.rows, rendering)),
  );
  for (const [row, { threshold, assertions }] of own.rows.entries()) {
    const common = [...checked.assertions.values(), ...(checks.others ?? [])];
    const warning = threshold === undefined ? null : thresholdWarning(threshold, common);
    if (warning && !Array.isArray(assertions)) reportRow(warning, row, ['threshold']);
    if (diagnostics.length + problems.length >= MOST_ROW_PROBLEMS) break;
  }
  const all = { problems: [...problems, ...checked.problems], diagnostics: [...diagnostics, ...checked.diagnostics] };
  const { first } = checked;
  // With an error, assertions may be missing among the checked ones.
  if (!first || checked.problems.some(isWrong)) return { data: null, ...all };
  const around = { ...checks, fileAt: checks.fileAt ?? (() => checks.file) };
  const fields = Object.fromEntries(
    [...templates.fields.keys()].map((field) => {
      const part = template[field];
      return [field, field === 'tools' && Array.isArray(part) ? toolsFromFile(part, around) : part];
    }),
  );
  const assertions = writtenAssertions(template).flatMap((raw, index) => {
    const each = checked.assertions.get(index);
    if (!templates.assertions.has(index)) return each ?? [];
    return [templateAssertion(raw, { around, path: ['assertions', index], checked: each })];
  });
  return { data: { ...first, ...fields, ...checks.files?.found(), assertions, data: own.rows }, ...all };
}

function writtenAssertions({ assertions }: Record<string, unknown>): readonly unknown[] {
  return Array.isArray(assertions) ? assertions : [];
}

interface OwnAssertions extends Rendering {
  data: Data;
  reportRow: ReportRow;
  diagnostics: Diagnostic[];
}

/** The rows with their own assertions checked. */
function ownAssertions({ data, template, templates, checks, reportRow, diagnostics }: OwnAssertions): RowAssertions {
  const { rows, spanOf } = data;
  if (!rows.some((row) => Object.hasOwn(row, 'assertions'))) return { rows, distinct: [], columns: new Set() };
  const { fileAt = () => checks.file } = checks;
  const ids = writtenAssertions(template).flatMap((each) => (isRecord(each) ? [each.id] : []));
  return checkRowAssertions(rows, {
    around: assertionSurroundings(rendered(template, templates, rows[0] ?? {}).value, checks, diagnostics),
    taken: new Set([...ids, ...(checks.others ?? []).map(({ id }) => id)].filter((id) => id !== undefined)),
    fileAt: (row) => (path) => spanOf?.(row).source.file ?? fileAt(['data', row, ...path]),
    report: (row) => (problem) => reportRow(problem, row, problem.path),
  });
}

/** Adapters of models see the messages of a case only. An agent receives its whole row. */
const OF_MODELS: ReadonlySet<unknown> = new Set(['openai', 'anthropic', 'ai-sdk', 'llama', 'scripted', undefined]);

function receivesRow(adapter: unknown, { defaultAdapter, adapterNames }: ScenarioChecks): boolean {
  return !OF_MODELS.has(adapterTypeOf(typeof adapter === 'string' ? adapter : defaultAdapter, adapterNames));
}

const isWrong = ({ severity = 'error' }: Pick<Problem, 'severity'>): boolean => severity === 'error';

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
      rendered(template, templates, row).value,
    );
  }
  return [...problems.values()];
}

interface CheckedRows {
  first: CheckedScenario['data'];
  /** The assertions of the scenario by their position, as some row gave them. */
  assertions: Map<number, Assertion>;
  problems: Problem[];
  diagnostics: Diagnostic[];
}

/** Checks the scenarios of the first rows, and of every row whose values are of another kind. */
function checkRendered(rows: readonly DataRow[], { template, templates, checks }: Rendering): CheckedRows {
  const signatureOf = rowSignature(templates.sites);
  const signatures = new Set<string>();
  const problems = new Map<string, Problem>();
  const assertions: CheckedRows['assertions'] = new Map();
  let first: CheckedScenario | null = null;
  for (const [index, row] of rows.entries()) {
    if (signatures.size >= MOST_CHECKED) break;
    const signature = signatureOf(row);
    if (index >= ALWAYS_CHECKED && signatures.has(signature)) continue;
    signatures.add(signature);
    const { value, kept } = rendered(template, templates, row);
    const { fileAt } = checks;
    const written = fileAt && ((path: Path) => fileAt(withWrittenIndex(path, kept)));
    const checked = checkOne(value, { ...checks, fileAt: written, files: undefined });
    first ??= checked;
    for (const [position, each] of (checked.data?.assertions ?? []).entries()) {
      assertions.set(kept[position] ?? position, each);
    }
    for (const found of checked.problems) {
      if (found.code === 'no-assertions') continue;
      const problem = { ...found, path: withWrittenIndex(found.path, kept) };
      const key = JSON.stringify([problem.path, problem.code]);
      if (problems.has(key)) continue;
      const isOfRow = templates.sites.some(
        ({ path }) => startsWith(path, problem.path) || startsWith(problem.path, path),
      );
      const message = `${problem.message} (in the case "${caseFields(row, index).name}")`;
      problems.set(key, isOfRow ? { ...problem, message } : problem);
    }
  }
  const { data = null, diagnostics = [] } = first ?? {};
  return { first: data, assertions, problems: [...problems.values()], diagnostics };
}

/** The position of an assertion in the file: a row may leave some out. */
function withWrittenIndex(path: Path, kept: readonly number[]): Path {
  const [field, position, ...rest] = path;
  if (field !== 'assertions' || typeof position !== 'number') return path;
  return ['assertions', kept[position] ?? position, ...rest];
}

function startsWith(path: Path, beginning: Path): boolean {
  return beginning.every((step, index) => path[index] === step);
}

/** The scenario of one row, as if it had been written without templates, and the positions of the assertions in it. */
function rendered(template: Record<string, unknown>, { fields, assertions }: ScenarioTemplates, row: DataRow) {
  const value: Record<string, unknown> = { ...template };
  for (const [field, each] of fields) value[field] = renderField(field, each, row);
  const written = writtenAssertions(template);
  const kept = written.flatMap((_, index) => {
    const each = assertions.get(index);
    return each && isLeftOut(each, row) ? [] : [index];
  });
  if (Array.isArray(template.assertions)) {
    value.assertions = kept.map((index) => {
      const each = assertions.get(index);
      return each ? renderAssertion(each, row) : written[index];
    });
  }
  return { value, kept };
}

/** Warns of cases without any assertion, and of assertions that every row leaves out. */
function withoutAssertions(rows: readonly DataRow[], { template, templates }: Rendering): Problem[] {
  const written = writtenAssertions(template);
  const left = (row: DataRow) => (_: unknown, index: number) => {
    const each = templates.assertions.get(index);
    return each !== undefined && isLeftOut(each, row);
  };
  const idle = written.flatMap((_, index): Problem[] => {
    if (!rows.every((row) => left(row)(_, index))) return [];
    const message = 'every row leaves this assertion out, because what it demands is empty in all of them';
    return [{ severity: 'warning', code: 'unused-value', message, path: ['assertions', index] }];
  });
  const hasNone = (row: DataRow) =>
    (!Array.isArray(row.assertions) || row.assertions.length === 0) && written.every(left(row));
  const none = rows.flatMap((row, index) => (hasNone(row) ? [caseFields(row, index).name] : []));
  if (none.length === 0) return idle;
  const message =
    none.length === rows.length
      ? 'the scenario has no assertions: nothing is checked, and its trials have no score'
      : `${formatPlural(none.length, 'case')} of ${rows.length} ${none.length === 1 ? 'has' : 'have'} no assertions, so that their trials have no score: ${some(none)}`;
  const path = template.assertions === undefined ? [] : ['assertions'];
  return [...idle, { severity: 'warning', code: 'no-assertions', message, path, at: 'key' }];
}
