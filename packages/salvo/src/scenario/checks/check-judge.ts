import { dirname, resolve } from 'node:path';
import { isRecord } from '../../text/json/is-record.ts';
import { readShare } from '../../text/share.ts';
import type { Path } from '../diagnostics/located-value.ts';
import type { Report } from '../diagnostics/problem.ts';
import { checkAskedAdapter } from './check-adapter.ts';
import type { AssertionInPlace } from './check-assertion-fields.ts';
import { alwaysPasses } from './check-comparison.ts';
import { checkCriteria } from './check-criteria.ts';
import { rubricFileProblem } from './inspect-rubric.ts';

/** Checks what the schema of a judge cannot. Returns the assertion with the criteria of its rubric file. */
export function checkJudge(report: Report, { assertion, around, path }: AssertionInPlace): Record<string, unknown> {
  checkPanel(report, { assertion, around, path });
  checkVotes(report, assertion, path);
  if (readShare(assertion.threshold) === 0) {
    const finding = alwaysPasses('every vote is at least 0', 'give a threshold above 0');
    report({ ...finding, severity: 'warning', path: [...path, 'threshold'] });
  }
  checkCriteria(report, assertion.criteria, [...path, 'criteria']);
  const { criteria, rubric } = assertion;
  if (criteria === undefined && rubric === undefined) {
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
  const { criteria } = around.inspectRubric(file);
  return criteria ? { ...assertion, criteria } : assertion;
}

function checkPanel(report: Report, { assertion, around, path }: AssertionInPlace): void {
  const check = (name: unknown, at: Path) => {
    const folder = dirname(around.fileAt(at));
    const { adapterNames: names, projectRoot: root, readRoot } = around;
    checkAskedAdapter(report, { name, names, folder, root, readRoot, path: at }, 'judge');
  };
  check(assertion.judge_adapter, [...path, 'judge_adapter']);
  if (!Array.isArray(assertion.judges)) return;
  for (const [index, judge] of assertion.judges.entries()) {
    if (isRecord(judge)) check(judge.adapter, [...path, 'judges', index, 'adapter']);
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
function checkVotes(report: Report, { k, judges }: Record<string, unknown>, path: Path): void {
  if (typeof k !== 'number') return;
  const panel = Array.isArray(judges) ? judges.filter(isRecord) : [{}];
  const weights = new Set(panel.map(({ weight }) => weight ?? 1));
  if (weights.size > 1) return;
  warnOfTies(report, k * panel.length, [...path, 'k']);
}

/** A tie is not a majority. */
export function warnOfTies(report: Report, votes: unknown, path: Path): void {
  if (typeof votes !== 'number' || votes <= 0 || votes % 2 !== 0) return;
  report({
    severity: 'warning',
    code: 'even-votes',
    message: `${votes} votes can tie, and a tie fails`,
    hint: 'an odd number of votes always has a majority',
    path,
  });
}
