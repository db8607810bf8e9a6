import { isRecord } from '../../text/json/is-record.ts';
import { suggestion } from '../../text/words/did-you-mean.ts';
import { some } from '../../text/words/value-words.ts';
import { RESERVED_COLUMNS } from '../cases/case-fields.ts';
import { columnValue, compileTemplate, type DataRow, type Template, type TemplateSite } from '../cases/template.ts';
import { isDemand, TEMPLATED_FIELDS } from '../cases/templated-fields.ts';
import type { Path } from '../diagnostics/located-value.ts';
import type { Report } from '../diagnostics/problem.ts';

/** The templates of a scenario's value. */
export interface ScenarioTemplates {
  /** By the name of the field. */
  fields: Map<(typeof TEMPLATED_FIELDS)[number], Template>;
  /** By position. */
  assertions: Map<number, Template>;
  /** All of them, with paths from the root of the file. */
  sites: TemplateSite[];
}

/** These have to be the same in all cases: reports group by them, and files are read once. */
const FIXED_IN_ASSERTIONS = [
  ...['type', 'id', 'weight', 'required', 'operator', 'rubric', 'exists', 'not_exists'],
  // Code reads the row: context.vars.
  ...['code', 'transform'],
];
const FIXED_IN_TOOLS = [
  ...['name', 'parameters', 'effect', 'module', 'function'],
  ...['only', 'prefix', 'resources', 'cassette'],
];
/** Of `mcp`: which variables a server receives does not depend on data. */
const FIXED_IN_SERVERS = ['env'];

/** Compiles the templates, and reports those that are malformed or in a place where none can be used. */
export function checkTemplates(report: Report, value: Record<string, unknown>): ScenarioTemplates {
  const found: ScenarioTemplates = { fields: new Map(), assertions: new Map(), sites: [] };
  const take = (part: unknown, path: Path, keep: (template: Template) => void) => {
    const template = compileTemplate(part);
    if (!template) return;
    keep(template);
    for (const problem of template.problems) {
      report({ ...problem, code: 'invalid-template', hint: LITERAL_HINT, path: [...path, ...problem.path] });
    }
    for (const site of template.sites) {
      const at = { ...site, path: [...path, ...site.path] };
      const fixed = fixedKey(at.path, value.tools);
      if (fixed !== null) {
        const message = `${fixed} is the same in all cases: it cannot have a template`;
        const isCode = /"(?:code|transform)"/.test(fixed);
        const hint = isCode ? `code finds the row in context.vars: context.vars.${site.column}` : undefined;
        report({ code: 'invalid-template', message, hint, path: at.path, offset: site.offset });
      } else found.sites.push(at);
    }
  };
  for (const field of TEMPLATED_FIELDS) take(value[field], [field], (template) => found.fields.set(field, template));
  for (const [index, assertion] of (Array.isArray(value.assertions) ? value.assertions : []).entries()) {
    take(assertion, ['assertions', index], (template) => found.assertions.set(index, template));
  }
  warnOfLiterals(report, value);
  return found;
}

export const LITERAL_HINT = 'write \\{{ for a literal {{';

export function fixedInAssertion(key: unknown): boolean {
  return FIXED_IN_ASSERTIONS.some((fixed) => fixed === key);
}

/** The key at which there can be no template, in words; null if there can be one. */
function fixedKey([field, index, key, inner]: Path, tools: unknown): string | null {
  if (typeof key !== 'string') return null;
  if (field === 'assertions') return fixedInAssertion(key) ? `"${key}"` : null;
  if (field !== 'tools') return null;
  if (key !== 'mcp') return FIXED_IN_TOOLS.includes(key) ? `"${key}"` : null;
  if (FIXED_IN_SERVERS.includes(String(inner))) return `"${inner}"`;
  const tool: unknown = Array.isArray(tools) ? tools[Number(index)] : undefined;
  // A call on a cassette is found by its arguments, whichever server answered it.
  return isRecord(tool) && tool.cassette ? '"mcp" of an entry with a cassette' : null;
}

