import { kindOfValue } from '../../text/value-words.ts';
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
export interface JmespathPaths {
  expression: Path;
  operator: Path;
  value: Path;
}

/** Checks the expression, and that the operator and its value fit together. */
export function checkJmespath(report: Report, assertion: Record<string, unknown>, paths: JmespathPaths): void {
  const { expression, operator, value } = assertion;
  const type = checkExpression(report, { expression, path: paths.expression, document: documentType() });
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

let known: ValueType | undefined;

/** The type of the document that paths look into. */
function documentType(): ValueType {
  known ??= typeOfSchema(assertionDocumentSchema);
  return known;
}

function isOperator(operator: unknown): operator is Operator {
  return OPERATORS.some((known) => known === operator);
}
