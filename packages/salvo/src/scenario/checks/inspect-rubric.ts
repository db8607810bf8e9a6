import { resolve } from 'node:path';
import { isRecord } from '../../text/json/is-record.ts';
import { sourceText } from '../../text/source-text.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { DiagnosticsError, hasErrors } from '../diagnostics/diagnostics-error.ts';
import { diagnosticAt, type Problem, type ProblemText } from '../diagnostics/problem.ts';
import { checkSchema } from '../diagnostics/schema-problems.ts';
import { type Criterion, criteriaSchema, rubricSchema } from '../schema/criterion-schema.ts';
import type { JudgeMode, WrittenStage } from '../schema/shared-fields.ts';
import { inspectYaml } from '../yaml/inspect-yaml.ts';
import { isYaml, readInsideRoot } from '../yaml/read-source.ts';
import { checkRubricCascade } from './check-asked-judge.ts';
import { checkCriteria } from './check-criteria.ts';

interface RubricFile {
  file: string;
  /** Nothing outside this folder is read, whatever the file includes. */
  projectRoot: string;
}

export interface InspectedRubric {
  /** Null when there are errors. */
  criteria: Criterion[] | null;
  /** How its judge is asked, if the file says it. */
  mode?: JudgeMode | undefined;
  cascade?: WrittenStage[] | undefined;
  diagnostics: Diagnostic[];
}

/** Why a file cannot be read as a rubric; null when it can. */
export function rubricFileProblem({ file, name, projectRoot }: RubricFile & { name: string }): ProblemText | null {
  const read = readInsideRoot({ file, name, root: projectRoot });
  if ('problem' in read) return read.problem;
  if (isYaml(file)) return null;
  return {
    code: 'invalid-value',
    message: `${name} is not a YAML file`,
    hint: 'a rubric is a .yaml file with criteria',
  };
}

/** What a rubric file says. */
export interface Rubric {
  criteria: Criterion[];
  mode?: JudgeMode | undefined;
  /** Its judges in order, if the file says it. */
  cascade?: WrittenStage[] | undefined;
}

/** A rubric file (a list of criteria, or a map with the key `criteria`), with all problems, warnings included. */
export function inspectRubric({ file, projectRoot }: RubricFile): InspectedRubric {
  const emptyHint = 'a rubric is a list of criteria';
  const { data, diagnostics } = inspectYaml({ file, projectRoot, emptyHint, check: checkRubric });
  return { criteria: null, ...(hasErrors(diagnostics) ? {} : data), diagnostics };
}

function checkRubric(value: unknown): { data: Rubric | null; problems: Problem[] } {
  const isMap = isRecord(value);
  const list = isMap ? null : checkSchema(criteriaSchema(), value);
  const { data, problems } = list
    ? { ...list, data: list.data && { criteria: list.data } }
    : checkSchema(rubricSchema(), value);
  const all: Problem[] = [...problems];
  checkCriteria((problem) => all.push(problem), isMap ? value.criteria : value, isMap ? ['criteria'] : []);
  if (isMap) checkRubricCascade((problem) => all.push(problem), value);
  return { data, problems: all };
}

/** A rubric file, or a `DiagnosticsError` with all problems of the file. */
export async function loadRubric({ file: given, projectRoot }: RubricFile): Promise<Rubric> {
  const file = resolve(given);
  const problem = rubricFileProblem({ file, name: 'the file', projectRoot });
  if (problem) {
    const source = sourceText({ file, text: '' });
    throw new DiagnosticsError([diagnosticAt({ source, start: 0, end: 0 }, problem)]);
  }
  const { criteria, mode, cascade, diagnostics } = inspectRubric({ file, projectRoot });
  if (!criteria) throw new DiagnosticsError(diagnostics);
  return { criteria, mode, cascade };
}
