import type { Attribute } from '../syntax/expression.ts';
import { evaluate, type Place } from './evaluate.ts';
import { textOf } from './operators.ts';
import { isList, isObject, isUnknown, makeObject, type PartialValue, sortedEntries } from './partial-value.ts';
import type { Placed } from './terraform-module.ts';

/** An instance that `count` or `for_each` creates. */
export interface InstanceKey {
  key: string | number | null;
  certain: boolean;
  /** The values of `each` and `count` in it. */
  names: Map<string, PartialValue>;
}

/** Further instances are ignored. Only a large number creates so many. */
const MOST = 1000;

/** The instances of a block with these attributes: one when it has neither, and none for `count = 0`. */
export function instanceKeys(attributes: ReadonlyMap<string, Placed<Attribute>>, place: Place): InstanceKey[] {
  const count = attributes.get('count');
  if (count) return counted(evaluate(count.it.value, place));
  const forEach = attributes.get('for_each');
  if (forEach) return eachOf(evaluate(forEach.it.value, place));
  return [{ key: null, certain: true, names: new Map() }];
}

function counted(count: PartialValue): InstanceKey[] {
  const instance = (key: number | null, certain: boolean) => ({
    key,
    certain,
    names: new Map([['count', makeObject([['index', key ?? 0]])]]),
  });
  if (isUnknown(count)) return [instance(null, false)];
  const length = Math.min(Math.max(0, Math.floor(Number(count)) || 0), MOST);
  return Array.from({ length }, (_, index) => instance(index, true));
}

function eachOf(collection: PartialValue): InstanceKey[] {
  return entriesOf(collection, 'itself')
    .slice(0, MOST)
    .map(({ key, element, certain }) => ({
      key: certain ? textOf(key) : null,
      certain,
      names: new Map([['each', element]]),
    }));
}

interface Entry {
  key: PartialValue;
  /** The value of `each`: an object with `key` and `value`. */
  element: PartialValue;
  certain: boolean;
}

/** What `for_each` iterates over: a map by its keys, a set by its elements, and in `dynamic` a list by its indices. */
export function entriesOf(collection: PartialValue, keyOfElement: 'itself' | 'number'): Entry[] {
  const entry = (key: PartialValue, value: PartialValue, certain: boolean) => ({
    key,
    element: makeObject(Object.entries({ key, value })),
    certain,
  });
  if (isUnknown(collection)) return [entry(collection, collection, false)];
  if (isList(collection)) {
    return collection.map((value, index) =>
      keyOfElement === 'itself' ? entry(value, value, !isUnknown(value)) : entry(index, value, true),
    );
  }
  return isObject(collection) ? sortedEntries(collection).map(([key, value]) => entry(key, value, true)) : [];
}
