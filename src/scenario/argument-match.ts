import { matchesSubset } from '../text/json-equal.ts';
import { compileExpression } from './schema/expression.ts';

type ArgumentMatch = Record<string, unknown> | string;

/**
 * Whether the arguments of a tool call are the ones meant: they have everything the object asks for, or the JMESPath
 * expression is true of them. An expression that does not apply to these arguments, such as `length(items)` when there
 * are no items, is not true of them; one that applies to no arguments at all throws, lest it pass unnoticed.
 */
export function matchesArguments(args: Record<string, unknown>, match: ArgumentMatch): boolean {
  if (typeof match !== 'string') return matchesSubset(args, match);
  return isTrue(compileExpression(match)(args));
}

/** True in JMESPath's sense: not null, false, or empty. 0 is true. */
function isTrue(value: unknown): boolean {
  if (value === null || value === undefined || value === false || value === '') return false;
  if (Array.isArray(value)) return value.length > 0;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}
