import type { Operator } from '../../../scenario/schema/assertion-schema.ts';
import { SalvoError } from '../../../text/errors/salvo-error.ts';
import { jsonEqual } from '../../../text/json/json-equal.ts';
import { compilePattern } from '../../../text/pattern.ts';
import { findText } from '../../../text/words/plain-spelling.ts';
import { showPlace, showValue } from '../../show-value.ts';
import { oddSpelling, patternPlace } from './output-matches.ts';

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
 * value (null) fails every operator except `ne` and `not_exists`: a text that is not there is no proof of what it lacks.
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
      return !isMissing(actual) && jsonEqual(actual, expected) ? SATISFIED : difference(actual, expected);
    case 'contains':
    case 'not_contains':
      return compareParts(operator, actual, expected);
    case 'regex':
    case 'not_regex':
      return comparePattern(operator, actual, expected);
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

/** Two long texts look alike when they are shown, so the first difference is named. */
const LONG_TEXT = 60;

function difference(actual: unknown, expected: unknown): string {
  if (typeof actual !== 'string' || typeof expected !== 'string') return innerDifference(actual, expected);
  if (Math.max(actual.length, expected.length) < LONG_TEXT) return NOT_SATISFIED;
  let start = 0;
  while (start < actual.length && actual[start] === expected[start]) start += 1;
  const wanted = start < expected.length ? showValue(expected.slice(start), LONG_TEXT) : 'the end';
  return `expected ${wanted} ${showPlace(actual, { start, end: start })}`;
}

/** The first place where two maps or lists differ. */
function innerDifference(actual: unknown, expected: unknown): string {
  const steps: string[] = [];
  let [got, wanted] = [actual, expected];
  for (let key = differentKey(got, wanted); key !== undefined; key = differentKey(got, wanted)) {
    steps.push(Array.isArray(got) ? `[${key}]` : `.${key}`);
    [got, wanted] = [childOf(got, key), childOf(wanted, key)];
  }
  if (steps.length === 0) return NOT_SATISFIED;
  return `expected ${showValue(wanted, LONG_TEXT)} at ${steps.join('').replace(/^\./, '')}, but it is ${showValue(got, LONG_TEXT)}`;
}

function differentKey(actual: unknown, expected: unknown): string | undefined {
  if (!isContainer(actual) || !isContainer(expected) || Array.isArray(actual) !== Array.isArray(expected))
    return undefined;
  const keys = new Set([...Object.keys(expected), ...Object.keys(actual)]);
  return [...keys].find((key) => !jsonEqual(childOf(actual, key), childOf(expected, key)));
}

function childOf(value: unknown, key: string): unknown {
  return isContainer(value) && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function compareParts(operator: 'contains' | 'not_contains', actual: unknown, expected: unknown): string | null {
  if (isMissing(actual)) return operator === 'contains' ? NOT_SATISFIED : NO_TEXT;
  const problem = containmentProblem(actual, expected);
  if (problem !== null) return problem;
  if (operator === 'contains') return outcome(isIn(actual, expected));
  const place = placeIn(actual, expected);
  return place === null ? SATISFIED : `found ${place}`;
}

const NO_TEXT = 'there is no value';

function containmentProblem(actual: unknown, expected: unknown): string | null {
  if (Array.isArray(actual)) return null;
  if (typeof actual !== 'string') return `only a text or a list can contain something, not ${kindOf(actual)}`;
  return partOfText(expected) === undefined ? `a text cannot contain ${kindOf(expected)}` : null;
}

function isIn(actual: unknown, expected: unknown): boolean {
  if (Array.isArray(actual)) return actual.some((item) => jsonEqual(item, expected));
  const part = partOfText(expected);
  return typeof actual === 'string' && part !== undefined && findText(actual, part) !== null;
}

/** Where a text or a list contains something; null if it does not. */
function placeIn(actual: unknown, expected: unknown): string | null {
  if (Array.isArray(actual)) {
    const index = actual.findIndex((item) => jsonEqual(item, expected));
    return index < 0 ? null : `as entry ${index + 1} of ${actual.length}`;
  }
  const part = partOfText(expected);
  if (typeof actual !== 'string' || part === undefined) return null;
  const found = findText(actual, part);
  return found && showPlace(found.text, found);
}

/** `contains: 42` in YAML is a number, and means the text "42". */
function partOfText(expected: unknown): string | undefined {
  return typeof expected === 'number' ? String(expected) : typeof expected === 'string' ? expected : undefined;
}

function comparePattern(operator: 'regex' | 'not_regex', actual: unknown, expected: unknown): string | null {
  if (typeof expected !== 'string') throw unusable(operator, 'a pattern', expected);
  const pattern = compilePattern(expected);
  if (isMissing(actual)) return operator === 'regex' ? NOT_SATISFIED : NO_TEXT;
  if (typeof actual !== 'string') return `a pattern needs a text, not ${kindOf(actual)}`;
  if (operator === 'regex') return pattern.test(actual) ? SATISFIED : oddSpelling(pattern, actual);
  const place = patternPlace(pattern, actual);
  return place === null ? SATISFIED : `found ${place}`;
}

function compareNumbers(operator: keyof typeof ORDER, actual: unknown, expected: unknown): string | null {
  if (typeof expected !== 'number') throw unusable(operator, 'a number', expected);
  if (isMissing(actual)) return NOT_SATISFIED;
  if (typeof actual !== 'number') return `${operator} compares numbers, not ${kindOf(actual)}`;
  return outcome(ORDER[operator](actual, expected));
}

function unusable(operator: Operator, needed: string, expected: unknown): SalvoError {
  return new SalvoError(
    'ASSERTION_VALUE_INVALID',
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
