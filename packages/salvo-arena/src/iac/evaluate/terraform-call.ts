import type { CallExpression } from '../syntax/expression.ts';
import { evaluate, type Place, spend } from './evaluate.ts';
import {
  firstUnknownOf,
  hasSeveral,
  isList,
  isUnknown,
  type PartialValue,
  placeholder,
  Unknown,
} from './partial-value.ts';
import { NEEDS_ALL_KNOWN, TAKES_SEVERAL, TERRAFORM_FUNCTIONS } from './terraform-functions.ts';

/** Functions that can have a known result despite unknown arguments. */
const TAKES_UNKNOWN = new Set([
  'concat',
  'jsonencode',
  'jsondecode',
  'format',
  'formatlist',
  'join',
  'replace',
  'lower',
  'upper',
  'sensitive',
  'nonsensitive',
  'trimspace',
  'tostring',
]);

/** The result of a function call in Terraform. */
export function terraformCall(call: CallExpression, place: Place): PartialValue {
  const { name } = call;
  const text = placeholder(call.text);
  if (name === 'try' || name === 'coalesce' || name === 'can') return firstUsable(call, place, text);
  const args: PartialValue[] = [];
  for (const [index, argument] of call.args.entries()) {
    const value = evaluate(argument, place);
    if (call.expandLast && index === call.args.length - 1 && isList(value)) args.push(...value);
    else args.push(value);
  }
  spend(place, args);
  if (place.work.left < 0) return new Unknown('it takes too long to evaluate', text);
  const isCounted = !TAKES_SEVERAL.has(name) && args.some(hasSeveral);
  const unknown = isCounted || NEEDS_ALL_KNOWN.has(name) ? firstUnknownOf(args) : args.find(isUnknown);
  if (unknown && (isCounted || !TAKES_UNKNOWN.has(name))) return new Unknown(unknown.reason, text);
  const apply = TERRAFORM_FUNCTIONS.get(name);
  if (!apply) return new Unknown(`the function ${name} is not supported`, text);
  const result = apply(...args);
  return typeof result === 'number' && !Number.isFinite(result) ? new Unknown('not a number', text) : result;
}

/**
 * `try` returns the first argument without an error, `coalesce` the first that is neither null nor empty. A missing
 * value is an error. An unknown value may be either, so the arguments after it do not count.
 */
function firstUsable({ name, args }: CallExpression, place: Place, text: string): PartialValue {
  for (const argument of args) {
    const value = evaluate(argument, place);
    if (isUnknown(value)) {
      if (value.reason.startsWith('there is no')) continue;
      return name === 'can' ? new Unknown(value.reason, text) : value;
    }
    if (name === 'can') return true;
    if (name === 'coalesce' && (value === null || value === '')) continue;
    return value;
  }
  return name === 'can' ? false : new Unknown('there is no usable argument', text);
}
