import { z } from 'zod';
import { once } from '../../text/memo.ts';
import { kindOfValue } from '../../text/words/value-words.ts';
import type { Path } from '../diagnostics/located-value.ts';
import type { Report } from '../diagnostics/problem.ts';
import { missingKey } from '../diagnostics/schema-problems.ts';
import { assertionDocumentSchema } from '../schema/assertion-document.ts';
import { OPERATORS, type Operator } from '../schema/assertion-schema.ts';
import { typeOfSchema } from '../types/schema-type.ts';
import type { ValueType } from '../types/value-type.ts';
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
  /** From `documentWithTools`. */
  toolDocument: () => ValueType | null;
}

/** Checks the expression, and that the operator and its value fit together. */
export function checkJmespath(report: Report, { assertion, paths, toolDocument }: PathAssertion): void {
  let problems = 0;
  const counted: Report = (problem) => {
    problems += 1;
    report(problem);
  };
  checkWith(counted, { assertion, paths, document: anyDocument() });
  const document = toolDocument();
  if (problems > 0 || !document) return;
  // Only a warning: a model can call a tool that it was not offered, and such calls are recorded.
  const warn: Report = (problem) => report({ ...problem, severity: 'warning', code: 'unknown-tool' });
  checkWith(warn, { assertion, paths, document });
}

interface TypedAssertion extends Omit<PathAssertion, 'toolDocument'> {
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

/** The same, if only these tools are called; null when the scenario has none. */
export function documentWithTools(names: readonly string[]): ValueType | null {
  if (names.length === 0) return null;
  const called = assertionDocumentSchema.shape.tool_calls.element.extend({ name: z.enum([...names]) });
  return typeOfSchema(assertionDocumentSchema.extend({ tool_calls: z.array(called) }));
}

function isOperator(operator: unknown): operator is Operator {
  return OPERATORS.some((known) => known === operator);
}
