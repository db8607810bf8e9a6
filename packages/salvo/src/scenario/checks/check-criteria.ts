import { isRecord } from '../../text/json/is-record.ts';
import { aValue } from '../../text/words/value-words.ts';
import type { Path } from '../diagnostics/located-value.ts';
import type { Problem, Report } from '../diagnostics/problem.ts';

/** Checks what the schema of a rubric cannot: unique names, weights that are not all 0, and valid scales. */
export function checkCriteria(report: Report, criteria: unknown, path: Path): void {
  if (!Array.isArray(criteria)) return;
  checkWeights(report, { entries: criteria, what: 'criteria', path });
  const names = new Map<string, string>();
  for (const [index, criterion] of criteria.entries()) {
    if (!isRecord(criterion)) continue;
    checkName(report, { name: criterion.name, names, path: [...path, index, 'name'] });
    checkScale(report, criterion, [...path, index]);
  }
}

/** Entries whose weights are all 0 have no score. */
export function checkWeights(report: Report, given: { entries: unknown[]; what: string; path: Path }): void {
  const { entries, what, path } = given;
  if (entries.length === 0 || !entries.every((entry) => isRecord(entry) && entry.weight === 0)) return;
  report({ code: 'no-weight', message: `the weights of all ${what} are 0, so there is no score`, path, at: 'key' });
}

/** A judge may write a name in another case, so names must differ in more than case. */
function checkName(
  report: Report,
  { name, names, path }: { name: unknown; names: Map<string, string>; path: Path },
): void {
  if (typeof name !== 'string') return;
  const key = name.normalize('NFKC').trim().toLowerCase();
  const first = names.get(key);
  names.set(key, first ?? name.trim());
  if (first === undefined || key === '') return;
  const message =
    first === name.trim()
      ? `there are two criteria with the name "${first}"`
      : `the criteria "${first}" and "${name.trim()}" differ only in upper and lower case`;
  report({ code: 'duplicate-criterion', message, path });
}

function checkScale(report: Report, { scale, binary }: Record<string, unknown>, path: Path): void {
  if (!isRecord(scale)) return;
  if (binary === true) {
    report({
      code: 'conflicting-keys',
      message: '"scale" and "binary" cannot be used together',
      hint: 'describe both scores: scale: {0: "...", 1: "..."}',
      path: [...path, 'binary'],
      at: 'key',
    });
  }
  const bands = Object.keys(scale);
  const scores = new Map<number, string>();
  for (const band of bands) {
    const problem = bandProblem(band, scores);
    if (problem) report({ ...problem, path: [...path, 'scale', band], at: 'key' });
    else scores.set(Number(band), band);
  }
  if (bands.length < 2) {
    report({
      code: 'invalid-value',
      message: '"scale" must have at least 2 bands to choose from',
      hint: 'such as scale: {0: "wrong", 0.5: "half right", 1: "right"}',
      path: [...path, 'scale'],
    });
  }
}

function bandProblem(
  band: string,
  scores: ReadonlyMap<number, string>,
): Pick<Problem, 'code' | 'message' | 'hint'> | null {
  const score = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/.test(band) ? Number(band) : Number.NaN;
  if (!(score >= 0 && score <= 1)) {
    const hint = 'such as scale: {0: "wrong", 0.5: "half right", 1: "right"}';
    return { code: 'invalid-value', message: `a band is a score from 0 to 1, not ${aValue(band)}`, hint };
  }
  const same = scores.get(score);
  if (same === undefined) return null;
  return { code: 'duplicate-key', message: `the bands "${same}" and "${band}" are the same score` };
}
