import type { Operator } from '../scenario/schema/assertion-schema.ts';
import { jsonEqual } from '../text/json-equal.ts';
import { compilePattern } from '../text/pattern.ts';
import { SalvoError } from '../text/salvo-error.ts';
import { showValue } from './show-value.ts';

const SATISFIED = null;
const NOT_SATISFIED = '';

const ORDER = {
  gt: (actual: number, expected: number) => actual > expected,
  gte: (actual: number, expected: number) => actual >= expected,
  lt: (actual: number, expected: number) => actual < expected,
  lte: (actual: number, expected: number) => actual <= expected,
};

/**
 * Null if the value is as demanded, otherwise the reason; an empty reason if the values need no explanation. A missing
 * value (null) fails every operator except `ne` and `not_exists`.
 */
export function compareValue(operator: Operator, actual: unknown, expected: unknown): string | null {
  switch (operator) {
    case 'exists':
      return outcome(!isMissing(actual));
    case 'not_exists':
      return outcome(isMissing(actual));
    case 'ne':
      return outcome(isMissing(actual) || !jsonEqual(actual, expected));
    case 'eq':
      return outcome(!isMissing(actual) && jsonEqual(actual, expected));
    case 'contains':
      return contains(actual, expected);
    case 'regex':
      return matches(actual, expected);
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return compareNumbers(operator, actual, expected);
  }
}

function isMissing(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

function outcome(satisfied: boolean): string | null {
  return satisfied ? SATISFIED : NOT_SATISFIED;
}

function contains(actual: unknown, expected: unknown): string | null {
  if (isMissing(actual)) return NOT_SATISFIED;
  if (Array.isArray(actual)) return outcome(actual.some((item) => jsonEqual(item, expected)));
  if (typeof actual !== 'string') return `only a text or a list can contain something, not ${kindOf(actual)}`;
  // `contains: 42` in YAML is a number, and means the text "42".
  if (typeof expected === 'number') return outcome(actual.includes(String(expected)));
  if (typeof expected === 'string') return outcome(actual.includes(expected));
  return `a text cannot contain ${kindOf(expected)}`;
}

function matches(actual: unknown, expected: unknown): string | null {
  if (typeof expected !== 'string') throw unusable('regex', 'a pattern', expected);
  const pattern = compilePattern(expected);
  if (isMissing(actual)) return NOT_SATISFIED;
  if (typeof actual !== 'string') return `a pattern needs a text, not ${kindOf(actual)}`;
  return outcome(pattern.test(actual));
}

function compareNumbers(operator: keyof typeof ORDER, actual: unknown, expected: unknown): string | null {
  if (typeof expected !== 'number') throw unusable(operator, 'a number', expected);
  if (isMissing(actual)) return NOT_SATISFIED;
  if (typeof actual !== 'number') return `${operator} compares numbers, not ${kindOf(actual)}`;
  return outcome(ORDER[operator](actual, expected));
}

function unusable(operator: Operator, needed: string, expected: unknown): SalvoError {
  return new SalvoError(
    'ASSERTION_VALUE',
    `The operator "${operator}" needs ${needed} as its value, not ${showValue(expected)}.`,
  );
}

function kindOf(value: unknown): string {
  if (isMissing(value)) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  const kinds: Record<string, string> = {
    string: 'a text',
    number: 'a number',
    boolean: 'a boolean',
    object: 'an object',
  };
  return kinds[typeof value] ?? typeof value;
}
