import type { Attribute, Expression } from '../syntax/expression.ts';
import { evaluate, type Place, undecided } from './evaluate.ts';
import { textOf } from './operators.ts';
import { isList, isObject, isUnknown, makeObject, type PartialValue } from './partial-value.ts';
import type { Placed } from './terraform-module.ts';

/** One of the instances that `count` or `for_each` makes. */
export interface InstanceKey {
  key: string | number | null;
  certain: boolean;
  /** `each` and `count` as they are in it. */
  names: Map<string, PartialValue>;
}

/** More instances than that are not looked at: they come from a number, not from a person. */
const MOST = 1000;

/** The instances of a block with these attributes: one when it has neither, and none for `count = 0`. */
export function instanceKeys(attributes: ReadonlyMap<string, Placed<Attribute>>, place: Place): InstanceKey[] {
  const count = attributes.get('count');
  if (count) return counted(repetition(count.it.value, place));
  const forEach = attributes.get('for_each');
  if (forEach) return eachOf(repetition(forEach.it.value, place));
  return [{ key: null, certain: true, names: new Map() }];
}

/** What `count` or `for_each` comes to; a plain look sees one instance, unless there is a number. */
export function repetition(expression: Expression, place: Place): PartialValue {
  return place.work.plain && expression.kind !== 'literal' ? undecided(expression.text) : evaluate(expression, place);
}

function counted(count: PartialValue): InstanceKey[] {
  if (isUnknown(count)) return [{ key: null, certain: false, names: new Map([['count', makeObject([['index', 0]])]]) }];
  const most = Math.min(Math.max(0, Math.floor(Number(count)) || 0), MOST);
  return Array.from({ length: most }, (_, index) => ({
    key: index,
    certain: true,
    names: new Map([['count', makeObject([['index', index]])]]),
  }));
}

function eachOf(collection: PartialValue): InstanceKey[] {
  return entriesOf(collection, 'itself')
    .slice(0, MOST)
    .map(({ key, value, certain }) => ({
      key: certain ? textOf(key) : null,
      certain,
      names: new Map([
        [
          'each',
          makeObject([
            ['key', key],
            ['value', value],
          ]),
        ],
      ]),
    }));
}

/** What `for_each` goes through: a map by its keys; a set by its elements; `dynamic` also takes a list by its numbers. */
export function entriesOf(
  collection: PartialValue,
  keyOfElement: 'itself' | 'number',
): { key: PartialValue; value: PartialValue; certain: boolean }[] {
  if (isUnknown(collection)) return [{ key: collection, value: collection, certain: false }];
  if (isList(collection))
    return collection.map((value, index) => {
      const byItself = keyOfElement === 'itself';
      return { key: byItself ? value : index, value, certain: !byItself || !isUnknown(value) };
    });
  if (!isObject(collection)) return [];
  return Object.keys(collection)
    .sort()
    .map((key) => ({ key, value: collection[key] ?? null, certain: true }));
}
