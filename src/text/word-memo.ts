const MOST_ENTRIES = 20_000;
const LONGEST_WORD = 100;

/**
 * Caches a function of a word, because texts use the same few thousand words again and again. Texts may be hostile, so
 * the number of words and their length are bounded.
 */
export function memoByWord<Result>(
  compute: (word: string) => Result,
  longest: number = LONGEST_WORD,
): (word: string) => Result {
  const known = new Map<string, Result>();
  return (word) => {
    const found = known.get(word);
    if (found !== undefined) return found;
    const result = compute(word);
    if (known.size >= MOST_ENTRIES) known.clear();
    if (word.length <= longest) known.set(word, result);
    return result;
  };
}
