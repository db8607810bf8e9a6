import type { Expression } from '../syntax/expression.ts';
import { textOf } from './operators.ts';
import { type Datum, isUnknown } from './partial-value.ts';

/** A value as a variable of this type has it: the default `"true"` of a `bool` is true. */
export function converted(datum: Datum, type: Expression | undefined): Datum {
  if (isUnknown(datum) || datum === null || type?.kind !== 'reference') return datum;
  if (type.path === 'string' && typeof datum !== 'object') return textOf(datum);
  if (type.path === 'number' && typeof datum === 'string' && Number.isFinite(Number(datum))) return Number(datum);
  if (type.path === 'bool' && (datum === 'true' || datum === 'false')) return datum === 'true';
  return datum;
}