/** A template in another field is not replaced, which its author will not expect. */
function warnOfLiterals(report: Report, value: Record<string, unknown>): void {
  const replaced = new Set<string>([...TEMPLATED_FIELDS, 'assertions', 'data', 'description']);
  for (const [field, part] of Object.entries(value)) {
    const [site] = replaced.has(field) ? [] : (compileTemplate(part)?.sites ?? []);
    if (!site) continue;
    report({
      severity: 'warning',
      code: 'invalid-template',
      message: `{{${site.column}}} is not replaced in "${field}"`,
      hint: `templates can be used in ${[...TEMPLATED_FIELDS, 'assertions'].join(', ')}`,
      path: [field, ...site.path],
      offset: site.offset,
    });
  }
}

/** Every template needs its column in every row, and every column should be used. */
export function checkColumns(
  report: Report,
  options: {
    sites: readonly TemplateSite[];
    rows: readonly DataRow[];
    /** At its place in the data. */
    reportUnused: (column: string, row: number) => void;
  },
): void {
  const { sites, rows, reportUnused } = options;
  const columns = new Map<string, number>();
  for (const [index, row] of rows.entries()) {
    for (const column of Object.keys(row)) if (!columns.has(column)) columns.set(column, index);
  }
  for (const [column, of] of Map.groupBy(sites, (site) => site.column)) {
    const lacking = rows.flatMap((row, index) => (columnValue(row, column) === undefined ? [index] : []));
    const [first] = lacking;
    if (first === undefined) continue;
    const isNowhere = lacking.length === rows.length;
    // A row without what an assertion demands leaves the assertion out.
    const needed = isNowhere ? of : of.filter((site) => !isLeftOutWithout(site));
    const more =
      lacking.length > 1 ? `, nor ${lacking.length > 2 ? `have ${lacking.length - 1} others` : 'has one other'}` : '';
    for (const { path, offset, isWhole } of needed) {
      report({
        code: 'missing-column',
        message: isNowhere
          ? `the data has no column "${column}"`
          : `row ${first + 1} of the data has no column "${column}"${more}`,
        hint: isNowhere
          ? suggestion(column, columns.keys(), `its columns: ${some([...columns.keys()])}; ${LITERAL_HINT}`)
          : `give it a value${isWhole && NEEDS_TEXT.has(path[0]) ? '' : ', which may be null or an empty text'}`,
        path,
        offset,
      });
    }
  }
  const used = new Set<string>([
    ...RESERVED_COLUMNS,
    ...sites.flatMap(({ column }) => [column, column.split('.')[0] ?? '']),
  ]);
  for (const [column, row] of columns) if (!used.has(column)) reportUnused(column, row);
}

/** Fields in which a template that is the whole value needs more than an empty text. */
const NEEDS_TEXT: ReadonlySet<unknown> = new Set(['prompt', 'assertions']);

function isLeftOutWithout(site: TemplateSite): boolean {
  const [field, , ...path] = site.path;
  return field === 'assertions' && isDemand({ ...site, path });
}

/** Values on which more depends than their type: whether a pattern compiles, say. */
const SENSITIVE = new Set([
  'pattern',
  '$regex',
  'regex',
  'not_regex',
  'expression',
  'path',
  'tool',
  'sequence',
  'module',
  'manifest',
  'role',
]);

/** Rows with the same signature are alike for the checks: the same types, and the same values where they matter. */
export function rowSignature(sites: readonly TemplateSite[]): (row: Record<string, unknown>) => string {
  const columns = new Map<string, boolean>();
  for (const { column, path } of sites) {
    const isSensitive = path.some((step) => typeof step === 'string' && SENSITIVE.has(step));
    columns.set(column, columns.get(column) || isSensitive);
  }
  const parts = [...columns];
  return (row) => parts.map(([column, exact]) => valueClass(columnValue(row, column), exact)).join('\n');
}

function valueClass(value: unknown, exact: boolean): string {
  if (exact) return JSON.stringify(value) ?? 'undefined';
  if (typeof value === 'string') return value === '' ? 'empty' : 'text';
  if (typeof value === 'number') return `${Number.isInteger(value) ? 'whole' : 'fraction'} ${Math.sign(value)}`;
  if (Array.isArray(value)) return `list of ${value.length === 0 ? 'none' : valueClass(value[0], false)}`;
  if (isRecord(value)) return `map of ${Object.keys(value).sort().join(' ')}`;
  return String(value);
}
