import { distance } from 'fastest-levenshtein';

/** Every word is compared with every candidate: a hostile file could have thousands of both. */
const MOST_CANDIDATES = 200;

/** The candidate that was most likely meant, or undefined when none is near enough. */
export function didYouMean(word: string, candidates: Iterable<string>): string | undefined {
  // A longer word is no typing error, and distances would take long.
  if (word.length === 0 || word.length > 100) return undefined;
  const wanted = normalizedWord(word);
  let best: { candidate: string; score: number } | undefined;
  for (const candidate of Iterator.from(candidates).take(MOST_CANDIDATES)) {
    const score = distanceScore(wanted, normalizedWord(candidate));
    if (score <= 1 && (!best || score < best.score)) best = { candidate, score };
  }
  return best?.candidate ?? synonymAmong(wanted, candidates);
}

/** `did you mean "x"?` as a hint, or the fallback when there is nothing to suggest. */
export function suggestion(word: string, candidates: Iterable<string>, fallback?: string): string | undefined {
  const guess = didYouMean(word, candidates);
  return guess === undefined ? fallback : `did you mean "${guess}"?`;
}

/** ` Did you mean "x"?` to follow a sentence; empty when there is nothing to suggest. */
export function suggestionSentence(word: string, candidates: Iterable<string>): string {
  const guess = didYouMean(word, candidates);
  return guess === undefined ? '' : ` Did you mean "${guess}"?`;
}

/** Names of the same thing in other tools and languages. */
const SYNONYMS = [
  ['eq', 'equals', 'equal', '==', '='],
  ['ne', 'not_equals', 'not_equal', '!='],
  ['gt', 'greater_than', '>'],
  ['gte', '>='],
  ['lt', 'less_than', '<'],
  ['lte', '<='],
  ['contains', 'icontains', 'includes'],
  ['regex', 'matches', 'pattern', 'output_matches'],
  ['output_json', 'is_json', 'contains_json'],
  ['custom', 'javascript', 'python'],
  ['judge', 'llm_rubric', 'rubric', 'model_graded'],
];

function synonymAmong(word: string, candidates: Iterable<string>): string | undefined {
  const names = SYNONYMS.filter((group) => group.includes(word)).flat();
  return names.length === 0 ? undefined : Iterator.from(candidates).find((candidate) => names.includes(candidate));
}

function normalizedWord(word: string): string {
  if (/^[a-z0-9_]*$/.test(word)) return word;
  return word
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll(/[-\s.]/g, '_');
}

/** 0 is the same word, up to 1 is near: a third of the letters may differ, or one word may be part of the other. */
function distanceScore(word: string, candidate: string): number {
  const letters = Math.max(word.length, candidate.length);
  const allowed = Math.max(1, Math.floor(letters / 3));
  const score = (isSwap(word, candidate) ? 1 : distance(word, candidate)) / allowed;
  const part =
    Math.min(word.length, candidate.length) >= 3 &&
    (candidate.startsWith(word) || word.startsWith(candidate) || candidate.endsWith(`_${word}`));
  return part ? Math.min(score, 1) : score;
}

/** Two letters swapped: the most common typing error, which Levenshtein counts as two. */
function isSwap(word: string, candidate: string): boolean {
  if (word.length !== candidate.length) return false;
  const at = [...word].findIndex((letter, index) => letter !== candidate[index]);
  if (at < 0) return false;
  return word.slice(0, at) + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2) === candidate;
}
