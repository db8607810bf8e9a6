import { z } from 'zod';
import { isRecord } from '../../text/json/is-record.ts';
import { once } from '../../text/memo.ts';
import { kindOfValue } from '../../text/words/value-words.ts';
import type { Path } from '../diagnostics/located-value.ts';
import type { Report } from '../diagnostics/problem.ts';
import { missingKey } from '../diagnostics/schema-problems.ts';
import { assertionDocumentSchema } from '../schema/assertion-document.ts';
import { OPERATORS, type Operator } from '../schema/assertion-schema.ts';
import { typeOfArguments, typeOfSchema } from '../types/schema-type.ts';
import { ANYTHING, unionOf, type ValueType } from '../types/value-type.ts';
import { checkComparison } from './check-comparison.ts';
import { checkExpression, checkPattern } from './check-field.ts';

/** The paths of the parts of the assertion. The shorthand has them under other keys. */
interface JmespathPaths {
  expression: Path;
  operator: Path;
  value: Path;
}

interface PathAssertion {
  assertion: Record<string, unknown>;
  paths: JmespathPaths;
  toolDocuments: () => ToolDocument[];
}

/** What paths look into if only the tools of the scenario are called, and the code of a path that is not there. */
export interface ToolDocument {
  document: ValueType;
  code: 'unknown-tool' | 'unknown-argument';
}

/** Checks the expression, and that the operator and its value fit together. */
export function checkJmespath(report: Report, { assertion, paths, toolDocuments }: PathAssertion): void {
  let problems = 0;
  const counted: Report = (problem) => {
    problems += 1;
    report(problem);
  };
  checkWith(counted, { assertion, paths, document: anyDocument() });
  for (const { document, code } of toolDocuments()) {
    if (problems > 0) return;
    // Only a warning: a model can call a tool that it was not offered, or with other arguments, and this is recorded.
    checkWith((problem) => counted({ ...problem, severity: 'warning', code }), { assertion, paths, document });
  }
}

interface TypedAssertion extends Omit<PathAssertion, 'toolDocuments'> {
  document: ValueType;
}

function checkWith(report: Report, { assertion, paths, document }: TypedAssertion): void {
  const { expression, operator, value } = assertion;
  const type = checkExpression(report, { expression, path: paths.expression, document });
  const compare = () => {
    if (typeof expression !== 'string' || !isOperator(operator)) return;
    checkComparison(report, { expression, operator, value, type }, paths.value);
  };
  if (operator === 'exists' || operator === 'not_exists') {
    if (value === undefined) {
      compare();
      return;
    }
    const opposite = operator === 'exists' ? 'not_exists' : 'exists';
    report({
      severity: 'warning',
      code: 'unused-value',
      message: `"value" is not used by the operator ${operator}`,
      hint: value === false ? `use the operator ${opposite} for the opposite` : 'remove it',
      path: paths.value,
      at: 'key',
    });
    return;
  }
  if (typeof operator !== 'string') return;
  if (!Object.hasOwn(assertion, 'value')) {
    report(missingKey(paths.value, `the operator ${operator} compares with it`));
  } else if (['gt', 'gte', 'lt', 'lte'].includes(operator) && typeof value !== 'number') {
    const message = `the operator ${operator} needs a number, but this is ${kindOfValue(value)}`;
    report({ code: 'wrong-type', message, path: paths.value });
  } else if (operator === 'regex' || operator === 'not_regex') {
    if (typeof value === 'string') {
      if (checkPattern(report, value, paths.value)) compare();
      return;
    }
    const message = `the operator ${operator} needs a text, but this is ${kindOfValue(value)}`;
    report({ code: 'wrong-type', message, path: paths.value });
  } else compare();
}

/** The type of the document that paths look into. */
const anyDocument = once(() => typeOfSchema(assertionDocumentSchema));

/** The same, if only these tools are called, with arguments that they declare; empty if the scenario has none. */
export function documentsWithTools(tools: unknown): ToolDocument[] {
  const known = Array.isArray(tools) ? tools.filter(isRecord) : [];
  const names = toolNamesOf(known);
  // The tools of a server are not known yet.
  if (names.length === 0 || known.some(({ mcp }) => mcp !== undefined)) return [];
  const called = assertionDocumentSchema.shape.tool_calls.element.extend({ name: z.enum(names) });
  const named = typeOfSchema(assertionDocumentSchema.extend({ tool_calls: z.array(called) }));
  const args = unionOf(known.map(({ parameters }) => typeOfArguments(parameters)));
  return [
    { document: named, code: 'unknown-tool' },
    { document: withArguments(anyDocument(), args), code: 'unknown-argument' },
  ];
}

/** The document in which every call of a tool has these arguments: among the calls, and in messages. */
function withArguments(type: ValueType, args: ValueType): ValueType {
  if (type === ANYTHING) return type;
  const { list, map } = type;
  const fields = map && new Map([...map.fields].map(([name, field]) => [name, withArguments(field, args)]));
  if (fields?.has('name') && fields.has('arguments')) fields.set('arguments', args);
  return { ...type, list: list && withArguments(list, args), map: map && fields && { ...map, fields } };
}

/** Whether a tool may be one of a server's, whose names are known only if the entry lists them. */
export function mayBeServed(name: string, tools: readonly Record<string, unknown>[]): boolean {
  return tools.some(({ mcp, only, prefix = '', resources }) => {
    if (mcp === undefined) return false;
    if (!Array.isArray(only)) return true;
    const served = [...only, ...(resources ? ['list_resources', 'read_resource'] : [])];
    return served.some((each) => `${prefix}${String(each).replaceAll(/[^A-Za-z0-9_-]/g, '_')}` === name);
  });
}

export function toolNamesOf(tools: unknown): string[] {
  if (!Array.isArray(tools)) return [];
  return [...new Set(tools.flatMap((tool) => (isRecord(tool) && typeof tool.name === 'string' ? [tool.name] : [])))];
}

function isOperator(operator: unknown): operator is Operator {
  return OPERATORS.some((known) => known === operator);
}
