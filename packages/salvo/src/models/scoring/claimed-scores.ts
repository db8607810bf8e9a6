import { doubledKey } from '../../text/json/doubled-keys.ts';
import { isRecord } from '../../text/json/is-record.ts';
import { parseJson } from '../../text/json/json-in-text.ts';
import { quoteOutput } from '../../text/output/quote-output.ts';
import {
  type Claim,
  type CriterionScore,
  claimsOfEntries,
  clampScore,
  finiteNumber,
  namedEntries,
  type VoteScores,
  WRAPPERS,
  writtenReasoning,
} from './read-scores.ts';
import type { ScoredCriterion } from './scoring-tool.ts';

/** What is wrong with an answer. `what` quotes nothing of it, so it may be stored where no text may be. */
export interface Fault {
  what: string;
  /** A sentence's rest, for the judge. */
  evidence?: string | undefined;
}

const DEEPEST_WRAPPER = 3;
/** A rounding error of a model that computes its score, not another scale. */
const SCALE_TOLERANCE = 1e-6;

/**
 * The scores in a value that a judge wrote, as `readScores` finds them, but without guessing: a score on another scale,
 * or two different scores for one criterion, whatever they are nested in or however it is spelled, are a fault.
 */
export function claimedScores(
  value: unknown,
  criteria: readonly ScoredCriterion[],
): { scores: VoteScores } | { fault: Fault } {
  const scores = new Map<string, CriterionScore>();
  for (const { name, said } of claimsIn(value, criteria)) {
    const read = readClaim(said, name);
    if ('fault' in read) return read;
    if (!read.score) continue;
    const binary = criteria.find((criterion) => criterion.name === name)?.binary;
    const score = binary ? { ...read.score, score: read.score.score >= 0.5 ? 1 : 0 } : read.score;
    const earlier = scores.get(name);
    if (earlier && earlier.score !== score.score) return { fault: differentScores(name) };
    if (!earlier) scores.set(name, score);
  }
  return { scores: Object.fromEntries(scores) };
}

/** For a criterion that has two scores in one answer. */
export function differentScores(name: string): Fault {
  return { what: 'The answer gives one criterion two different scores', evidence: quote(name) };
}

/** Everything that a value says of a criterion: on its first level, and inside of wrappers. */
function claimsIn(value: unknown, criteria: readonly ScoredCriterion[], depth = 0): Claim[] {
  const claims = claimsOfEntries(namedEntries(value), criteria);
  if (depth >= DEEPEST_WRAPPER || !isRecord(value)) return claims;
  const names = new Set(criteria.map(({ name }) => name));
  const wrapped = WRAPPERS.filter((wrapper) => Object.hasOwn(value, wrapper) && !names.has(wrapper)).flatMap(
    (wrapper) => {
      const inner = value[wrapper];
      if (typeof inner !== 'string') return claimsIn(inner, criteria, depth + 1);
      const text = inner.trim();
      const found = claimsIn(parseJson(text), criteria, depth + 1);
      // Its scores cannot be trusted: reading the claim will say why.
      return doubledKey(text) === null ? found : found.map((claim) => ({ ...claim, said: text }));
    },
  );
  return [...claims, ...wrapped];
}

/** The score in what is said of a criterion; null when nothing is said of its score. */
function readClaim(said: unknown, name: string): { score: CriterionScore | null } | { fault: Fault } {
  const isText = typeof said === 'string';
  if (isText && /^\s*[[{]/.test(said) && doubledKey(said) !== null) return { fault: doubledKeyFault(said) };
  const value = isText ? (parseJson(said.trim()) ?? said) : said;
  if (value === null || value === undefined) return { score: null };
  if (!isRecord(value)) return readNumber(value, { name, said, reasoning: '' });
  const written = Object.entries(value).filter(([key]) => key.toLowerCase() === 'score');
  const [first] = written;
  if (!first || first[1] === null) return { score: null };
  if (written.some(([, other]) => finiteNumber(other) !== finiteNumber(first[1]))) {
    return { fault: differentScores(name) };
  }
  return readNumber(first[1], { name, said, reasoning: writtenReasoning(value) });
}

function readNumber(
  value: unknown,
  { name, said, reasoning }: { name: string; said: unknown; reasoning: string },
): { score: CriterionScore } | { fault: Fault } {
  const number = finiteNumber(value);
  const about = `what it says of ${quote(name)} has no number from 0.0 to 1.0 as its score: ${quote(JSON.stringify(said) ?? 'nothing')}`;
  if (number === null) return { fault: { what: 'The answer has a score that is not a number', evidence: about } };
  if (number < -SCALE_TOLERANCE || number > 1 + SCALE_TOLERANCE) {
    const what = 'The answer has a score on another scale: scores are numbers from 0.0 to 1.0';
    return { fault: { what, evidence: about } };
  }
  return { score: { score: clampScore(number), reasoning } };
}

/** For a JSON text that has a key twice in one object. */
export function doubledKeyFault(json: string): Fault {
  return { what: 'The answer has the same key twice in one JSON object', evidence: quote(doubledKey(json) ?? '') };
}

export function quote(text: string): string {
  return quoteOutput(text, { length: 200 });
}
