import { isEqual, textOf } from './operators.ts';
import {
  isList,
  isObject,
  isUnknown,
  makeList,
  makeObject,
  makeText,
  type PartialValue,
  sortedEntries,
  Unknown,
} from './partial-value.ts';
import { fromJsonText, jsonText } from './value.ts';

/** A Terraform function. Its arguments are known, but may have unknown parts. */
type TerraformFunction = (...args: PartialValue[]) => PartialValue;

const failure = (what: string) => new Unknown(what, `\${${what}}`);
const items = (value: PartialValue): PartialValue[] =>
  isList(value) ? value : isObject(value) ? Object.values(value) : [];
const texts = (value: PartialValue) => items(value).map(textOf);
const numbers = (data: readonly PartialValue[]) =>
  data.flatMap((value) => (isList(value) ? value : [value])).map(Number);

/** A text made of several parts. It is unknown if one of them is. */
function text(parts: readonly PartialValue[], join: (texts: string[]) => string): PartialValue {
  const made = makeText(join(parts.map(textOf)));
  const unknown = parts.find(isUnknown);
  return unknown && typeof made === 'string' ? new Unknown(unknown.reason, made) : made;
}

function onText(change: (text: string, other: string) => string): TerraformFunction {
  return (...args) => text(args, ([all = '', other = '']) => change(all, other));
}

const identity = (item: PartialValue) => `${typeof item}:${textOf(item)}`;

function distinct(list: readonly PartialValue[]): PartialValue[] {
  const seen = new Set<string>();
  return list.filter((item) => {
    const key = identity(item);
    return seen.has(key) ? false : Boolean(seen.add(key));
  });
}

/** The elements of a set that are, or are not, in another one. */
function setWith(set: PartialValue, other: PartialValue, isWanted: boolean): PartialValue {
  const others = new Set(items(other).map(identity));
  return toSet(makeList(items(set).filter((item) => others.has(identity(item)) === isWanted)));
}

function toList(value: PartialValue): PartialValue {
  return isList(value) ? value : isObject(value) ? makeList(Object.values(value)) : failure('not a list');
}

function toSet(value: PartialValue): PartialValue {
  if (!isList(value)) return failure('not a list');
  return makeList(distinct(value).sort((a, b) => (textOf(a) < textOf(b) ? -1 : 1)));
}

/** An element that is not known may be a list. */
function flatten(value: PartialValue, depth = 0): PartialValue[] {
  if (isUnknown(value)) return [severalOf(value)];
  return isList(value) && depth < 50 ? value.flatMap((item) => flatten(item, depth + 1)) : [value];
}

function severalOf({ reason, text, refersTo }: Unknown): Unknown {
  return new Unknown(reason, text, { refersTo, several: true });
}

function concat(...lists: PartialValue[]): PartialValue {
  return makeList(lists.flatMap((list) => (isUnknown(list) ? [severalOf(list)] : items(list))));
}

function contains(list: PartialValue, wanted: PartialValue = null): PartialValue {
  const results = items(list).map((item) => isEqual(item, wanted));
  if (results.includes(true)) return true;
  return results.includes(null) ? failure('an element is not known') : false;
}

