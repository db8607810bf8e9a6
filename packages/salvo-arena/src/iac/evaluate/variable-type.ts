import type { Expression } from '../syntax/expression.ts';
import { evaluate, type Place } from './evaluate.ts';
import { textOf } from './operators.ts';
import { isList, isObject, isUnknown, makeList, makeObject, type PartialValue } from './partial-value.ts';

/**
 * A value converted to the type of a variable: the default `"true"` of a `bool` is true, and an attribute of an object
 * that is not set has the default of its `optional(bool, false)`.
 */
export function convertedTo(type: Expression | undefined, value: PartialValue, place: Place): PartialValue {
  if (type === undefined || isUnknown(value) || value === null) return value;
  if (type.kind === 'reference') return convertedScalar(type.path, value);
  if (type.kind !== 'call') return value;
  const [inner] = type.args;
  if (type.name === 'object' && inner?.kind === 'object' && isObject(value)) {
    return makeObject(
      inner.entries.map(({ name, value: own }) => [name, attributeOf(own, value[name] ?? null, place)]),
    );
  }
  if ((type.name === 'list' || type.name === 'set') && isList(value)) {
    return makeList(value.map((item) => convertedTo(inner, item, place)));
  }
  if (type.name === 'map' && isObject(value)) {
    return makeObject(Object.entries(value).map(([name, item]) => [name, convertedTo(inner, item, place)]));
  }
  return value;
}

/** Null counts as not set. */
function attributeOf(type: Expression, value: PartialValue, place: Place): PartialValue {
  if (type.kind !== 'call' || type.name !== 'optional') return convertedTo(type, value, place);
  const [inner, standard] = type.args;
  return convertedTo(inner, value === null && standard ? evaluate(standard, place) : value, place);
}

function convertedScalar(type: string, value: PartialValue): PartialValue {
  if (type === 'string' && typeof value !== 'object') return textOf(value);
  if (type === 'number' && typeof value === 'string' && Number.isFinite(Number(value))) return Number(value);
  if (type === 'bool' && (value === 'true' || value === 'false')) return value === 'true';
  return value;
}
