/** Calls `make` when the result is first needed, and once only. */
export function once<Result>(make: () => Result): () => Result {
  let made: { result: Result } | undefined;
  return () => {
    made ??= { result: make() };
    return made.result;
  };
}

/** Remembers the result for every key. For keys of our own: `memoByWord` is for texts, and bounded. */
export function memoByKey<Result>(make: (key: string) => Result): (key: string) => Result {
  const known = new Map<string, { result: Result }>();
  return (key) => {
    const entry = known.get(key) ?? { result: make(key) };
    known.set(key, entry);
    return entry.result;
  };
}
