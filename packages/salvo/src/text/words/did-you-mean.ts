import { distance } from 'fastest-levenshtein';

/** Every word is compared with every candidate: a hostile file could have thousands of both. */
const MOST_CANDIDATES = 200;

/** The score of a word in which a sixth of the letters differ. */
const A_FEW_LETTERS = 0.5;

/** The candidate that was most likely meant, or undefined when none is near enough. */
export function didYouMean(word: string, candidates: Iterable<string>): string | undefined {
  // A longer word is no typing error, and distances would take long.
  if (word.length === 0 || word.length > 100) return undefined;
  const wanted = normalizedWord(word);
  let best: { candidate: string; score: number } | undefined;
  for (const candidate of Iterator.from(candidates).take(MOST_CANDIDATES)) {
    const name = normalizedWord(candidate);
    if (isOpposite(wanted, name)) continue;
    const score = distanceScore(wanted, name);
    if (score <= 1 && (!best || score < best.score)) best = { candidate, score };
  }
  // A word of another tool is no typing error: `icontains` is not meant to be `file_contains`.
  if (best && best.score <= A_FEW_LETTERS) return best.candidate;
  return synonymAmong(wanted, candidates) ?? best?.candidate;
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

/** Words that turn a name into its opposite. */
const NEGATIONS = new Set(['not', 'no', 'non', 'never', 'without', 'cannot', 'isnt', 'doesnt', 'dont', 'ne', 'neq']);
const NEGATING_PREFIXES = ['not', 'non', 'no', 'un', 'in', 'im', 'dis', 'n'];
const OPPOSITES = [
  ['min', 'max'],
  ['least', 'most'],
  ['gt', 'lt'],
  ['gte', 'lte'],
  ['include', 'exclude'],
  ['includes', 'excludes'],
  ['enable', 'disable'],
  ['enabled', 'disabled'],
  ['allow', 'deny'],
  ['before', 'after'],
  ['first', 'last'],
  ['pass', 'fail'],
  ['true', 'false'],
] as const;

/** Whether a name says the opposite of a word, however similar the letters: `not_contains` and `contains`. */
function isOpposite(word: string, candidate: string): boolean {
  const [words, names] = [word.split('_'), candidate.split('_')];
  const isNegated = (parts: string[]) => parts.some((part) => NEGATIONS.has(part));
  // `notcontains` is `not_contains`, without the underscore.
  const bothSayNot = word.includes('not') && candidate.includes('not');
  if (isNegated(words) !== isNegated(names) && !bothSayNot) return true;
  if (NEGATING_PREFIXES.some((prefix) => word === prefix + candidate || candidate === prefix + word)) return true;
  const has = (parts: string[], part: string, other: string) => parts.includes(part) && !parts.includes(other);
  return OPPOSITES.some(([a, b]) => (has(words, a, b) && has(names, b, a)) || (has(words, b, a) && has(names, a, b)));
}

/** Names of the same thing in other tools and languages. */
const SYNONYMS = [
  ['eq', 'output_equals', 'equals', 'equal', 'exact', 'exact_match', '==', '='],
  ['ne', 'output_not_equals', 'neq', 'not_equals', 'not_equal', 'not_eq', 'unequal', '!='],
  ['gt', 'greater_than', '>'],
  ['gte', '>='],
  ['lt', 'less_than', '<'],
  ['lte', '<='],
  ['contains', 'icontains', 'includes', 'contains_all', 'output_contains'],
  ['not_contains', 'not_icontains', 'not_includes', 'excludes', 'lacks', 'does_not_contain', 'output_not_contains'],
  ['regex', 'matches', 'pattern', 'output_matches'],
  ['not_regex', 'not_matches', 'not_match', 'does_not_match', 'output_not_matches'],
  ['exists', 'present', 'is_set', 'defined'],
  ['not_exists', 'absent', 'is_missing', 'undefined', 'does_not_exist'],
  ['output_json', 'is_json', 'contains_json'],
  ['output_contains_any', 'contains_any', 'icontains_any'],
  ['output_starts_with', 'starts_with', 'begins_with'],
  ['output_similar', 'similar', 'similarity', 'semantic_similarity'],
  ['output_length', 'length', 'word_count', 'max_length'],
  ['is_refusal', 'refusal', 'refuses'],
  ['is_not_refusal', 'not_is_refusal', 'not_refusal'],
  ['javascript', 'js'],
  ['custom', 'python'],
  ['response', 'output', 'answer', 'completion'],
  ['turns', 'messages', 'conversation', 'history'],
  ['arguments', 'args', 'params', 'parameters', 'input'],
  ['content', 'text'],
  ['judge', 'llm_rubric', 'rubric', 'model_graded', 'model_graded_closedqa', 'model_graded_qa', 'factuality', 'g_eval'],
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
  const changes = isSwap(word, candidate) ? 1 : distance(word, candidate);
  // Short words that have no letter in common, such as `x` and `b`.
  const score = changes >= letters ? Number.POSITIVE_INFINITY : changes / allowed;
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
