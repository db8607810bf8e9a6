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

/**
 * Caches a function of a word, because texts use the same few thousand words again and again. Texts may be hostile, so
 * the number of words and their length are bounded.
 */
export function memoByWord<Result>(
  compute: (word: string) => Result,
  longest = 100,
  most = 20_000,
): (word: string) => Result {
  const known = new Map<string, Result>();
  return (word) => {
    const found = known.get(word);
    if (found !== undefined) return found;
    const result = compute(word);
    if (known.size >= most) known.clear();
    if (word.length <= longest) known.set(word, result);
    return result;
  };
}

/** The value for a key from a Map or WeakMap; a missing one is made and added. */
export function remembered<Key, Value>(
  values: { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown },
  key: Key,
  make: () => Value,
): Value {
  const known = values.get(key);
  if (known !== undefined) return known;
  const made = make();
  values.set(key, made);
  return made;
}
