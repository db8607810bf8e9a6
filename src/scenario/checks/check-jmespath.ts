import { kindOfValue } from '../../text/value-words.ts';
import type { Path } from '../diagnostics/located-value.ts';
import type { Report } from '../diagnostics/problem.ts';
import { missingKey } from '../diagnostics/schema-problems.ts';
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
  checkExpression(report, expression, paths.expression);
  if (operator === 'exists' || operator === 'not_exists') {
    if (value === undefined) return;
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
  } else if (operator === 'regex' && typeof value !== 'string') {
    const message = `the operator regex needs a text, but this is ${kindOfValue(value)}`;
    report({ code: 'wrong-type', message, path: paths.value });
  } else if (operator === 'regex') checkPattern(report, value, paths.value);
}
