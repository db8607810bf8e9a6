import { z } from 'zod';
import { list } from '../../text/value-words.ts';
import type { Report } from '../diagnostics/problem.ts';
import { checkSchema, missingKey } from '../diagnostics/schema-problems.ts';
import type { Path } from '../yaml/located-value.ts';
import { assertionBase, OPERATORS, type Operator } from './assertion-schema.ts';

export const shorthandSchema = z
  .strictObject({
    path: z.string().min(1).describe('A JMESPath expression, such as response.content.'),
    eq: z.unknown().optional().describe('The value is equal to this.'),
    ne: z.unknown().optional().describe('The value is missing or not equal to this.'),
    gt: z.number().optional().describe('The value is greater than this number.'),
    gte: z.number().optional().describe('The value is this number or greater.'),
    lt: z.number().optional().describe('The value is less than this number.'),
    lte: z.number().optional().describe('The value is this number or less.'),
    contains: z.unknown().optional().describe('The text has this part, or the list this entry.'),
    regex: z.string().optional().describe('The text matches this regular expression (RE2 syntax) somewhere.'),
    exists: z.boolean().optional().describe('Whether there is a value.'),
    not_exists: z.boolean().optional().describe('Whether there is none.'),
    ...assertionBase,
  })
  .meta({ title: 'path and operator', description: 'Short for a jmespath assertion.' });

export function isShorthand(assertion: Record<string, unknown>): boolean {
  const keys = Object.keys(assertion);
  return !keys.includes('type') && keys.some((key) => key === 'path' || OPERATORS.some((operator) => operator === key));
}

interface Expanded {
  /** The jmespath assertion it stands for. */
  assertion: Record<string, unknown>;
  /** The key of the shorthand that holds the value: its operator. */
  valueKey: Operator;
}

/** `{path: response.content, contains: x}` as the jmespath assertion it means; null when it makes no sense. */
export function expandShorthand(report: Report, assertion: Record<string, unknown>, path: Path): Expanded | null {
  const { problems } = checkSchema(shorthandSchema, assertion, path);
  for (const problem of problems) report(problem);
  const operators = Object.keys(assertion).flatMap((key) => OPERATORS.filter((operator) => operator === key));
  const [operator, second] = operators;
  if (!operator) {
    // An unknown key is most likely the operator, misspelt, which has been reported.
    if (!problems.some(({ code }) => code === 'unknown-key')) {
      report(missingKey([...path, 'operator'], `add one of ${OPERATORS.join(', ')}`));
    }
    return null;
  }
  if (second) {
    report({
      code: 'conflicting-keys',
      message: `an assertion has one operator, not ${list(operators, 'and')}`,
      hint: 'write one assertion for each',
      path: [...path, second],
      at: 'key',
    });
    return null;
  }
  if (problems.length > 0) return null;
  const { path: expression, [operator]: value, ...rest } = assertion;
  return { assertion: { type: 'jmespath', expression, ...operation(operator, value), ...rest }, valueKey: operator };
}

function operation(operator: Operator, value: unknown): Record<string, unknown> {
  if (operator !== 'exists' && operator !== 'not_exists') return { operator, value };
  return { operator: (operator === 'exists') === value ? 'exists' : 'not_exists' };
}
