import { isRecord } from '../../../text/json/is-record.ts';
import type { GivenOutcome } from '../../import-format.ts';

type Score = number | boolean | string;

/** Inspect's letters for correct, incorrect, partially correct and no answer. */
const LETTERS: ReadonlyMap<unknown, Score> = new Map<unknown, Score>([
  ['C', true],
  ['I', false],
  ['P', 0.5],
  ['N', false],
]);

/**
 * What the scorers of a sample say. Only a single value can be the outcome of the sample: a truth value says whether it
 * passed, a number is its reward. Of several values, nobody knows which one counts.
 */
export function inspectOutcome(sample: Record<string, unknown>): GivenOutcome | null {
  const scores = Object.fromEntries(scoreEntries(sample));
  const values = Object.values(scores);
  if (values.length === 0) return null;
  const [only] = values.length === 1 ? values : [];
  return {
    passed: typeof only === 'boolean' ? only : null,
    reward: typeof only === 'number' ? only : null,
    scores,
  };
}

/** Before it had several scorers, Inspect had one score without a name. */
function scoreEntries({ scores, score }: Record<string, unknown>): [string, Score][] {
  if (isRecord(scores)) return Object.entries(scores).flatMap(([name, given]) => valuesOf(name, given));
  return score === undefined ? [] : valuesOf('score', score);
}

function valuesOf(name: string, given: unknown): [string, Score][] {
  const value = isRecord(given) && 'value' in given ? given.value : given;
  if (Array.isArray(value)) return value.flatMap((part, index) => named(`${name}[${index}]`, part));
  if (isRecord(value)) return Object.entries(value).flatMap(([key, part]) => named(`${name}.${key}`, part));
  return named(name, value);
}

function named(name: string, value: unknown): [string, Score][] {
  const score = LETTERS.get(value) ?? value;
  const isScore = typeof score === 'boolean' || typeof score === 'string' || Number.isFinite(score);
  return isScore ? [[name, score as Score]] : [];
}
