import { isRecord } from '../../text/json/is-record.ts';
import { parseJson } from '../../text/json/json-in-text.ts';
import { criterionKeys } from './criterion-keys.ts';
import type { ScoredCriterion } from './scoring-tool.ts';

/** One criterion's score in one vote, from 0 to 1. */
export interface CriterionScore {
  score: number;
  reasoning: string;
  /** Of a decision: how likely each level is. `score` is their mean. */
  probabilities?: LevelProbability[] | undefined;
}

/** How likely a criterion has this score, by a decision model. */
export interface LevelProbability {
  label: string;
  score: number;
  probability: number;
}

/** One judge call's scores, by criterion name. A criterion that the judge left out is not in it. */
export type VoteScores = Record<string, CriterionScore>;

/** Keys that models wrap the scores in, and that wrap a tool call written as text. */
export const WRAPPERS: readonly string[] = [
  'criteria',
  'scores',
  'score_criteria',
  'arguments',
  'parameters',
  'input',
  'function',
  'results',
];
const DEEPEST_WRAPPER = 3;

/**
 * The scores in a value, read leniently, for callers of `extractScores`; votes are read by `readVote`. A map from criteria to scores, a list of `{name, score}`, or either of
 * them inside a wrapper. Null when it scores none of the criteria.
 */
export function readScores(value: unknown, criteria: readonly ScoredCriterion[], depth = 0): VoteScores | null {
  const scores = scoresByName(namedEntries(value), criteria);
  if (scores.size > 0) return Object.fromEntries(scores);
  if (depth >= DEEPEST_WRAPPER || !isRecord(value)) return null;
  for (const wrapper of WRAPPERS) {
    const inner = Object.hasOwn(value, wrapper) ? value[wrapper] : undefined;
    const wrapped = readScores(typeof inner === 'string' ? parseJson(inner.trim()) : inner, criteria, depth + 1);
    if (wrapped) return wrapped;
  }
  return null;
}

/** The names in an answer with their values, as the judge wrote them. */
export function namedEntries(value: unknown): [name: string, value: unknown][] {
  if (Array.isArray(value)) {
    return value.flatMap((item): [string, unknown][] => {
      const name = isRecord(item) ? text(item, ['name', 'criterion', 'criterion_name', 'key']) : '';
      return name === '' ? [] : [[name, item]];
    });
  }
  return isRecord(value) ? Object.entries(value) : [];
}

/** What an entry of an answer says of a criterion. */
export interface Claim {
  name: string;
  said: unknown;
  /** The entry has the criterion's key or name, and not only a similar one. */
  isExact: boolean;
}

/** An entry is about the criterion whose key or name it has, else about the only one with a similar name. */
export function claimsOfEntries(entries: readonly [string, unknown][], criteria: readonly ScoredCriterion[]): Claim[] {
  const exact = new Map<string, string>();
  const similar = new Map<string, Set<string>>();
  for (const [name, key] of criterionKeys(criteria)) {
    for (const written of [name, key]) {
      exact.set(written, name);
      similar.set(loose(written), (similar.get(loose(written)) ?? new Set()).add(name));
    }
  }
  return entries.flatMap(([written, said]) => {
    const candidates = similar.get(loose(written)) ?? new Set();
    const [only] = candidates;
    const name = exact.get(written) ?? (candidates.size === 1 ? only : undefined);
    return name === undefined ? [] : [{ name, said, isExact: exact.has(written) }];
  });
}

function scoresByName(entries: [string, unknown][], criteria: readonly ScoredCriterion[]): Map<string, CriterionScore> {
  const claims = Map.groupBy(claimsOfEntries(entries, criteria), ({ name }) => name);
  const scores = new Map<string, CriterionScore>();
  for (const { name, binary } of criteria) {
    const own = claims.get(name) ?? [];
    // Ambiguous when several entries have similar names: skip.
    const claim = own.find(({ isExact }) => isExact) ?? (own.length === 1 ? own[0] : undefined);
    const read = readScore(claim?.said);
    if (read) scores.set(name, binary ? { ...read, score: read.score >= 0.5 ? 1 : 0 } : read);
  }
  return scores;
}

/** `{score, reasoning}`, or a bare number in its place. Null when there is no finite number in it. */
function readScore(said: unknown): CriterionScore | null {
  const value = typeof said === 'string' ? (parseJson(said.trim()) ?? said) : said;
  if (!isRecord(value)) {
    const score = finiteNumber(value);
    return score === null ? null : { score: clampScore(score), reasoning: '' };
  }
  const score = finiteNumber(field(value, ['score']));
  if (score === null) return null;
  return { score: clampScore(score), reasoning: writtenReasoning(value) };
}

export function writtenReasoning(said: Record<string, unknown>): string {
  return text(said, ['reasoning', 'reason', 'rationale', 'explanation']);
}

const PLAIN_NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** A finite number, or the number that a text is; null for anything else. */
export function finiteNumber(value: unknown): number | null {
  const number = typeof value === 'string' && PLAIN_NUMBER.test(value.trim()) ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

/** The first of these fields that the record has, in any case. */
function field(record: Record<string, unknown>, names: readonly string[]): unknown {
  const keys = Object.keys(record);
  for (const name of names) {
    const key = Object.hasOwn(record, name) ? name : keys.find((candidate) => candidate.toLowerCase() === name);
    if (key !== undefined) return record[key];
  }
  return undefined;
}

function text(record: Record<string, unknown>, names: readonly string[]): string {
  const value = field(record, names);
  return typeof value === 'string' ? value : '';
}

/** A score from 0 to 1, whatever number the judge gave. */
export function clampScore(score: number): number {
  return Math.min(1, Math.max(0, score));
}

/** A name without case, spaces, underscores and dashes. */
function loose(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, '');
}
