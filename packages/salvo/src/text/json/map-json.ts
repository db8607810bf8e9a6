/** V8 knows it inside of a loop over keys, unlike `Object.hasOwn`. */
const { hasOwnProperty: hasOwn } = Object.prototype;

/** A part that is left out of its object. */
export const LEFT_OUT = Symbol('left out');

/**
 * The object with other parts and keys. The object itself when nothing changes, which is the rule: then nothing is
 * allocated. Two keys that were different never become one.
 */
export function mapEntries(
  object: Readonly<Record<string, unknown>>,
  change: (key: string, part: unknown, object: object) => unknown,
  rename?: (key: string, part: unknown) => string,
): object {
  let copy: Record<string, unknown> | null = null;
  let newKeys: Map<string, string> | null = null;
  // Makes no list of the keys, and finds their values faster than a loop over such a list.
  for (const key in object) {
    if (!hasOwn.call(object, key)) continue;
    const part = object[key];
    const newPart = change(key, part, object);
    const newKey = rename === undefined ? key : rename(key, part);
    if (newPart !== part) {
      // The copy has all keys of its own, so that even `__proto__` is only a key.
      copy ??= { ...object };
      copy[key] = newPart;
    }
    if (newKey === key && newPart !== LEFT_OUT) continue;
    newKeys ??= new Map();
    newKeys.set(key, newKey);
  }
  return newKeys === null ? (copy ?? object) : renamed(copy ?? object, newKeys);
}

function renamed(object: object, newKeys: ReadonlyMap<string, string>): object {
  const taken = new Set<string>();
  const entries = Object.entries(object).flatMap(([key, part]): [string, unknown][] =>
    part === LEFT_OUT ? [] : [[unusedKey(newKeys.get(key) ?? key, taken), part]],
  );
  // fromEntries defines keys, so that even `__proto__` is only a key.
  return Object.fromEntries(entries);
}

/** The list with other parts; the list itself when nothing changes. */
export function mapList(list: readonly unknown[], change: (part: unknown, index: number) => unknown): unknown {
  let changed: unknown[] | null = null;
  for (let index = 0; index < list.length; index++) {
    const part = change(list[index], index);
    if (part !== list[index]) {
      changed ??= [...list];
      changed[index] = part;
    }
  }
  return changed ?? list;
}

function unusedKey(key: string, taken: Set<string>): string {
  let unused = key;
  for (let copy = 2; taken.has(unused); copy++) unused = `${key} (${copy})`;
  taken.add(unused);
  return unused;
}
