import type { BlockView } from '../../../iac/evaluate/block-view.ts';
import { createScope, type Scope } from '../../../iac/evaluate/scope.ts';
import type { CodeProject } from '../../../iac/syntax/parse-code.ts';
import { plainPath } from './attribute-path.ts';
import { changeStatement } from './change-statement.ts';
import { evaluatedStatements } from './evaluated-statements.ts';
import type { MutationOperator } from './operator.ts';
import type { PolicySpec } from './operator-spec.ts';
import { ownersOf } from './owners-of.ts';
import { isLike } from './statement-pattern.ts';
import { blocksWithViews, type Strength, strengthOf, targetViews } from './target-views.ts';
import { weakField } from './weak-field.ts';
import { writtenBlock } from './written-holder.ts';
import { writtenStatements } from './written-statements.ts';

/** An operator whose flaw is in a statement of a policy, or is that a statement is missing. */
export function policyOperator(spec: PolicySpec): MutationOperator {
  const { id, weakness, language, types, implies, path, weak, needs, pick, change } = spec;
  const strength = (scope: Scope, view: BlockView): Strength => {
    const statements = evaluatedStatements(scope, view, path);
    if (!statements) return 'unknown';
    if (weak && statements.some(({ statement }) => isLike(weak, statement))) return 'weak';
    return needs && !statements.some(({ statement }) => isLike(needs, statement)) ? 'weak' : 'fine';
  };
  /** The statement is picked by what it comes to, and found in the code by its place among the others. */
  const picked = (project: CodeProject, scope: Scope, address: string) => {
    const [view] = targetViews(scope, address);
    const evaluated = (view && evaluatedStatements(scope, view, path)) ?? [];
    const { document, statements } = writtenStatements(project, address, path);
    const statement = statements[evaluated.findIndex((one) => isLike(pick, one.statement))];
    return statement && statements.length === evaluated.length ? { statement, document } : null;
  };
  return {
    id,
    weakness,
    language,
    resourceTypes: types,
    implies,
    targets: (project, scope) =>
      blocksWithViews(scope, types).flatMap(([address, views]) => {
        const written = writtenBlock(project, address);
        if (!written || strengthOf(views, (one) => strength(scope, one)) !== 'fine') return [];
        const found = picked(project, scope, address);
        if (!found || changeStatement(found.statement, change).length === 0) return [];
        const owners = ownersOf(views[0], spec.owner);
        const related = found.document === null ? owners : [found.document, ...owners];
        return [{ address, file: written.source.file, attribute: plainPath(path), related }];
      }),
    apply: (project, { address }) => {
      const found = picked(project, createScope(project), address);
      const edits = found ? changeStatement(found.statement, change) : [];
      return found && edits.length > 0 ? [{ file: found.statement.source.file, edits }] : [];
    },
    isPresent: (scope, { address }) =>
      strengthOf(targetViews(scope, address), (view) => strength(scope, view)) === 'weak',
    locate: (scope, { address }) => {
      const view = targetViews(scope, address).find((one) => strength(scope, one) === 'weak');
      if (!view) return null;
      const statements = evaluatedStatements(scope, view, path) ?? [];
      const like = weak && statements.find(({ statement }) => isLike(weak, statement));
      const { file, line, end_line } = view.get(path) ?? view;
      return like?.place ?? { file, line, end_line };
    },
    describe: ({ address }) => spec.says.replaceAll('{address}', address),
    weakValue: (project, { address }) => {
      const found = picked(project, createScope(project), address);
      return found && change ? weakField(found.statement, change, found.document ?? address, path) : null;
    },
    guard: () => null,
  };
}
