const MOST_ENTRIES = 20_000;
const LONGEST_WORD = 100;

/**
 * Remembers what a function says of a word: texts use the same few thousand words again and again. The texts are not
 * ours, so the memory is bounded, in words and in their length.
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
