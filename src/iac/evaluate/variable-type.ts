import type { Expression } from '../syntax/expression.ts';
import { textOf } from './operators.ts';
import { isUnknown, type PartialValue } from './partial-value.ts';

/** A value as a variable of this type has it: the default `"true"` of a `bool` is true. */
export function converted(value: PartialValue, type: Expression | undefined): PartialValue {
  if (isUnknown(value) || value === null || type?.kind !== 'reference') return value;
  if (type.path === 'string' && typeof value !== 'object') return textOf(value);
  if (type.path === 'number' && typeof value === 'string' && Number.isFinite(Number(value))) return Number(value);
  if (type.path === 'bool' && (value === 'true' || value === 'false')) return value === 'true';
  return value;
}
