/** A piece of a text, and whether the other text has it at this place. */
export interface TextPart {
  text: string;
  differs: boolean;
}

const WORDS = /\s+|[\p{L}\p{N}_]+|./gsu;
/** More pairs of words than this are not compared: what is between the common ends differs as a whole. */
const MOST_CELLS = 1_000_000;

/** Which words of two texts differ: a common beginning, a common end, and the longest common words between. */
export function wordDifference(base: string, next: string): { base: TextPart[]; next: TextPart[] } {
  const [a, b] = [wordsOf(base), wordsOf(next)];
  const shorter = Math.min(a.length, b.length);
  let head = 0;
  while (head < shorter && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail += 1;
  const middle = commonWords(a.slice(head, a.length - tail), b.slice(head, b.length - tail));
  const parts = (words: readonly string[], isCommon: readonly boolean[]) =>
    joined(words, (index) => index >= head && index < words.length - tail && !isCommon[index - head]);
  return { base: parts(a, middle.a), next: parts(b, middle.b) };
}

function wordsOf(text: string): string[] {
  return text.match(WORDS) ?? [];
}

/** For each word whether it belongs to the longest common subsequence. */
function commonWords(a: readonly string[], b: readonly string[]): { a: boolean[]; b: boolean[] } {
  const common = { a: a.map(() => false), b: b.map(() => false) };
  if (a.length * b.length > MOST_CELLS) return common;
  const width = b.length + 1;
  const longest = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      longest[i * width + j] =
        a[i] === b[j]
          ? (longest[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(longest[(i + 1) * width + j] ?? 0, longest[i * width + j + 1] ?? 0);
    }
  }
  for (let [i, j] = [0, 0]; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) {
      common.a[i] = true;
      common.b[j] = true;
      i += 1;
      j += 1;
    } else if ((longest[(i + 1) * width + j] ?? 0) >= (longest[i * width + j + 1] ?? 0)) i += 1;
    else j += 1;
  }
  return common;
}

/** Neighbours of the same kind are one part. */
function joined(words: readonly string[], differsAt: (index: number) => boolean): TextPart[] {
  const parts: { words: string[]; differs: boolean }[] = [];
  for (const [index, word] of words.entries()) {
    const differs = differsAt(index);
    const last = parts.at(-1);
    if (last?.differs === differs) last.words.push(word);
    else parts.push({ words: [word], differs });
  }
  return parts.map(({ words: own, differs }) => ({ text: own.join(''), differs }));
}
