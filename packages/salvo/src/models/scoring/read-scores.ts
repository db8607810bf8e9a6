import { isRecord } from '../../text/json/is-record.ts';
import { parseJson } from '../../text/json/json-in-text.ts';
import { criterionKeys } from './criterion-keys.ts';
import type { ScoredCriterion } from './scoring-tool.ts';

/** One criterion's score in one vote, from 0 to 1. */
export interface CriterionScore {
  score: number;
  reasoning: string;
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

/** The entry of each criterion: under its key or its name, else under a name that differs in case and spaces only. */
function entryByCriterion(entries: [string, unknown][], criteria: readonly ScoredCriterion[]): Map<string, unknown> {
  const keys = criterionKeys(criteria);
  const exact = new Map<string, unknown>();
  for (const [name, said] of entries) if (!exact.has(name)) exact.set(name, said);
  const found = new Map<string, unknown>();
  for (const [name, key] of keys) {
    const written = [key, name].find((candidate) => exact.has(candidate));
    if (written === undefined) continue;
    found.set(name, exact.get(written));
    exact.delete(written);
  }
  const wanted = Map.groupBy(
    [...keys]
      .filter(([name]) => !found.has(name))
      .flatMap(([name, key]) => [...new Set([loose(name), loose(key)])].map((form) => ({ name, form }))),
    ({ form }) => form,
  );
  const rest = Map.groupBy(exact, ([name]) => loose(name));
  for (const [form, candidates] of wanted) {
    const [candidate, rival] = candidates;
    const [written, doubt] = rest.get(form) ?? [];
    // Ambiguous when several criteria or several entries have the same normalised name: skip.
    if (candidate && written && !rival && !doubt && !found.has(candidate.name)) found.set(candidate.name, written[1]);
  }
  return found;
}

function scoresByName(entries: [string, unknown][], criteria: readonly ScoredCriterion[]): Map<string, CriterionScore> {
  const said = entryByCriterion(entries, criteria);
  const scores = new Map<string, CriterionScore>();
  for (const { name, binary } of criteria) {
    const read = readScore(said.get(name));
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
export function loose(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, '');
}
