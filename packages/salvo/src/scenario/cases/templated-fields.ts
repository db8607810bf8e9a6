import { z } from 'zod';
import { isRecord } from '../../text/json/is-record.ts';
import { once } from '../../text/memo.ts';
import { OPERATORS, shorthandSchema } from '../schema/assertion-schema.ts';
import { assertionTypeSchema } from '../schema/assertion-types.ts';
import { scenarioFieldsSchema } from '../schema/scenario-schema.ts';
import { columnValue, type DataRow, type Template, type TemplateSite } from './template.ts';

/** The fields of a scenario in which `{{column}}` is replaced, besides `assertions`. */
export const TEMPLATED_FIELDS = [
  'prompt',
  'files',
  'system_prompt',
  'messages',
  'state',
  'user',
  'tools',
  'tags',
  'script',
  'workspace',
  'services',
] as const;

export type TemplatedField = (typeof TEMPLATED_FIELDS)[number];

/**
 * A field's value for one row. A template that is the whole value keeps the type of its column; where the field takes
 * only a text, a number or a boolean becomes its text.
 */
export function renderField(field: TemplatedField, template: Template, row: DataRow): unknown {
  return fitted(scenarioFieldsSchema.shape[field], template, row);
}

const judgeSentenceSchema = once(() => z.looseObject({ judge: z.string() }));

/** An assertion's value for one row, by the same rule. */
export function renderAssertion(template: Template, row: DataRow): unknown {
  const rendered = template.render(row);
  if (!isRecord(rendered)) return rendered;
  const { type, operator } = rendered;
  const untyped = Object.hasOwn(rendered, 'judge') ? judgeSentenceSchema() : shorthandSchema;
  const schema = typeof type === 'string' ? assertionTypeSchema(type) : untyped;
  if (!schema) return rendered;
  const takesText = type === 'jmespath' && (operator === 'regex' || operator === 'not_regex');
  const texts = takesText ? [['value']] : [];
  return fitted(schema, template, row, texts);
}

/** The fields of assertions that say what is demanded. Without one, nothing is. */
const DEMANDS: ReadonlySet<unknown> = new Set([
  ...['value', 'values', 'pattern', 'expression', 'path', 'tool', 'sequence', 'schema', 'judge', 'criteria', 'code'],
  ...['module', 'manifest', 'command', 'text', 'max_usd', 'max_seconds', ...OPERATORS],
]);

/** Whether what an assertion demands is nothing but this template, so that a row can leave the assertion out. */
export function isDemand({ path, isWhole }: TemplateSite): boolean {
  return isWhole && path.length === 1 && DEMANDS.has(path[0]);
}

/** Whether a row leaves an assertion out: what it demands is null, empty or missing in this row. */
export function isLeftOut(template: Template, row: DataRow): boolean {
  return template.sites.some((site) => {
    const value = isDemand(site) ? columnValue(row, site.column) : false;
    return value === undefined || value === null || value === '';
  });
}

/** `texts` are places that take only a text, although the schema does not say so. */
function fitted(schema: z.ZodType, template: Template, row: DataRow, texts: (string | number)[][] = []): unknown {
  const value = template.render(row);
  const wrong = new Set([...wrongPaths(schema, value), ...texts.map(pathKey)]);
  const isOpen = ({ path, isWhole }: TemplateSite) => isWhole && wrong.has(pathKey(path));
  if (!template.sites.some(isOpen)) return value;
  const asTexts = template.render(row, isOpen);
  // A number that is too large stays a number, so that the message is about its size.
  const stillWrong = wrongPaths(schema, asTexts);
  return template.render(row, (site) => isOpen(site) && !stillWrong.has(pathKey(site.path)));
}

function wrongPaths(schema: z.ZodType, value: unknown): Set<string> {
  const { error } = schema.safeParse(value);
  return new Set(error ? issuePaths(error.issues, []).map(pathKey) : []);
}

function issuePaths(issues: readonly z.core.$ZodIssue[], above: readonly PropertyKey[]): PropertyKey[][] {
  return issues.flatMap((issue) => {
    const path = [...above, ...issue.path];
    return [path, ...(issue.code === 'invalid_union' ? issue.errors.flatMap((each) => issuePaths(each, path)) : [])];
  });
}

function pathKey(path: readonly PropertyKey[]): string {
  return JSON.stringify(path.map(String));
}
