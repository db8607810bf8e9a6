import { compileExpression } from '../../text/json/expression.ts';
import { matchesSubset } from '../../text/json/json-equal.ts';

type ArgumentMatch = Record<string, unknown> | string;

/**
 * Whether the arguments of a tool call contain all entries of an object, or make a JMESPath expression true. An
 * expression that does not apply to these arguments, such as `length(items)` without items, is false. An expression that
 * cannot apply to any arguments throws, so that the mistake is noticed.
 */
export function matchesArguments(args: Record<string, unknown>, match: ArgumentMatch): boolean {
  if (typeof match !== 'string') return matchesSubset(args, match);
  return isTruthy(compileExpression(match)(args));
}

/** True in JMESPath's sense: not null, false, or empty. 0 is true. */
function isTruthy(value: unknown): boolean {
  if (value === null || value === undefined || value === false || value === '') return false;
  if (Array.isArray(value)) return value.length > 0;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}
