/**
 * A map that all copies of Salvo in this process share. A plugin may import another copy than the one that loads it
 * (a bundled app, for instance), and still has to register with it.
 */
export function processWideMap<T>(name: string): Map<string, T> {
  const key = Symbol.for(`salvo.${name}`);
  const existing: Map<string, T> | undefined = Reflect.get(globalThis, key);
  if (existing) return existing;
  const created = new Map<string, T>();
  Reflect.set(globalThis, key, created);
  if (name !== ALL) processWideMap<Map<string, unknown>>(ALL).set(name, created);
  return created;
}

const ALL = 'all-maps';

/** What is in all of these maps, such as what plugins registered. */
export type Registrations = ReadonlyMap<string, ReadonlyMap<string, unknown>>;

export function allRegistrations(): Registrations {
  return new Map([...processWideMap<Map<string, unknown>>(ALL)].map(([name, map]) => [name, new Map(map)]));
}

/** Puts back what was there at another time, and takes out everything else. */
export function restoreRegistrations(then: Registrations): void {
  for (const [name, map] of processWideMap<Map<string, unknown>>(ALL)) {
    const entries = [...(then.get(name) ?? [])];
    map.clear();
    for (const [key, value] of entries) map.set(key, value);
  }
}
