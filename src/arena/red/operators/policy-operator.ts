import type { BlockView } from '../../../iac/evaluate/block-view.ts';
import { createScope, type Scope } from '../../../iac/evaluate/scope.ts';
import { pathSteps, plainPath, readPath } from '../../../iac/read/attribute-path.ts';
import { codeReader } from '../../../iac/read/code-reader.ts';
import { type PolicyStatement, policyStatements } from '../../../iac/read/policy-statements.ts';
import { writtenBlock } from '../../../iac/read/written-code.ts';
import { writtenStatements } from '../../../iac/read/written-statements.ts';
import type { CodeProject } from '../../../iac/syntax/parse-code.ts';
import { changeStatement } from './change-statement.ts';
import type { MutationOperator } from './operator.ts';
import type { PolicySpec } from './operator-spec.ts';
import { matchesPattern } from './statement-pattern.ts';
import { blocksWithViews, ownersOf, type Strength, targetViews, weakestOf } from './target-views.ts';
import { weakField } from './weak-field.ts';

/** An operator whose flaw is a statement of a policy, or a missing statement. */
export function policyOperator(spec: PolicySpec): MutationOperator {
  const { id, weakness, language, types, implies, path, weak, needs, pick, change } = spec;
  const strength = (scope: Scope, view: BlockView): Strength => {
    const statements = statementsAt(scope, view, path);
    if (!statements) return 'unknown';
    if (weak && statements.some((statement) => matchesPattern(weak, statement))) return 'weak';
    return needs && !statements.some((statement) => matchesPattern(needs, statement)) ? 'weak' : 'fine';
  };
  /** The statement is picked by its evaluated value, and found in the code by its position among the others. */
  const picked = (project: CodeProject, scope: Scope, address: string) => {
    const [view] = targetViews(scope, address);
    const evaluated = (view && statementsAt(scope, view, path)) ?? [];
    const written = writtenBlock(project, address);
    if (!written) return null;
    const { document, statements } = writtenStatements(project, written, path);
    const statement = statements[evaluated.findIndex((one) => matchesPattern(pick, one))];
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
        if (!written || weakestOf(views, (one) => strength(scope, one)) !== 'fine') return [];
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
      weakestOf(targetViews(scope, address), (view) => strength(scope, view)) === 'weak',
    locate: (scope, { address }) => {
      const view = targetViews(scope, address).find((one) => strength(scope, one) === 'weak');
      if (!view) return null;
      const statements = statementsAt(scope, view, path) ?? [];
      const like = weak && statements.find((statement) => matchesPattern(weak, statement));
      const { file, line, end_line } = like?.node.place ?? view.get(path) ?? view;
      return { file, line, end_line };
    },
    describe: ({ address }) => spec.says.replaceAll('{address}', address),
    weakValue: (project, { address }) => {
      const found = picked(project, createScope(project), address);
      return found && change ? weakField(found.statement, change, found.document ?? address, path) : null;
    },
    guard: () => null,
  };
}

/** The statements of the policies at a path. Null when the only policy is missing or cannot be read. */
function statementsAt(scope: Scope, view: BlockView, path: string): PolicyStatement[] | null {
  const readings = readPath(codeReader(scope).instance(view), path);
  const policies = readings.flatMap(({ state, node }) => (state === 'known' ? node.items() : []));
  const readable = policies.filter((policy) => policy.names().length > 0 || typeof policy.json === 'object');
  if (readable.length === 0 && pathSteps(path).length === 1) return null;
  return readable.flatMap(policyStatements);
}
