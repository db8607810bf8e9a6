import { isRecord } from '../../text/json/is-record.ts';
import { memoByKey } from '../../text/memo.ts';
import { compileTemplate } from '../cases/template.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Problem } from '../diagnostics/problem.ts';
import { checkTextAssertion } from './assertion/check-text-assertion.ts';
import type { AssertionSurroundings } from './check-assertion-fields.ts';
import { checkAssertions } from './check-assertions.ts';
import { inspectRubric } from './inspect-rubric.ts';

/** The problems of `defaults.assertions` that do not depend on a scenario: a tool, say, may be there or not. */
export function sharedAssertionProblems(
  defaults: unknown,
  { file, root, adapterNames }: Pick<AssertionSurroundings, 'file' | 'adapterNames'> & { root: string },
): { problems: Problem[]; diagnostics: Diagnostic[] } {
  const assertions: unknown = isRecord(defaults) ? defaults.assertions : undefined;
  const problems: Problem[] = [];
  const diagnostics: Diagnostic[] = [];
  const around: AssertionSurroundings = {
    ...{ tools: undefined, toolDocuments: () => [], hasState: true, mayHaveOwnTools: true, isModel: false },
    ...{ turns: null, timeoutSeconds: Number.POSITIVE_INFINITY, file, fileAt: () => file, projectRoot: root },
    ...{ readRoot: root, adapterNames, isCode: false, texts: checkTextAssertion },
    inspectRubric: memoByKey((rubric) => {
      const inspected = inspectRubric({ file: rubric, projectRoot: root });
      diagnostics.push(...inspected.diagnostics);
      return inspected;
    }),
  };
  checkAssertions((problem) => problems.push(problem), assertions, around);
  const [site] = compileTemplate(assertions)?.sites ?? [];
  if (site) {
    const message = 'assertions of all scenarios cannot have a template: each scenario has columns of its own';
    problems.push({ code: 'invalid-template', message, path: ['assertions', ...site.path], offset: site.offset });
  }
  return { problems: problems.map((each) => ({ ...each, path: ['defaults', ...each.path] })), diagnostics };
}
