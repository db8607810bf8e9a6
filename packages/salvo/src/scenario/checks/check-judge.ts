import { dirname, resolve } from 'node:path';
import { type AdapterNames, adapterTypeOf } from '../../adapters/adapter-name.ts';
import { isRecord } from '../../text/json/is-record.ts';
import { readShare } from '../../text/share.ts';
import type { Path } from '../diagnostics/located-value.ts';
import type { Report } from '../diagnostics/problem.ts';
import { checkAskedAdapter } from './check-adapter.ts';
import type { AssertionInPlace } from './check-assertion-fields.ts';
import { alwaysPasses } from './check-comparison.ts';
import { checkCriteria } from './check-criteria.ts';
import { checkPairwise, PAIR_CRITERIA } from './check-pairwise.ts';
import { rubricFileProblem } from './inspect-rubric.ts';

/** Checks what the schema of a judge cannot. Returns the assertion with the criteria of its rubric file. */
export function checkJudge(report: Report, { assertion, around, path }: AssertionInPlace): Record<string, unknown> {
  checkPanel(report, { assertion, around, path });
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
  const { criteria, mode } = around.inspectRubric(file);
  return criteria ? { ...assertion, criteria, ...(assertion.mode === undefined && mode && { mode }) } : assertion;
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

/** An adapter whose provider has no decision models would fail every call. */
export function checkDecides(
  report: Report,
  { adapter, mode, names, path }: { adapter: unknown; mode: unknown; names: AdapterNames; path: Path },
): void {
  if (mode !== 'decide' || typeof adapter !== 'string' || adapterTypeOf(adapter, names) !== 'anthropic') return;
  report({
    code: 'no-decision-models',
    message: `"mode: decide" needs decision models, and the adapter "${adapter}" has none`,
    hint: 'remove mode, or choose an adapter of type openai, ai-sdk or llama',
    path,
  });
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

/** A decision model would answer the same each time. */
export function warnOfRepeatedDecisions(report: Report, k: unknown, path: Path): void {
  if (typeof k !== 'number' || k <= 1) return;
  report({
    severity: 'warning',
    code: 'needless-votes',
    message: `a decision model votes once, not ${k} times: it would answer the same again`,
    hint: 'remove k; in a panel with chat models, its vote counts like k',
    path,
  });
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
