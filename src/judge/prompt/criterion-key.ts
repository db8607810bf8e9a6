import type { CriterionLike } from '../../scenario/schema/criterion-schema.ts';

const SAFE_KEY = /^[A-Za-z0-9_-]{1,64}$/;
/** Room for a number behind it. */
const LONGEST_SLUG = 56;

/**
 * A property key for each criterion's name that every provider takes: the name itself where it is one, else a slug of
 * it. No two are the same, and the same criteria always get the same keys.
 */
export function criterionKeys(criteria: readonly Pick<CriterionLike, 'name'>[]): Map<string, string> {
  const names = new Set(criteria.map(({ name }) => name));
  const taken = new Set([...names].filter(isSafeKey));
  const keys = new Map<string, string>();
  for (const [index, name] of [...names].entries()) {
    const key = isSafeKey(name) ? name : freeKey(slug(name) || `criterion_${index + 1}`, taken);
    taken.add(key);
    keys.set(name, key);
  }
  return keys;
}

/** The way back: the name of the criterion behind each key. */
export function criterionNames(criteria: readonly Pick<CriterionLike, 'name'>[]): Map<string, string> {
  return new Map([...criterionKeys(criteria)].map(([name, key]) => [key, name]));
}

/** `__proto__` would do for the providers, but careful JSON parsers refuse it. */
function isSafeKey(name: string): boolean {
  return SAFE_KEY.test(name) && name !== '__proto__';
}

function slug(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9-]+/g, '_')
    .slice(0, LONGEST_SLUG)
    .replaceAll(/^[_-]+|[_-]+$/g, '');
}

function freeKey(wanted: string, taken: ReadonlySet<string>): string {
  let key = wanted;
  for (let number = 2; taken.has(key); number += 1) key = `${wanted}_${number}`;
  return key;
}
