import { library } from '../../text/json/expression.ts';
import {
  ANYTHING,
  BOOLEAN,
  canBe,
  entryOf,
  listOf,
  mapOf,
  NUMBER,
  orMissing,
  TEXT,
  textOf,
  union,
  unionOf,
  type ValueType,
  valuesOf,
  withoutMissing,
} from './value-type.ts';

/** What a function gives, for the types of its arguments. That of an expression is the type of what it finds in an entry. */
type Result = ValueType | ((args: readonly ValueType[]) => ValueType);

const anyMap = mapOf([], ANYTHING);
const lists = listOf(listOf(ANYTHING));
const maybeNumber = orMissing(NUMBER);
const first = ([type = ANYTHING]: readonly ValueType[]) => withoutMissing(type);
const oneEntry = ([values = ANYTHING]: readonly ValueType[]) => orMissing(entryOf(values));

/** The result of every function of the JMESPath library. The library itself knows their parameters. */
export const FUNCTION_TYPES: ReadonlyMap<string, Result> = new Map<string, Result>([
  ...['abs', 'ceil', 'floor', 'length', 'sum'].map((name) => [name, NUMBER] as const),
  ...['avg', 'find_first', 'find_last', 'to_number'].map((name) => [name, maybeNumber] as const),
  ...['join', 'lower', 'pad_left', 'pad_right', 'replace', 'to_string'].map((name) => [name, TEXT] as const),
  ...['trim', 'trim_left', 'trim_right', 'upper'].map((name) => [name, TEXT] as const),
  ...['max', 'max_by', 'min', 'min_by'].map((name) => [name, oneEntry] as const),
  ['contains', orMissing(BOOLEAN)],
  ['ends_with', BOOLEAN],
  ['starts_with', BOOLEAN],
  ['from_items', anyMap],
  ['merge', anyMap],
  ['group_by', ([values = ANYTHING]) => mapOf([], listOf(entryOf(values)))],
  ['items', lists],
  ['zip', lists],
  ['keys', listOf(TEXT)],
  ['split', listOf(TEXT)],
  ['map', ([mapped = ANYTHING]) => listOf(mapped)],
  ['not_null', firstPresent],
  ['reverse', ([value = ANYTHING]) => reversed(value)],
  ['sort', first],
  ['sort_by', first],
  ['to_array', ([value = ANYTHING]) => listOf(union(withoutList(value), entryOf(value)))],
  ['type', textOf(['number', 'string', 'array', 'object', 'boolean', 'null'])],
  ['values', ([value = ANYTHING]) => listOf(valuesOf(value))],
]);

/** What the expression must find in each entry of the list, such as a key to sort by. Others may find anything. */
export const KEY_TYPES: ReadonlyMap<string, readonly Parameter[]> = new Map<string, Parameter[]>([
  ['group_by', ['text']],
  ...['max_by', 'min_by', 'sort_by'].map((name): [string, Parameter[]] => [name, ['number', 'text']]),
]);

/** What an argument may be, in the order of the library's `InputArgument`. `numbers` is a list of them, `expression` is `&path`. */
const PARAMETERS = [
  ...(['number', 'any', 'text', 'list', 'map', 'boolean', 'expression', 'missing'] as const),
  ...(['numbers', 'texts', 'maps', 'lists'] as const),
];

export type Parameter = (typeof PARAMETERS)[number];

export interface FunctionParameter {
  takes: readonly Parameter[];
  isOptional: boolean;
  /** It can be repeated, as only the last one can. */
  repeats: boolean;
}

/** The parameters of a function of the JMESPath library. */
export function parametersOf(name: string): FunctionParameter[] {
  const { _signature: signature = [] } = library().TreeInterpreter.runtime._functionTable[name] ?? {};
  return signature.map(({ types, optional = false, variadic = false }) => ({
    takes: types.map((type) => PARAMETERS[type] ?? 'any'),
    isOptional: optional,
    repeats: variadic,
  }));
}

function withoutList(type: ValueType): ValueType {
  return type === ANYTHING ? type : { ...type, list: null };
}

/** A text backwards can be any text. */
function reversed(type: ValueType): ValueType {
  const present = withoutMissing(type);
  return present === ANYTHING || present.text === false ? present : { ...present, text: true };
}

function firstPresent(args: readonly ValueType[]): ValueType {
  const found = unionOf(args.map(withoutMissing));
  return args.every((type) => canBe(type, 'missing')) ? orMissing(found) : found;
}
