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
  let changes: Change[] | null = null;
  let isRenamed = false;
  for (const key of Object.keys(object)) {
    const part = object[key];
    const newPart = change(key, part, object);
    const newKey = rename === undefined ? key : rename(key, part);
    isRenamed ||= newKey !== key || newPart === LEFT_OUT;
    if (newPart === part && newKey === key) continue;
    changes ??= [];
    changes.push({ key, newKey, newPart });
  }
  if (changes === null) return object;
  if (isRenamed) return renamed(object, new Map(changes.map((each) => [each.key, each])));
  // The copy has all keys of its own, so that even `__proto__` is only a key.
  const copy: Record<string, unknown> = { ...object };
  for (const { key, newPart } of changes) copy[key] = newPart;
  return copy;
}

interface Change {
  key: string;
  newKey: string;
  newPart: unknown;
}

function renamed(object: object, changes: ReadonlyMap<string, Pick<Change, 'newKey' | 'newPart'>>): object {
  const taken = new Set<string>();
  const entries = Object.entries(object).flatMap(([key, part]): [string, unknown][] => {
    const { newKey, newPart } = changes.get(key) ?? { newKey: key, newPart: part };
    return newPart === LEFT_OUT ? [] : [[unusedKey(newKey, taken), newPart]];
  });
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
