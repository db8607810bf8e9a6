import { isRecord } from '../../text/json/is-record.ts';

type Filter = (value: unknown, ...rest: unknown[]) => unknown;

/** How a value is written into a text, as JavaScript does it; null and missing values are nothing. */
export function shownValue(value: unknown): string {
  return value === null || value === undefined ? '' : String(value);
}

export function isTrue(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}

function listOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value === 'string') return [...value];
  return isRecord(value) ? Object.entries(value).map(([key, part]) => ({ key, value: part })) : [];
}

function sorted(value: unknown, reverse: unknown, _: unknown, attribute: unknown): unknown[] {
  const keyOf = (each: unknown) => (typeof attribute === 'string' && isRecord(each) ? each[attribute] : each);
  const compare = (a: unknown, b: unknown): number => {
    const [first, second] = [keyOf(a), keyOf(b)];
    if (typeof first === 'number' && typeof second === 'number') return first - second;
    return shownValue(first) < shownValue(second) ? -1 : 1;
  };
  const list = listOf(value).toSorted(compare);
  return reverse === true ? list.toReversed() : list;
}

function sizeOf(value: unknown): number {
  return isRecord(value) ? Object.keys(value).length : listOf(value).length;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '"': '&quot;',
  "'": '&#39;',
  '<': '&lt;',
  '>': '&gt;',
};

/** The filters of Nunjucks that prompts use, and `load` of promptfoo. Others are a gap that is named. */
export const FILTERS: Readonly<Record<string, Filter>> = {
  upper: (value) => shownValue(value).toUpperCase(),
  lower: (value) => shownValue(value).toLowerCase(),
  trim: (value) => shownValue(value).trim(),
  capitalize: (value) => shownValue(value).charAt(0).toUpperCase() + shownValue(value).slice(1).toLowerCase(),
  title: (value) =>
    shownValue(value)
      .split(' ')
      .map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase())
      .join(' '),
  length: sizeOf,
  join: (value, by) => listOf(value).map(shownValue).join(shownValue(by)),
  default: (value, other, anyFalse) => (value === undefined || (anyFalse === true && !isTrue(value)) ? other : value),
  d: (value, other) => (value === undefined ? other : value),
  dump: (value, indent) => JSON.stringify(value, null, typeof indent === 'number' ? indent : undefined) ?? '',
  load: (value) => JSON.parse(shownValue(value)),
  safe: (value) => value,
  escape: (value) => shownValue(value).replaceAll(/[&"'<>]/g, (each) => ENTITIES[each] ?? each),
  string: shownValue,
  int: (value) => Math.trunc(Number(value)) || 0,
  float: (value) => Number(value) || 0,
  abs: (value) => Math.abs(Number(value)),
  round: (value, digits) => Number(Number(value).toFixed(typeof digits === 'number' ? digits : 0)),
  first: (value) => listOf(value)[0],
  last: (value) => listOf(value).at(-1),
  reverse: (value) => (typeof value === 'string' ? [...value].toReversed().join('') : listOf(value).toReversed()),
  sort: sorted,
  list: listOf,
  sum: (value) => listOf(value).reduce<number>((sum, each) => sum + Number(each), 0),
  wordcount: (value) => (shownValue(value).match(/\w+/g) ?? []).length,
  urlencode: (value) => encodeURIComponent(shownValue(value)),
  replace: (value, from, to) => shownValue(value).replaceAll(shownValue(from), shownValue(to)),
  indent: (value, width) =>
    shownValue(value).replaceAll('\n', `\n${' '.repeat(typeof width === 'number' ? Math.min(width, 100) : 4)}`),
  truncate: (value, most) => {
    const length = typeof most === 'number' ? most : 255;
    const text = shownValue(value);
    return text.length <= length ? text : `${text.slice(0, length)}...`;
  },
};
