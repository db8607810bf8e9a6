import type { Json } from '../../../iac/evaluate/value.ts';
import type { WeakValue } from './operator.ts';

/** What a variable for this value would be declared as; null for values that no single variable should carry. */
export function valueType(value: Json): WeakValue['type'] | null {
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return 'number';
  if (typeof value === 'string') return 'string';
  return Array.isArray(value) && value.every((item) => typeof item === 'string') ? 'list(string)' : null;
}
