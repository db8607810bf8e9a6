import type { TextEdit } from '../../../iac/edit/edits.ts';
import { removeBlock } from '../../../iac/edit/remove-block.ts';
import type { BlockView } from '../../../iac/evaluate/block-view.ts';
import { createScope, type Scope } from '../../../iac/evaluate/scope.ts';
import { codeReader } from '../../../iac/read/code-reader.ts';
import { writtenBlock } from '../../../iac/read/written-code.ts';
import { countReferences } from '../../../iac/read/written-statements.ts';
import type { CodeProject } from '../../../iac/syntax/parse-code.ts';
import type { Block, SourceFile } from '../../../iac/syntax/source-file.ts';
import type { MutationOperator } from './operator.ts';
import type { CompanionSpec } from './operator-spec.ts';
import { blocksWithViews, meetsConditions, type Strength, targetViews, weakestOf } from './target-views.ts';

/** An operator whose flaw is a missing resource: a flow log, a public access block. */
export function companionOperator(spec: CompanionSpec): MutationOperator {
  const { id, weakness, language, types, implies } = spec;
  const companionsOf = (scope: Scope, view: BlockView) =>
    scope.instances(spec.needs).filter((one) => {
      const link = one.kind === 'resource' && one.certain ? one.get(spec.link)?.value : null;
      return link && !link.known && link.refersTo === view.blockAddress;
    });
  const strength = (scope: Scope, view: BlockView): Strength => {
    if (!meetsConditions(codeReader(scope).instance(view), spec.when)) return 'unknown';
    return companionsOf(scope, view).length > 0 ? 'fine' : 'weak';
  };
  /** The companion whose absence is the flaw, if there is only one and nothing refers to it. */
  const guardOf = (project: CodeProject, scope: Scope, address: string) => {
    const guards = targetViews(scope, address).flatMap((view) => companionsOf(scope, view));
    const [guard, ...others] = new Set(guards.map(({ block }) => block.address));
    if (guard === undefined || others.length > 0 || isReferredTo(project, guard)) return null;
    return writtenBlock(project, guard);
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
        if (!written || weakestOf(views, (view) => strength(scope, view)) !== 'fine') return [];
        if (!guardOf(project, scope, address)) return [];
        return [{ address, file: written.source.file, attribute: null, related: [] }];
      }),
    apply: (project, { address }) => {
      const guard = guardOf(project, createScope(project), address);
      return guard ? [{ file: guard.source.file, edits: withoutBlock(guard.source, guard.block) }] : [];
    },
    isPresent: (scope, { address }) =>
      weakestOf(targetViews(scope, address), (view) => strength(scope, view)) === 'weak',
    locate: (scope, { address }) => {
      const view = targetViews(scope, address).find((one) => strength(scope, one) === 'weak');
      return view ? { file: view.file, line: view.line, end_line: view.end_line } : null;
    },
    describe: ({ address }) => spec.says.replaceAll('{address}', address),
    weakValue: () => null,
    guard: (project, { address }) => guardOf(project, createScope(project), address)?.block.address ?? null,
  };
}

function isReferredTo(project: CodeProject, address: string): boolean {
  const name = address.split('.').at(-1) ?? '';
  if (!address.includes('::')) return countReferences(project, address) > 0;
  // A template names a resource once where it declares it; every other mention may be a reference.
  const pattern = new RegExp(`(?<![\\w:])${name.replaceAll(/\W/g, '\\$&')}(?!\\w)`, 'g');
  return project.files.reduce((sum, { text }) => sum + (text.match(pattern)?.length ?? 0), 0) > 1;
}

/** At the end of a file, the empty line before the block is removed as well. */
function withoutBlock(source: SourceFile, block: Block): TextEdit[] {
  return removeBlock(source, block).map((edit) => {
    const isLast = edit.end === source.text.length && source.text.slice(0, edit.start).endsWith('\n\n');
    return isLast ? { ...edit, start: edit.start - 1 } : edit;
  });
}
