import { isRecord } from './is-record.ts';

/**
 * Whether `actual` has everything `expected` asks for. Objects may have more keys, at every depth; arrays must have
 * the same length and match element by element; anything else must be equal. A missing key is not a null.
 */
export function matchesSubset(actual: unknown, expected: unknown): boolean {
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) return false;
    return expected.every((item, index) => matchesSubset(actual[index], item));
  }
  if (isRecord(expected)) {
    if (!isRecord(actual)) return false;
    return Object.keys(expected).every(
      (key) => Object.hasOwn(actual, key) && matchesSubset(actual[key], expected[key]),
    );
  }
  return actual === expected;
}
