import { distance } from 'fastest-levenshtein';

/** The candidate that was most likely meant, or undefined when none is near enough. */
export function didYouMean(word: string, candidates: Iterable<string>): string | undefined {
  // Anything longer is no slip of the pen, and distances would take long.
  if (word.length === 0 || word.length > 100) return undefined;
  const wanted = normal(word);
  let best: { candidate: string; score: number } | undefined;
  for (const candidate of candidates) {
    const score = scoreOf(wanted, normal(candidate));
    if (score <= 1 && (!best || score < best.score)) best = { candidate, score };
  }
  return best?.candidate;
}

/** `did you mean "x"?` as a hint, or the fallback when there is nothing to suggest. */
export function suggestion(word: string, candidates: Iterable<string>, fallback?: string): string | undefined {
  const guess = didYouMean(word, candidates);
  return guess === undefined ? fallback : `did you mean "${guess}"?`;
}

function normal(word: string): string {
  return word
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll(/[-\s.]/g, '_');
}

/** 0 is the same word, up to 1 is near: a third of the letters may differ, or one word may be part of the other. */
function scoreOf(word: string, candidate: string): number {
  const letters = Math.max(word.length, candidate.length);
  const allowed = Math.max(1, Math.floor(letters / 3));
  const score = (isSwap(word, candidate) ? 1 : distance(word, candidate)) / allowed;
  const part =
    Math.min(word.length, candidate.length) >= 3 && (candidate.startsWith(word) || word.startsWith(candidate));
  return part ? Math.min(score, 1) : score;
}

/** Two neighbours in the wrong order: the commonest slip, which Levenshtein counts as two. */
function isSwap(word: string, candidate: string): boolean {
  if (word.length !== candidate.length) return false;
  const at = [...word].findIndex((letter, index) => letter !== candidate[index]);
  if (at < 0) return false;
  return word.slice(0, at) + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2) === candidate;
}
