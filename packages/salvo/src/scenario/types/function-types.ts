import {
  ANYTHING,
  BOOLEAN,
  canBe,
  fieldOf,
  listOf,
  mapOf,
  NEVER,
  NUMBER,
  orMissing,
  TEXT,
  textOf,
  union,
  unionOf,
  type ValueType,
  withoutMissing,
} from './value-type.ts';

/** What an argument of a function may be. `numbers` is a list of numbers; `expression` is `&path`. */
export type Parameter = 'any' | 'number' | 'text' | 'list' | 'map' | 'numbers' | 'texts' | 'lists' | 'expression';

export interface FunctionType {
  takes: readonly (readonly Parameter[])[];
  /** How many of the last parameters can be left out. */
  optional?: number;
  /** The last parameter can be repeated. */
  repeats?: boolean;
  /** What the expression must find in each entry of the list, such as a key to sort by. */
  key?: readonly Parameter[];
  /** The type of the result. For an expression, the argument is the type of what it finds in an entry. */
  gives: (args: readonly ValueType[]) => ValueType;
}

const TYPE_NAMES = textOf(['number', 'string', 'array', 'object', 'boolean', 'null']);

function always(type: ValueType): () => ValueType {
  return () => type;
}

const first = ([type = ANYTHING]: readonly ValueType[]) => withoutMissing(type);
const numberFrom = (...takes: Parameter[]): FunctionType => ({ takes: [takes], gives: always(NUMBER) });
const textFrom = (...takes: Parameter[][]): FunctionType => ({ takes, gives: always(TEXT) });
const test: FunctionType = { takes: [['text'], ['text']], gives: always(BOOLEAN) };
const find: FunctionType = {
  takes: [['text'], ['text'], ['number'], ['number']],
  optional: 2,
  gives: always(orMissing(NUMBER)),
};
const pad: FunctionType = { ...textFrom(['text'], ['number'], ['text']), optional: 1 };
const trim: FunctionType = { ...textFrom(['text'], ['text']), optional: 1 };
const extreme: FunctionType = {
  takes: [['numbers', 'texts']],
  gives: ([values = ANYTHING]) => orMissing(entryOf(values)),
};
const extremeBy: FunctionType = {
  takes: [['list'], ['expression']],
  key: ['number', 'text'],
  gives: ([values = ANYTHING]) => orMissing(entryOf(values)),
};

/** Every function of the JMESPath library, with its parameters and its result. */
export const FUNCTION_TYPES: ReadonlyMap<string, FunctionType> = new Map<string, FunctionType>([
  ['abs', numberFrom('number')],
  ['avg', { takes: [['numbers']], gives: always(orMissing(NUMBER)) }],
  ['ceil', numberFrom('number')],
  ['contains', { takes: [['text', 'list'], ['any']], gives: always(orMissing(BOOLEAN)) }],
  ['ends_with', test],
  ['find_first', find],
  ['find_last', find],
  ['floor', numberFrom('number')],
  ['from_items', { takes: [['lists']], gives: always(mapOf([], ANYTHING)) }],
  [
    'group_by',
    {
      takes: [['list'], ['expression']],
      key: ['text'],
      gives: ([values = ANYTHING]) => mapOf([], listOf(entryOf(values))),
    },
  ],
  ['items', { takes: [['map']], gives: always(listOf(listOf(ANYTHING))) }],
  ['join', textFrom(['text'], ['texts'])],
  ['keys', { takes: [['map']], gives: always(listOf(TEXT)) }],
  ['length', numberFrom('text', 'list', 'map')],
  ['lower', textFrom(['text'])],
  ['map', { takes: [['expression'], ['list']], gives: ([mapped = ANYTHING]) => listOf(mapped) }],
  ['max', extreme],
  ['max_by', extremeBy],
  ['merge', { takes: [['map']], repeats: true, gives: always(mapOf([], ANYTHING)) }],
  ['min', extreme],
  ['min_by', extremeBy],
  ['not_null', { takes: [['any']], repeats: true, gives: firstPresent }],
  ['pad_left', pad],
  ['pad_right', pad],
  ['replace', { ...textFrom(['text'], ['text'], ['text'], ['number']), optional: 1 }],
  ['reverse', { takes: [['text', 'list']], gives: ([value = ANYTHING]) => reversed(value) }],
  ['sort', { takes: [['texts', 'numbers']], gives: first }],
  ['sort_by', { takes: [['list'], ['expression']], key: ['number', 'text'], gives: first }],
  ['split', { takes: [['text'], ['text'], ['number']], optional: 1, gives: always(listOf(TEXT)) }],
  ['starts_with', test],
  ['sum', numberFrom('numbers')],
  ['to_array', { takes: [['any']], gives: ([value = ANYTHING]) => listOf(union(withoutList(value), entryOf(value))) }],
  ['to_number', { takes: [['any']], gives: always(orMissing(NUMBER)) }],
  ['to_string', textFrom(['any'])],
  ['trim', trim],
  ['trim_left', trim],
  ['trim_right', trim],
  ['type', { takes: [['any']], gives: always(TYPE_NAMES) }],
  ['upper', textFrom(['text'])],
  ['values', { takes: [['map']], gives: ([value = ANYTHING]) => listOf(valuesOf(value)) }],
  ['zip', { takes: [['list']], repeats: true, gives: always(listOf(listOf(ANYTHING))) }],
]);

/** The type of the entries of a list. */
export function entryOf(type: ValueType): ValueType {
  return type === ANYTHING ? ANYTHING : (type.list ?? NEVER);
}

/** The type of the values of a map. */
export function valuesOf(type: ValueType): ValueType {
  if (type === ANYTHING) return ANYTHING;
  const { map } = type;
  if (!map) return NEVER;
  return union(map.others ?? NEVER, unionOf([...map.fields.keys()].map((name) => fieldOf(map, name))));
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
