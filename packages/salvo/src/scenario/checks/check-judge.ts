import { dirname, resolve } from 'node:path';
import { isRecord } from '../../text/json/is-record.ts';
import { readShare } from '../../text/share.ts';
import type { Path } from '../diagnostics/located-value.ts';
import type { Report } from '../diagnostics/problem.ts';
import { checkAskedAdapter } from './check-adapter.ts';
import { checkCascade, checkDecides, namesJudge, warnOfRepeatedDecisions, warnOfTies } from './check-asked-judge.ts';
import { type AssertionInPlace, checkText } from './check-assertion-fields.ts';
import { alwaysPasses } from './check-comparison.ts';
import { checkCriteria } from './check-criteria.ts';
import { rubricFileProblem } from './inspect-rubric.ts';

/** Checks what the schema of a judge cannot. Returns the assertion with the criteria of its rubric file. */
export function checkJudge(report: Report, { assertion, around, path }: AssertionInPlace): Record<string, unknown> {
  checkPanel(report, { assertion, around, path });
  checkText(report, { assertion, around, path });
  const isPairwise = checkPairwise(report, assertion, path);
  if (!isPairwise) checkVotes(report, assertion, path);
  if (readShare(assertion.threshold) === 0) {
    const finding = alwaysPasses('every vote is at least 0', 'give a threshold above 0');
    report({ ...finding, severity: 'warning', path: [...path, 'threshold'] });
  }
  checkCriteria(report, assertion.criteria, [...path, 'criteria']);
  const { criteria, rubric } = assertion;
  if (criteria === undefined && rubric === undefined) {
    if (isPairwise) return { ...assertion, criteria: PAIR_CRITERIA };
    report({
      code: 'missing-key',
      message: 'the judge needs criteria: "criteria" or "rubric" is missing',
      hint: 'such as criteria: [{name: correct, description: The answer is right.}]',
      path,
      missing: ['criteria', 'rubric'],
    });
  }
  if (criteria !== undefined && rubric !== undefined) {
    report({
      code: 'conflicting-keys',
      message: '"criteria" and "rubric" cannot be used together',
      hint: 'keep the criteria either here or in the file',
      path: [...path, 'rubric'],
      at: 'key',
    });
    return assertion;
  }
  return typeof rubric === 'string' ? withRubric(report, { rubric, assertion, around, path }) : assertion;
}

function withRubric(
  report: Report,
  { rubric, assertion, around, path }: AssertionInPlace & { rubric: string },
): Record<string, unknown> {
  if (rubric.trim() === '' || rubric.includes('\0')) return assertion;
  const file = resolve(dirname(around.fileAt([...path, 'rubric'])), rubric);
  const problem = rubricFileProblem({ file, name: rubric, projectRoot: around.readRoot });
  if (problem) {
    report({ ...problem, path: [...path, 'rubric'] });
    return assertion;
  }
  const { criteria, mode, cascade } = around.inspectRubric(file);
  if (!criteria) return assertion;
  // An assertion that names a judge of its own is not judged by the cascade of the rubric.
  if (cascade && namesJudge(assertion)) return { ...assertion, criteria };
  if (cascade) return { ...assertion, criteria, cascade };
  return { ...assertion, criteria, ...(assertion.mode === undefined && mode && !assertion.cascade && { mode }) };
}

function checkPanel(report: Report, { assertion, around, path }: AssertionInPlace): void {
  const check = (name: unknown, at: Path) => {
    const folder = dirname(around.fileAt(at));
    const { adapterNames: names, projectRoot: root, readRoot } = around;
    checkAskedAdapter(report, { name, names, folder, root, readRoot, path: at }, 'judge');
  };
  const { judge_adapter, mode } = assertion;
  const { adapterNames: names } = around;
  check(judge_adapter, [...path, 'judge_adapter']);
  if (assertion.cascade !== undefined) {
    checkCascade(report, { holder: assertion, names, path });
    for (const [index, stage] of (Array.isArray(assertion.cascade) ? assertion.cascade : []).entries()) {
      if (isRecord(stage)) check(stage.adapter, [...path, 'cascade', index, 'adapter']);
    }
    return;
  }
  if (!Array.isArray(assertion.judges)) {
    checkDecides(report, { adapter: judge_adapter, mode, names, path: [...path, 'judge_adapter'] });
    return;
  }
  for (const [index, judge] of assertion.judges.entries()) {
    if (!isRecord(judge)) continue;
    const at = [...path, 'judges', index, 'adapter'];
    check(judge.adapter, at);
    checkDecides(report, { adapter: judge.adapter, mode: judge.mode ?? mode, names, path: at });
  }
  if (assertion.judge_model !== undefined) {
    report({
      code: 'conflicting-keys',
      message: '"judge_model" and "judges" cannot be used together: every judge of a panel names its model',
      path: [...path, 'judge_model'],
      at: 'key',
    });
  }
}

