import { resolve } from 'node:path';
import { sourceText } from '../text/source-text.ts';
import { inspectRubric, type RubricFile, rubricFileProblem } from './checks/inspect-rubric.ts';
import { DiagnosticsError } from './diagnostics/diagnostics-error.ts';
import { diagnosticAt } from './diagnostics/problem.ts';
import type { Criterion } from './schema/criterion-schema.ts';

/** The criteria of a rubric file, or a `DiagnosticsError` with all problems of the file. */
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
