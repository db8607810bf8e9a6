import type { TextEdit } from '../../iac/edit/edits.ts';
import { removeBlock } from '../../iac/edit/remove-code.ts';
import type { BlockView } from '../../iac/evaluate/block-view.ts';
import { createScope, type Scope } from '../../iac/evaluate/scope.ts';
import { codeReader } from '../../iac/read/code-reader.ts';
import { countReferences } from '../../iac/read/references.ts';
import { writtenBlock } from '../../iac/read/written-code.ts';
import type { CodeProject } from '../../iac/syntax/parse-code.ts';
import type { Block, SourceFile } from '../../iac/syntax/source-file.ts';
import { createOperator } from './create-operator.ts';
import type { MutationOperator } from './operator.ts';
import type { CompanionSpec } from './operator-spec.ts';
import { meetsConditions, targetViews } from './target-views.ts';

/** An operator whose flaw is a missing resource: a flow log, a public access block. */
export function companionOperator(spec: CompanionSpec): MutationOperator {
  const companionsOf = (scope: Scope, view: BlockView) =>
    scope.instances(spec.needs).filter((one) => {
      const link = one.kind === 'resource' && one.certain ? one.get(spec.link)?.value : null;
      return link && !link.known && link.refersTo === view.blockAddress;
    });
  /** The companion whose absence is the flaw, if there is only one and nothing refers to it. */
  const guardOf = (project: CodeProject, scope: Scope, address: string) => {
    const guards = targetViews(scope, address).flatMap((view) => companionsOf(scope, view));
    const [guard, ...others] = new Set(guards.map(({ block }) => block.address));
    const written = guard === undefined || others.length > 0 ? null : writtenBlock(project, guard);
    return written && countReferences(project, written.block.address, written.source) === 0 ? written : null;
  };
  return createOperator(spec, {
    strength: (scope, view) => {
      if (!meetsConditions(codeReader(scope).instance(view), spec.when)) return 'unknown';
      return companionsOf(scope, view).length > 0 ? 'fine' : 'weak';
    },
    target: ({ block }, _views, { project, scope }) =>
      guardOf(project, scope, block.address) ? { attribute: null, related: [] } : null,
    apply: ({ block }, project) => {
      const guard = guardOf(project, createScope(project), block.address);
      return guard ? [{ file: guard.source.file, edits: withoutBlock(guard.source, guard.block) }] : [];
    },
    locate: (_scope, { file, line, end_line }) => ({ file, line, end_line }),
    guard: (project, address) => guardOf(project, createScope(project), address)?.block.address ?? null,
  });
}

/** At the end of a file, the empty line before the block is removed as well. */
function withoutBlock(source: SourceFile, block: Block): TextEdit[] {
  return removeBlock(source, block).map((edit) => {
    const isLast = edit.end === source.text.length && source.text.slice(0, edit.start).endsWith('\n\n');
    return isLast ? { ...edit, start: edit.start - 1 } : edit;
  });
}
