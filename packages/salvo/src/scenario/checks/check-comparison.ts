import { matchesEveryText } from '../../text/pattern.ts';
import { cutEnd } from '../../text/words/cut-text.ts';
import { suggestion } from '../../text/words/did-you-mean.ts';
import { aValue, some } from '../../text/words/value-words.ts';
import type { Path } from '../diagnostics/located-value.ts';
import type { Problem, Report } from '../diagnostics/problem.ts';
import type { Operator } from '../schema/assertion-schema.ts';
import {
  ANYTHING,
  canBe,
  canBeEqual,
  describeType,
  isUnknown,
  type KnownType,
  kindsOf,
  typeOfValue,
  type ValueType,
  withoutMissing,
} from '../types/value-type.ts';

export interface Comparison {
  expression: string;
  operator: Operator;
  value: unknown;
  /** What the expression can find. */
  type: ValueType;
}

/** Of an expression, in a message. */
const LONGEST_SHOWN = 200;

type Finding = Omit<Problem, 'path'>;

/** Reports a comparison whose outcome is the same for every trace. */
export function checkComparison(report: Report, comparison: Comparison, path: Path): void {
  const finding = comparisonProblem({ ...comparison, expression: cutEnd(comparison.expression, LONGEST_SHOWN, '…') });
  if (finding) report({ ...finding, path });
}

function comparisonProblem(comparison: Comparison): Finding | null {
  const { operator, value, type, expression } = comparison;
  if ((operator === 'eq' || operator === 'ne') && value === null) {
    // Every value differs from null, and a missing value does not equal it either.
    return operator === 'eq'
      ? neverPasses('nothing is equal to null', 'use not_exists for a value that is missing')
      : alwaysPasses('nothing is equal to null', 'use exists for a value that is not missing');
  }
  if (operator === 'regex' || operator === 'not_regex') {
    const finding = patternProblem(comparison);
    if (finding) return finding;
  }
  if (type === ANYTHING || isUnknown(type)) return null;
  if (!kindsOf(type).some((kind) => kind !== 'missing')) {
    const why = `${expression} never has a value`;
    return operator === 'ne' || operator === 'not_exists' ? alwaysPasses(why) : neverPasses(why);
  }
  return CHECKS[operator]({ ...comparison, type });
}

type KnownComparison = Comparison & { type: KnownType };

const CHECKS: Record<Operator, (comparison: KnownComparison) => Finding | null> = {
  exists: existence,
  not_exists: existence,
  eq: equality,
  ne: equality,
  gt: needsNumber,
  gte: needsNumber,
  lt: needsNumber,
  lte: needsNumber,
  contains: containment,
  not_contains: containment,
  regex: needsText,
  not_regex: needsText,
};

function existence({ expression, operator, type }: KnownComparison): Finding | null {
  if (type.missing) return null;
  const why = `${expression} always has a value${type.list ? ', if only an empty list' : ''}`;
  const hint = type.list ? `to count the entries, use {path: "length(${expression})", gt: 0}` : undefined;
  return operator === 'exists' ? alwaysPasses(why, hint) : neverPasses(why, hint?.replace('gt: 0', 'eq: 0'));
}

function equality({ expression, operator, value, type }: KnownComparison): Finding | null {
  const present = withoutMissing(type);
  if (canBeEqual(present, typeOfValue(value))) return null;
  const why = `${expression} is ${describeType(present)}, never ${written(value)}`;
  const hint = typeof type.text === 'object' ? suggestion(String(value), type.text) : quotesHint(type, value);
  return operator === 'eq' ? neverPasses(why, hint) : alwaysPasses(why, hint);
}

function quotesHint(type: KnownType, value: unknown): string | undefined {
  const isNumeric = typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value));
  if (isNumeric && type.number) return 'remove the quotes';
  if (type.boolean && (value === 'true' || value === 'false')) return 'remove the quotes';
  const isPlain = typeof value === 'number' || typeof value === 'boolean';
  return isPlain && type.text !== false ? `put it in quotes: "${value}"` : undefined;
}

function needsNumber({ expression, operator, type }: KnownComparison): Finding | null {
  if (type.number) return null;
  const hint = type.list || type.text !== false ? `to compare its length, use length(${expression})` : undefined;
  return neverPasses(`${operator} compares numbers, and ${expression} is ${describeType(type)}`, hint);
}

function needsText({ expression, operator, type }: KnownComparison): Finding | null {
  if (type.text !== false) return null;
  return neverPasses(`${operator} needs a text, and ${expression} is ${describeType(type)}`);
}

function containment({ expression, operator, value, type }: KnownComparison): Finding | null {
  if (type.text === false && !type.list) {
    return neverPasses(`${operator} needs a text or a list, and ${expression} is ${describeType(type)}`);
  }
  const wanted = typeOfValue(value);
  if (type.list && (type.text !== false || canBeEqual(type.list, wanted))) return null;
  if (type.list) {
    const why = `no entry of ${expression} is ${written(value)}: each is ${describeEntry(type.list)}`;
    return operator === 'contains' ? neverPasses(why) : passesIfPresent(why, { expression, type });
  }
  if (value === '') {
    const why = 'every text contains the empty text';
    return operator === 'contains' ? passesIfPresent(why, { expression, type }) : neverPasses(why);
  }
  // `contains: 42` in YAML is a number, and means the text "42".
  if (typeof value === 'string' || typeof value === 'number') return null;
  return neverPasses(`${expression} is a text, which can only contain a text`, quotesHint(type, value));
}

function describeEntry(entry: ValueType): string {
  if (entry === ANYTHING || !entry.map || kindsOf(entry).length > 1) return describeType(entry);
  return `a map (${some([...entry.map.fields.keys()])})`;
}

function patternProblem({ expression, operator, value, type }: Comparison): Finding | null {
  if (typeof value !== 'string' || !matchesEveryText(value)) return null;
  const why = `${written(value)} matches every text, the empty one included`;
  if (operator === 'not_regex') return neverPasses(why);
  // Some write this to demand any text at all.
  return { ...passesIfPresent(why, { expression, type }), ...(canBe(type, 'missing') && { severity: 'warning' }) };
}

function passesIfPresent(why: string, { expression, type }: Pick<Comparison, 'expression' | 'type'>): Finding {
  if (!canBe(type, 'missing')) return alwaysPasses(why);
  const message = `this fails only if ${expression} has no value: ${why}`;
  return { code: 'always-passes', message, hint: 'use exists to demand a value' };
}

export function alwaysPasses(why: string, hint?: string): Finding {
  return { code: 'always-passes', message: `this can never fail: ${why}`, hint };
}

export function neverPasses(why: string, hint?: string): Finding {
  return { code: 'never-passes', message: `this can never pass: ${why}`, hint };
}

function written(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'boolean' ? String(value) : aValue(value);
}
