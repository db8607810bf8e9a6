import { resolve } from 'node:path';
import { z } from 'zod';
import { isRecord } from '../text/is-record.ts';
import { sourceText } from '../text/source-text.ts';
import { checkCriteria } from './checks/check-criteria.ts';
import { type Diagnostic, DiagnosticsError } from './diagnostics/diagnostic.ts';
import { withoutFollowUps } from './diagnostics/follow-up-problems.ts';
import { diagnosticAt, locateProblem, type Problem } from './diagnostics/problem.ts';
import { inReadingOrder } from './diagnostics/reading-order.ts';
import { checkSchema } from './diagnostics/schema-problems.ts';
import { type Criterion, criterionSchema } from './schema/criterion-schema.ts';
import { loadYaml } from './yaml/load-yaml.ts';
import { isYaml, readInsideRoot } from './yaml/read-source.ts';

export interface RubricFile {
  file: string;
  /** Nothing outside this folder is read, whatever the file includes. */
  projectRoot: string;
}

export interface InspectedRubric {
  /** Null when there are errors. */
  criteria: Criterion[] | null;
  diagnostics: Diagnostic[];
}

const criteriaSchema = z.array(criterionSchema).min(1);
const rubricSchema = z.strictObject({ criteria: criteriaSchema });

/** The criteria of a rubric file, or a `DiagnosticsError` with everything that is wrong with it. */
export async function loadRubric({ file: given, projectRoot }: RubricFile): Promise<Criterion[]> {
  const file = resolve(given);
  const problem = rubricFileProblem({ file, name: 'the file', projectRoot });
  if (problem) {
    const source = sourceText({ file, text: '' });
    throw new DiagnosticsError([diagnosticAt({ source, start: 0, end: 0 }, problem)]);
  }
  const { criteria, diagnostics } = inspectRubric({ file, projectRoot });
  if (!criteria) throw new DiagnosticsError(diagnostics);
  return criteria;
}

/** Why a file cannot be a rubric, before anything of it is understood; null when it can. */
export function rubricFileProblem({
  file,
  name,
  projectRoot,
}: RubricFile & { name: string }): Pick<Problem, 'code' | 'message' | 'hint'> | null {
  const read = readInsideRoot({ file, name, root: projectRoot });
  if ('problem' in read) return read.problem;
  if (isYaml(file)) return null;
  return { code: 'invalid-value', message: `${name} is no YAML file`, hint: 'a rubric is a .yaml file with criteria' };
}

/** A list of criteria, or a map that has it under `criteria`; with all problems, warnings included. */
export function inspectRubric({ file: given, projectRoot }: RubricFile): InspectedRubric {
  const file = resolve(given);
  const { root, diagnostics } = loadYaml({ file, projectRoot });
  if (!root || root.broken) return { criteria: null, diagnostics: inReadingOrder(diagnostics, file) };
  if (root.value === null) {
    const empty = { code: 'empty-file', message: 'the file is empty', hint: 'a rubric is a list of criteria' } as const;
    return { criteria: null, diagnostics: [...diagnostics, diagnosticAt(root.span, empty)] };
  }
  const { criteria, problems } = checkRubric(root.value);
  const found = withoutFollowUps(problems).flatMap((problem) => locateProblem(root, problem) ?? []);
  const all = inReadingOrder([...diagnostics, ...found], file);
  const isRight = !all.some(({ severity }) => severity === 'error');
  return { criteria: isRight ? criteria : null, diagnostics: all };
}

function checkRubric(value: unknown): { criteria: Criterion[] | null; problems: Problem[] } {
  const problems: Problem[] = [];
  if (isRecord(value)) {
    const checked = checkSchema(rubricSchema, value);
    problems.push(...checked.problems);
    checkCriteria((problem) => problems.push(problem), value.criteria, ['criteria']);
    return { criteria: checked.data?.criteria ?? null, problems };
  }
  const checked = checkSchema(criteriaSchema, value);
  problems.push(...checked.problems);
  checkCriteria((problem) => problems.push(problem), value, []);
  return { criteria: checked.data, problems };
}