/** Only for the k of the assertion; `checkProject` looks at the k of salvo.yaml. */
function checkVotes(report: Report, { k, judges, mode }: Record<string, unknown>, path: Path): void {
  if (typeof k !== 'number') return;
  const panel = Array.isArray(judges) ? judges.filter(isRecord) : [{}];
  if (panel.every((judge) => (judge.mode ?? mode) === 'decide')) {
    warnOfRepeatedDecisions(report, k, [...path, 'k']);
    return;
  }
  const weights = new Set(panel.map(({ weight }) => weight ?? 1));
  if (weights.size > 1) return;
  warnOfTies(report, k * panel.length, [...path, 'k']);
}

/** By what two answers are compared, if nothing else is said. */
export const PAIR_CRITERIA = [
  {
    name: 'better',
    description: 'Does what the task asks for: correct, complete, and without anything false or needless.',
    weight: 1,
  },
];

/** Keys of a judge that have no meaning if two answers are compared. */
const NOT_FOR_PAIRS: Readonly<Record<string, string>> = {
  threshold: '"threshold" is for scores. What passes is said by "require": win or tie',
  cascade: '"cascade" is for scores, and cannot be used with "against"',
  early_stop: '"early_stop" cannot be used with "against": both orders of each vote are asked for at once',
  aggregation: '"aggregation" is for scores. With "against", the preference of most votes counts',
};

/** Whether a judge compares two answers. Reports what cannot be used together. */
function checkPairwise(report: Report, assertion: Record<string, unknown>, path: Path): boolean {
  const { against, reference, turn, when_too_long } = assertion;
  const conflict = (key: string, message: string, hint?: string) =>
    report({ code: 'conflicting-keys', message, hint, path: [...path, key], at: 'key' });
  if (against === undefined) {
    for (const key of ['reference', 'require']) {
      if (assertion[key] === undefined) continue;
      conflict(
        key,
        `"${key}" needs "against"`,
        'write against: reference, or against: RUN; criteria can have a reference, too',
      );
    }
    return false;
  }
  if (against === 'reference' && reference === undefined) {
    const message = '"against: reference" needs the answer to compare with: "reference" is missing';
    report({ code: 'missing-key', message, hint: 'such as reference: "{{answer}}"', path, missing: ['reference'] });
  }
  if (against !== 'reference' && reference !== undefined) {
    conflict(
      'reference',
      '"reference" is not used: the answer is compared with that of a run',
      'write against: reference',
    );
  }
  if (typeof against === 'string' && /[/\\]|\.json$|^git:/.test(against)) {
    report({
      code: 'invalid-value',
      message: 'a baseline file has no conversations, so there are no answers to compare with',
      hint: 'name a stored run: its id, latest, or latest~1; `salvo report --history` lists them',
      path: [...path, 'against'],
    });
  }
  for (const [key, message] of Object.entries(NOT_FOR_PAIRS)) {
    if (assertion[key] !== undefined && assertion[key] !== false) conflict(key, message);
  }
  if (turn === 'any' || turn === 'every') {
    conflict('turn', `"turn: ${turn}" cannot be used with "against"`, 'compare one answer: a number, or last');
  }
  if (when_too_long === 'parts') {
    conflict(
      'when_too_long',
      'two answers cannot be compared in parts',
      'write unscored, which is the default here, or cut',
    );
  }
  return true;
}
