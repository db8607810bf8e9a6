import type { BlockView } from '../../iac/evaluate/block-view.ts';
import type { Scope } from '../../iac/evaluate/scope.ts';
import type { CodePlace } from '../../iac/read/code-node.ts';
import { type WrittenBlock, writtenBlock } from '../../iac/read/written-code.ts';
import type { CodeProject } from '../../iac/syntax/parse-code.ts';
import type { Severity } from '../../match/claims/severity.ts';
import { RedTeamError } from '../red-team-error.ts';
import { harmlessCode } from './harmless-edits.ts';
import type { CodeEdit, FlawForm, MutationOperator, MutationTarget, WeakValue } from './operator.ts';
import type { OperatorSpec } from './operator-spec.ts';
import { plantedSecret } from './planted-secret.ts';
import { blocksWithViews, type Strength, targetViews, weakestOf } from './target-views.ts';

/** What the kinds of operators differ in. */
export interface OperatorKind {
  strength(scope: Scope, view: BlockView): Strength;
  /** For a block that is secure: its target, or null when the code cannot be edited. */
  target(
    written: WrittenBlock,
    views: readonly BlockView[],
    at: { project: CodeProject; scope: Scope },
  ): Pick<MutationTarget, 'attribute' | 'related'> | null;
  /** None when there is nothing to change. */
  apply(written: WrittenBlock, project: CodeProject): CodeEdit[];
  /** The same for every unusual form. */
  unusual?(written: WrittenBlock, project: CodeProject): FlawForm[];
  /** By default, the plain edit with other values. */
  harmless?(written: WrittenBlock, project: CodeProject): CodeEdit[] | null;
  /** The place of the flaw in an instance that is weak. */
  locate(scope: Scope, view: BlockView): CodePlace;
  /** Whether the flaw in an instance that is weak is limited to somebody, or to something. */
  isLimited?(scope: Scope, view: BlockView): boolean;
  weakValue?(written: WrittenBlock, project: CodeProject): WeakValue | null;
  guard?(project: CodeProject, address: string): string | null;
}

/** One step less for what is limited. What is low already stays. */
const LIMITED: Partial<Record<Severity, Severity>> = { critical: 'high', high: 'medium' };

export function createOperator(spec: OperatorSpec, kind: OperatorKind): MutationOperator {
  const { id, weakness, language, types, implies } = spec;
  const strengthOf = (scope: Scope, views: readonly BlockView[]) =>
    weakestOf(views, (view) => kind.strength(scope, view));
  return {
    id,
    weakness,
    language,
    resourceTypes: types,
    implies,
    calledBy: spec.called_by,
    housekeeping: spec.housekeeping === true,
    secret: plantedSecret(spec),
    targets: (project, scope) =>
      blocksWithViews(scope, types).flatMap(([address, views]) => {
        const written = writtenBlock(project, address);
        if (!written || strengthOf(scope, views) !== 'fine') return [];
        const details = kind.target(written, views, { project, scope });
        return details ? [{ address, file: written.source.file, ...details }] : [];
      }),
    apply: (project, { address }) => {
      const written = writtenBlock(project, address);
      const edits = written ? kind.apply(written, project) : [];
      if (edits.length > 0) return edits;
      const message = `The operator ${id} finds nothing to change at ${address}: use one of its targets in this code.`;
      throw new RedTeamError('EDIT_TARGET_UNKNOWN', message);
    },
    unusual: (project, { address }) => {
      const written = writtenBlock(project, address);
      const forms = (written && kind.unusual?.(written, project)) ?? [];
      return forms.filter(({ edits }) => edits.length > 0);
    },
    harmless: (project, { address }) => {
      const written = writtenBlock(project, address);
      if (!written) return null;
      if (kind.harmless) return kind.harmless(written, project);
      return harmlessCode(project, kind.apply(written, project), address);
    },
    isPresent: (scope, { address }) => strengthOf(scope, targetViews(scope, address)) === 'weak',
    isAbsent: (scope, { address }) => strengthOf(scope, targetViews(scope, address)) === 'fine',
    locate: (scope, { address }) => {
      const weak = targetViews(scope, address).find((view) => kind.strength(scope, view) === 'weak');
      return weak ? kind.locate(scope, weak) : null;
    },
    severity: (scope, { address }, usual) => {
      const weak = targetViews(scope, address).filter((view) => kind.strength(scope, view) === 'weak');
      const isLimited = weak.length > 0 && weak.every((view) => kind.isLimited?.(scope, view) === true);
      return isLimited ? (LIMITED[usual] ?? usual) : usual;
    },
    describe: ({ address }) => spec.says.replaceAll('{address}', address),
    weakValue: (project, { address }) => {
      const written = writtenBlock(project, address);
      return (written && kind.weakValue?.(written, project)) ?? null;
    },
    guard: (project, { address }) => kind.guard?.(project, address) ?? null,
  };
}
