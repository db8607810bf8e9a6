import { SalvoError } from '../../text/errors/salvo-error.ts';
import { compileExpression } from '../../text/json/expression.ts';
import { jsonEqual, matchesSubset } from '../../text/json/json-equal.ts';
import { compilePattern } from '../../text/pattern.ts';
import { suggestion } from '../../text/words/did-you-mean.ts';
import { kindOfValue } from '../../text/words/value-words.ts';
import type { ProblemText } from '../diagnostics/problem.ts';

type ArgumentMatch = Record<string, unknown> | string;

/**
 * Whether the arguments of a tool call contain all entries of an object, which may have matchers such as `{$regex: ...}`
 * at any depth, or make a JMESPath expression true. An expression that does not apply to these arguments, such as `length(items)` without items, is false. An expression that
 * cannot apply to any arguments throws, so that the mistake is noticed.
 */
export function matchesArguments(args: Record<string, unknown>, match: ArgumentMatch): boolean {
  return typeof match === 'string' ? isTruthy(compileExpression(match)(args)) : matches(args, match);
}

function matches(actual: unknown, expected: unknown): boolean {
  return matchesSubset(actual, expected, (value, map) => {
    const read = readMatcher(map);
    if (read?.problem) throw new SalvoError('ASSERTION_VALUE_INVALID', `In the arguments, ${read.problem.message}.`);
    return read ? meetsMatcher(value, read.matcher) : undefined;
  });
}

/** True in JMESPath's sense: not null, false, or empty. 0 is true. */
function isTruthy(value: unknown): boolean {
  if (value === null || value === undefined || value === false || value === '') return false;
  if (Array.isArray(value)) return value.length > 0;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

/** The keys of matchers. Data whose keys begin with $ is written with `$equals`. */
const MATCHER_KEYS = ['$regex', '$near', '$any_of', '$equals'] as const;
type MatcherKey = (typeof MATCHER_KEYS)[number];

/** What a matcher demands of a value. */
type Matcher =
  | { kind: '$regex'; pattern: string }
  | { kind: '$near'; number: number; tolerance: number }
  | { kind: '$any_of'; entries: readonly unknown[] }
  | { kind: '$equals'; value: unknown };

/** A mistake in a matcher, and the key where it is. */
type MatcherProblem = ProblemText & { key: string };

/** The matcher that a map is, or what is wrong with it; null if it is plain data. */
export function readMatcher(
  map: Record<string, unknown>,
): { matcher: Matcher; problem?: undefined } | { problem: MatcherProblem } | null {
  const keys = Object.keys(map);
  const special = keys.filter((key) => key.startsWith('$'));
  const [first = ''] = special;
  if (special.length === 0) return null;
  const unknown = special.find((key) => key !== '$tolerance' && !isMatcherKey(key));
  if (unknown !== undefined) return { problem: unknownMatcher(unknown) };
  const kind = special.find(isMatcherKey);
  const other = keys.find((key) => key !== kind && !(kind === '$near' && key === '$tolerance'));
  if (kind === undefined || other !== undefined) return { problem: besideMatcher(kind ?? first, other) };
  return matcherWith(kind, map);
}

function matcherWith(
  kind: MatcherKey,
  map: Record<string, unknown>,
): { matcher: Matcher; problem?: undefined } | { problem: MatcherProblem } {
  const value = map[kind];
  const wrong = (key: string, expected: string) => {
    const message = `"${key}" should be ${expected}, but is ${kindOfValue(map[key])}`;
    return { problem: { code: 'wrong-type', message, key } } as const;
  };
  switch (kind) {
    case '$regex':
      return typeof value === 'string' ? { matcher: { kind, pattern: value } } : wrong(kind, 'a text');
    case '$any_of':
      if (!Array.isArray(value)) return wrong(kind, 'a list');
      if (value.length > 0) return { matcher: { kind, entries: value } };
      return { problem: { code: 'invalid-value', message: '"$any_of" needs at least one value', key: kind } };
    case '$equals':
      return { matcher: { kind, value } };
    case '$near': {
      const tolerance = map.$tolerance;
      if (typeof value !== 'number') return wrong(kind, 'a number');
      if (tolerance === undefined) return { problem: NO_TOLERANCE };
      if (typeof tolerance !== 'number') return wrong('$tolerance', 'a number');
      if (tolerance >= 0) return { matcher: { kind, number: value, tolerance } };
      return { problem: { code: 'invalid-value', message: '"$tolerance" cannot be negative', key: '$tolerance' } };
    }
  }
}

const NO_TOLERANCE: MatcherProblem = {
  code: 'missing-key',
  message: '"$near" needs "$tolerance": how far off the number may be',
  hint: 'such as { $near: 100, $tolerance: 0.01 }',
  key: '$near',
};

function unknownMatcher(key: string): MatcherProblem {
  const message = `there is no matcher "${key}"`;
  const otherwise = `the matchers are ${MATCHER_KEYS.join(', ')}; if it is data, write { $equals: ... }`;
  return { code: 'unknown-key', message, hint: suggestion(key, [...MATCHER_KEYS, '$tolerance'], otherwise), key };
}

function besideMatcher(kind: string, other = kind): MatcherProblem {
  if (kind === '$tolerance') {
    return { code: 'missing-key', message: '"$tolerance" belongs to "$near", which is missing', key: kind };
  }
  return { code: 'conflicting-keys', message: `"${other}" cannot be used beside "${kind}"`, key: other };
}

/** Decimal fractions are not exact: 1.1 is near 1 with a tolerance of 0.1. */
const ROUNDING = 1e-9;

function meetsMatcher(actual: unknown, matcher: Matcher): boolean {
  switch (matcher.kind) {
    case '$regex':
      return typeof actual === 'string' && compilePattern(matcher.pattern).test(actual);
    case '$near': {
      if (typeof actual !== 'number') return false;
      const rounding = ROUNDING * Math.max(Math.abs(actual), Math.abs(matcher.number));
      return Math.abs(actual - matcher.number) <= matcher.tolerance + rounding;
    }
    case '$any_of':
      return matcher.entries.some((entry) => matches(actual, entry));
    case '$equals':
      return jsonEqual(actual, matcher.value);
  }
}

function isMatcherKey(key: string): key is MatcherKey {
  return MATCHER_KEYS.some((known) => known === key);
}
