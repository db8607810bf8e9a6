import type { GivenOutcome } from '../import-format.ts';

/** A verdict or a score, as a file has it. */
export interface GivenScore {
  name: string;
  /** Null if it has only a label. */
  value: number | boolean | string | null;
  label?: string | null | undefined;
}

const PASSED = new Map<string, boolean>([
  ...['pass', 'passed', 'success', 'true', 'yes'].map((word) => [word, true] as const),
  ...['fail', 'failed', 'failure', 'false', 'no'].map((word) => [word, false] as const),
]);

/**
 * The scores of a conversation by their names. One that is called `passed` says whether it passed; so does the label of a
 * score that is the only one. Null if there are none.
 */
export function givenScores(given: readonly GivenScore[]): GivenOutcome | null {
  const scores = new Map<string, number | boolean | string>();
  const put = (name: string, value: number | boolean | string): void => {
    let free = name;
    for (let count = 2; scores.has(free); count += 1) free = `${name} (${count})`;
    scores.set(free, value);
  };
  for (const { name, value, label } of given) {
    if (value !== null) put(name, value);
    if (label) put(value === null ? name : `${name}.label`, label);
  }
  if (scores.size === 0) return null;
  return { passed: passedOf(given), reward: null, scores: Object.fromEntries(scores) };
}

function passedOf(given: readonly GivenScore[]): boolean | null {
  const named = given.find(({ name }) => /^(?:passed|pass)$/i.test(name));
  const one = named ?? (given.length === 1 ? given[0] : undefined);
  if (!one) return null;
  if (named && typeof one.value === 'boolean') return one.value;
  if (named && (one.value === 0 || one.value === 1)) return one.value === 1;
  const word = one.label ?? (typeof one.value === 'string' ? one.value : null);
  return word === null ? null : (PASSED.get(word.toLowerCase()) ?? null);
}
