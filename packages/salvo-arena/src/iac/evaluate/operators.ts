import { firstUnknownOf, isList, isObject, isUnknown, type PartialValue, Unknown } from './partial-value.ts';
import { withoutUnknowns } from './value.ts';

/** The result of `!a`, `-a`, `a == b`, `a && b`, `a + b`...; unknown when it depends on an unknown operand. */
export function operationResult(operator: string, operands: readonly PartialValue[], text: string): PartialValue {
  const [left = null, right = null] = operands;
  // One side may decide, even if the other is unknown.
  if (operator === '&&' || operator === '||') {
    const settling = operator === '||';
    if (asBoolean(left) === settling || asBoolean(right) === settling) return settling;
  }
  if (operator === '==' || operator === '!=') {
    const equal = isEqual(left, right);
    if (equal === null) return new Unknown(reasonOf(operands), text);
    return operator === '==' ? equal : !equal;
  }
  if (operands.some(isUnknown)) return new Unknown(reasonOf(operands), text);
  if (operator === '!') return asBoolean(left) === null ? new Unknown('not a boolean', text) : !asBoolean(left);
  if (operator === '&&' || operator === '||') {
    const [a, b] = [asBoolean(left), asBoolean(right)];
    if (a === null || b === null) return new Unknown('not a boolean', text);
    return operator === '&&' ? a && b : a || b;
  }
  const [name, a, b] = operands.length === 1 ? ['-', 0, left] : [operator, left, right];
  const result = CALCULATIONS.get(String(name))?.(Number(a), Number(b)) ?? Number.NaN;
  return typeof result === 'number' && !Number.isFinite(result) ? new Unknown('not a number', text) : result;
}

const CALCULATIONS = new Map<string, (a: number, b: number) => number | boolean>([
  ['+', (a, b) => a + b],
  ['-', (a, b) => a - b],
  ['*', (a, b) => a * b],
  ['/', (a, b) => a / b],
  ['%', (a, b) => a % b],
  ['<', (a, b) => a < b],
  ['<=', (a, b) => a <= b],
  ['>', (a, b) => a > b],
  ['>=', (a, b) => a >= b],
]);

function reasonOf(operands: readonly PartialValue[]): string {
  return firstUnknownOf(operands)?.reason ?? 'not known';
}

function asBoolean(value: PartialValue): boolean | null {
  if (value === true || value === 'true') return true;
  return value === false || value === 'false' ? false : null;
}

/** Null when it depends on an unknown part. */
export function isEqual(a: PartialValue, b: PartialValue): boolean | null {
  if (isUnknown(a) || isUnknown(b)) return null;
  if (isList(a) && isList(b)) {
    if (a.length !== b.length) return false;
    return allEqual(a.map((item, index) => isEqual(item, b[index] ?? null)));
  }
  if (isObject(a) && isObject(b)) {
    const keys = Object.keys(a);
    if (keys.length !== Object.keys(b).length || keys.some((key) => !Object.hasOwn(b, key))) return false;
    return allEqual(keys.map((key) => isEqual(a[key] ?? null, b[key] ?? null)));
  }
  return a === b;
}

function allEqual(results: readonly (boolean | null)[]): boolean | null {
  if (results.includes(false)) return false;
  return results.includes(null) ? null : true;
}

/** A value as part of a text. */
export function textOf(value: PartialValue): string {
  if (typeof value === 'string') return value;
  if (isUnknown(value)) return value.text;
  return value === null ? '' : typeof value === 'object' ? JSON.stringify(withoutUnknowns(value)) : String(value);
}
