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
  return created;
}
