const SAFE_KEY = /^[A-Za-z0-9_-]{1,64}$/;
/** Leaves room for a number behind it. */
const LONGEST_SLUG = 56;

/**
 * A property key for each criterion that every provider accepts: its name if possible, else a slug of it. Keys are
 * unique, and the same criteria always get the same keys.
 */
export function criterionKeys(criteria: readonly { name: string }[]): Map<string, string> {
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

/** Providers accept `__proto__`, but careful JSON parsers refuse it. */
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
