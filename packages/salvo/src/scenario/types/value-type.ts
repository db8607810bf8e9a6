import { list } from '../../text/words/value-words.ts';

/** What is known about a value before there is one: the kinds of JSON value that it can be. */
export type ValueType = typeof ANYTHING | KnownType;

/** Free-form data, such as the arguments of a tool. */
export const ANYTHING = 'anything';

export interface KnownType {
  /** Whether there may be no value: JMESPath's null. */
  missing: boolean;
  boolean: boolean;
  number: boolean;
  /** A set when only these texts are possible. */
  text: boolean | ReadonlySet<string>;
  /** The type of the entries when it can be a list. */
  list: ValueType | null;
  map: MapType | null;
}

export interface MapType {
  fields: ReadonlyMap<string, ValueType>;
  /** The type of fields with other names; null when there are none. */
  others: ValueType | null;
}

/** No value at all, not even a missing one: the entry of a list that is always empty. */
export const NEVER: KnownType = { missing: false, boolean: false, number: false, text: false, list: null, map: null };
export const MISSING: KnownType = { ...NEVER, missing: true };
export const BOOLEAN: KnownType = { ...NEVER, boolean: true };
export const NUMBER: KnownType = { ...NEVER, number: true };
export const TEXT: KnownType = { ...NEVER, text: true };

export function textOf(texts: Iterable<string>): KnownType {
  return { ...NEVER, text: new Set(texts) };
}

export function listOf(entry: ValueType): KnownType {
  return { ...NEVER, list: entry };
}

export function mapOf(fields: Iterable<[string, ValueType]>, others: ValueType | null = null): KnownType {
  return { ...NEVER, map: { fields: new Map(fields), others } };
}

/** Below this, nothing depends on the type, and a value that comes from code may be nested without end. */
const DEEPEST = 20;

/** The type of a JSON value that is written out. */
export function typeOfValue(value: unknown, depth = 0): ValueType {
  if (depth > DEEPEST) return ANYTHING;
  if (value === null || value === undefined) return MISSING;
  if (typeof value === 'boolean') return BOOLEAN;
  if (typeof value === 'number') return NUMBER;
  if (typeof value === 'string') return textOf([value]);
  if (Array.isArray(value)) return listOf(unionOf(value.map((entry) => typeOfValue(entry, depth + 1))));
  return mapOf(Object.entries(value).map(([key, entry]) => [key, typeOfValue(entry, depth + 1)]));
}

export function unionOf(types: readonly ValueType[]): ValueType {
  return types.reduce(union, NEVER);
}

export function union(a: ValueType, b: ValueType): ValueType {
  if (a === ANYTHING || b === ANYTHING) return ANYTHING;
  return {
    missing: a.missing || b.missing,
    boolean: a.boolean || b.boolean,
    number: a.number || b.number,
    text: unionOfTexts(a.text, b.text),
    list: a.list && b.list ? union(a.list, b.list) : (a.list ?? b.list),
    map: a.map && b.map ? unionOfMaps(a.map, b.map) : (a.map ?? b.map),
  };
}

function unionOfTexts(a: KnownType['text'], b: KnownType['text']): KnownType['text'] {
  if (typeof a === 'object' && typeof b === 'object') return a.union(b);
  if (a === false) return b;
  return b === false ? a : true;
}

function unionOfMaps(a: MapType, b: MapType): MapType {
  const names = new Set([...a.fields.keys(), ...b.fields.keys()]);
  return {
    fields: new Map([...names].map((name) => [name, union(fieldOf(a, name), fieldOf(b, name))])),
    others: a.others && b.others ? union(a.others, b.others) : (a.others ?? b.others),
  };
}

/** The type of a field; missing when the map has no such field. */
export function fieldOf({ fields, others }: MapType, name: string): ValueType {
  return fields.get(name) ?? (others === null ? MISSING : union(others, MISSING));
}

export function orMissing(type: ValueType): ValueType {
  return union(type, MISSING);
}

export function withoutMissing(type: ValueType): ValueType {
  return type === ANYTHING ? type : { ...type, missing: false };
}

const KINDS = ['missing', 'boolean', 'number', 'text', 'list', 'map'] as const satisfies readonly (keyof KnownType)[];

export type ValueKind = (typeof KINDS)[number];

/** The kinds that a value of this type can be. */
export function kindsOf(type: ValueType): ValueKind[] {
  return type === ANYTHING ? [...KINDS] : KINDS.filter((kind) => type[kind] !== false && type[kind] !== null);
}

export function canBe(type: ValueType, kind: ValueKind): boolean {
  return kindsOf(type).includes(kind);
}

/** Whether the type says nothing about the value, so that nothing can be wrong with it. */
export function isUnknown(type: ValueType): boolean {
  return type === ANYTHING || kindsOf(type).length === 0;
}

/** Whether a value of one type can be equal to one of the other. Only certain differences count. */
export function canBeEqual(a: ValueType, b: ValueType): boolean {
  if (a === ANYTHING || b === ANYTHING || isUnknown(a) || isUnknown(b)) return true;
  const shared = kindsOf(a).filter((kind) => canBe(b, kind));
  if (shared.some((kind) => kind !== 'text')) return true;
  if (shared.length === 0) return false;
  return typeof a.text !== 'object' || typeof b.text !== 'object' || !a.text.isDisjointFrom(b.text);
}

const WORDS: Record<ValueKind, string> = {
  missing: 'missing',
  boolean: 'true or false',
  number: 'a number',
  text: 'a text',
  list: 'a list',
  map: 'a map',
};

const MOST_LISTED = 10;

/** The type in plain words, without the possibility that there is no value. */
export function describeType(type: ValueType): string {
  if (type === ANYTHING) return 'any value';
  const kinds = kindsOf(type).filter((kind) => kind !== 'missing');
  if (kinds.length === 0) return 'missing';
  if (kinds.length === 1 && typeof type.text === 'object') {
    const texts = [...type.text].slice(0, MOST_LISTED).map((text) => `"${text}"`);
    const more = type.text.size - texts.length;
    if (more > 0) return `one of ${texts.join(', ')} and ${more} more`;
    return texts.length === 1 ? (texts[0] ?? '') : `one of ${list(texts, 'or')}`;
  }
  return list(
    kinds.map((kind) => WORDS[kind]),
    'or',
  );
}

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
