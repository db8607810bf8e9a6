import type { Path } from '../../diagnostics/located-value.ts';
import type { ProblemText, Report } from '../../diagnostics/problem.ts';
import { checkPattern } from '../check-field.ts';
import { codeRefusal, reportCode } from '../refuse-code.ts';

export const NO_WORKSPACE: ProblemText = {
  code: 'missing-key',
  message: 'the scenario has no workspace',
  hint: 'add workspace: ./folder, or workspace: {} for an empty one',
};

/** The types of assertions that need a workspace. */
export const ON_WORKSPACES = /^(?:file_(?:not_)?(?:contains|matches)|file_unchanged|command_succeeds)$/;

/** Checks an assertion on a workspace: that there is one, and that paths stay in it. */
export function checkWorkspaceAssertion(
  report: Report,
  { assertion, hasWorkspace, path }: { assertion: Record<string, unknown>; hasWorkspace: boolean; path: Path },
): void {
  if (!hasWorkspace) report({ ...NO_WORKSPACE, path: [...path, 'type'] });
  checkPattern(report, assertion.pattern, [...path, 'pattern']);
  if (assertion.type === 'command_succeeds') {
    reportCode(report, codeRefusal('the command of an assertion'), [...path, 'command']);
  }
  for (const key of ['path', 'cwd', 'paths', 'except']) {
    const value = assertion[key];
    for (const each of Array.isArray(value) ? value : [value]) {
      if (typeof each !== 'string' || !leadsOut(each)) continue;
      const message = `${each} leads out of the workspace: a path is relative to it`;
      report({ code: 'invalid-value', message, path: [...path, key] });
    }
  }
}

function leadsOut(path: string): boolean {
  return /^(?:[/\\~]|[a-z]:)/i.test(path) || path.split(/[/\\]/).includes('..') || path.includes('\0');
}