function format(pattern: PartialValue, ...args: PartialValue[]): PartialValue {
  let next = 0;
  return text([pattern, ...args], ([made = '', ...values]) =>
    made.replaceAll(/%(%|[-+ 0#]*(?:[1-9]\d*)?(?:\.\d+)?[a-zA-Z])/g, (whole, verb: string) => {
      if (verb === '%') return '%';
      const value = values[next++] ?? '';
      if (verb.endsWith('q')) return JSON.stringify(value);
      const width = /^0(\d+)d$/.exec(verb)?.[1];
      return width !== undefined ? value.padStart(Math.min(Number(width), 100), '0') : value || whole.slice(0, 0);
    }),
  );
}

/** Lists among the arguments are gone through together; all other arguments are the same for each of their elements. */
function formatList(pattern: PartialValue, ...args: PartialValue[]): PartialValue {
  const lists = args.filter(isList);
  const length = Math.min(...lists.map((list) => list.length));
  if (lists.length === 0 || lists.some((list) => list.length !== length)) return failure('not lists of one length');
  const nth = (index: number) => args.map((one) => (isList(one) ? (one[index] ?? null) : one));
  return makeList(Array.from({ length }, (_, index) => format(pattern, ...nth(index))));
}

function replaced(whole: PartialValue, part: PartialValue = '', by: PartialValue = ''): PartialValue {
  // Between slashes it is a regular expression, which can take forever.
  if (typeof part === 'string' && part.length > 1 && part.startsWith('/') && part.endsWith('/')) {
    return failure('a regular expression');
  }
  return text([whole, part, by], ([all = '', from = '', to = '']) =>
    from === '' ? all : all.replaceAll(from, () => to),
  );
}

function range(...args: PartialValue[]): PartialValue {
  const [first = 0, second, third = 1] = numbers(args);
  const [from, to] = second === undefined ? [0, first] : [first, second];
  const count = Math.ceil((to - from) / third);
  if (!(count >= 0) || count > 10_000) return failure('too long a range');
  return makeList(Array.from({ length: count }, (_, index) => from + index * third));
}

const FUNCTIONS: Readonly<Record<string, TerraformFunction>> = {
  jsonencode: (value = null) => jsonText(value),
  jsondecode: (value = null) => fromJsonText(value) ?? failure('not a JSON text'),
  tostring: (value = null) => (value === null ? null : textOf(value)),
  tonumber: (value = null) =>
    Number.isFinite(Number(textOf(value))) ? Number(textOf(value)) : failure('not a number'),
  tobool: (value = null) =>
    ['true', 'false'].includes(textOf(value)) ? textOf(value) === 'true' : failure('not a boolean'),
  tolist: (value = null) => toList(value),
  toset: (value = null) => toSet(value),
  tomap: (value = null) => value,
  sensitive: (value = null) => value,
  nonsensitive: (value = null) => value,
  merge: (...maps) => makeObject(maps.flatMap((map) => (isObject(map) ? Object.entries(map) : []))),
  concat,
  length: (value = null) => (typeof value === 'string' ? [...value].length : items(value).length),
  format,
  formatlist: formatList,
  base64encode: (value = '') => makeText(Buffer.from(textOf(value)).toString('base64')),
  base64decode: (value = '') => makeText(Buffer.from(textOf(value), 'base64').toString('utf8')),
  lower: onText((all) => all.toLowerCase()),
  upper: onText((all) => all.toUpperCase()),
  title: onText((all) => all.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase())),
  trimspace: onText((all) => all.trim()),
  trimprefix: onText((all, start) => (all.startsWith(start) ? all.slice(start.length) : all)),
  trimsuffix: onText((all, end) => (all.endsWith(end) ? all.slice(0, all.length - end.length) : all)),
  chomp: onText((all) => all.replace(/[\r\n]{1,2}$/, '')),
  substr: (value = '', from = 0, count = -1) =>
    text([value], ([all = '']) =>
      all.slice(Number(from), Number(count) < 0 ? undefined : Number(from) + Number(count)),
    ),
  startswith: (value = '', part = '') => textOf(value).startsWith(textOf(part)),
  endswith: (value = '', part = '') => textOf(value).endsWith(textOf(part)),
  strcontains: (value = '', part = '') => textOf(value).includes(textOf(part)),
  replace: replaced,
  join: (separator = '', ...lists) =>
    text([separator, ...lists.flatMap(items)], ([between = '', ...parts]) => parts.join(between)),
  split: (separator = '', value = '') => makeList(textOf(value).split(textOf(separator))),
  compact: (list = null) => makeList(items(list).filter((item) => item !== '' && item !== null)),
  distinct: (list = null) => makeList(distinct(items(list))),
  flatten: (list = null) => makeList(flatten(list)),
  reverse: (list = null) => makeList(items(list).toReversed()),
  sort: (list = null) => makeList(texts(list).sort()),
  slice: (list = null, from = 0, to = 0) => makeList(items(list).slice(Number(from), Number(to))),
  element: (list = null, index = 0) =>
    items(list)[Number(index) % Math.max(1, items(list).length)] ?? failure('an empty list'),
  contains,
  keys: (map = null) => (isObject(map) ? makeList(Object.keys(map).sort()) : failure('not a map')),
  values: (map = null) =>
    isObject(map) ? makeList(sortedEntries(map).map(([, value]) => value)) : failure('not a map'),
  zipmap: (keys = null, values = null) =>
    makeObject(texts(keys).map((key, index) => [key, items(values)[index] ?? null])),
  one: (list = null) => items(list)[0] ?? null,
  setunion: (...sets) => toSet(makeList(sets.flatMap(items))),
  setsubtract: (set = null, without = null) => setWith(set, without, false),
  setintersection: (first = null, ...others) => others.reduce((set, other) => setWith(set, other, true), first),
  coalescelist: (...lists) => lists.find((list) => items(list).length > 0) ?? failure('only empty lists'),
  alltrue: (list = null) =>
    contains(makeList(items(list).map((item) => (isUnknown(item) ? item : textOf(item) !== 'true'))), true) === false,
  anytrue: (list = null) => contains(list, true),
  range,
  max: (...args) => Math.max(...numbers(args)),
  min: (...args) => Math.min(...numbers(args)),
  sum: (list = null) => numbers(items(list)).reduce((sum, item) => sum + item, 0),
  abs: (value = 0) => Math.abs(Number(value)),
  ceil: (value = 0) => Math.ceil(Number(value)),
  floor: (value = 0) => Math.floor(Number(value)),
  lookup,
};

/** Without the names that every object has. */
export const TERRAFORM_FUNCTIONS: ReadonlyMap<string, TerraformFunction> = new Map(Object.entries(FUNCTIONS));

function lookup(map: PartialValue, key: PartialValue = '', fallback?: PartialValue): PartialValue {
  const name = textOf(key);
  if (isObject(map) && Object.hasOwn(map, name)) return map[name] ?? null;
  // A map with unknown keys may have it.
  if (isObject(map) && Object.keys(map).some((other) => other.includes('${'))) return failure('a key is not known');
  return fallback ?? failure(`there is no ${name}`);
}

/** The functions that can take a list of which it is not known how many elements it has. */
export const TAKES_SEVERAL = new Set([
  ...['concat', 'flatten', 'compact', 'contains', 'tolist', 'join', 'jsonencode', 'sensitive', 'nonsensitive'],
]);

/** Whether the function needs arguments without any unknown part. */
export const NEEDS_ALL_KNOWN = new Set([
  ...['sort', 'toset', 'distinct', 'setunion', 'setsubtract', 'setintersection', 'max', 'min', 'sum', 'alltrue'],
]);
