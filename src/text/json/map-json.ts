/** A part that is left out of its object. */
export const LEFT_OUT = Symbol('left out');

/**
 * The object with other parts and keys. The object itself when nothing changes, which is the rule: then nothing is
 * allocated. Two keys that were different never become one.
 */
export function mapEntries(
  object: object,
  change: (key: string, part: unknown) => unknown,
  rename: (key: string, part: unknown) => string = (key) => key,
): object {
  const keys = Object.keys(object);
  let entries: [string, unknown][] | null = null;
  let done = 0;
  for (const key of keys) {
    const part: unknown = Reflect.get(object, key);
    const newPart = change(key, part);
    const newKey = rename(key, part);
    if (entries === null && newPart === part && newKey === key) {
      done += 1;
      continue;
    }
    entries ??= keys.slice(0, done).map((earlier) => [earlier, Reflect.get(object, earlier)]);
    if (newPart !== LEFT_OUT) entries.push([newKey, newPart]);
  }
  if (entries === null) return object;
  const taken = new Set<string>();
  // fromEntries defines keys, so that even `__proto__` is only a key.
  return Object.fromEntries(entries.map(([key, part]) => [unusedKey(key, taken), part]));
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
