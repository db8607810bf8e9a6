import { applyEdits } from '../../iac/edit/edits.ts';
import { removeAttribute, removeBlock } from '../../iac/edit/remove-code.ts';
import { countReferences } from '../../iac/read/references.ts';
import type { TextRange } from '../../iac/syntax/expression.ts';
import type { CodeProject } from '../../iac/syntax/parse-code.ts';
import type { Block, SourceFile } from '../../iac/syntax/source-file.ts';
import { withChange } from './code-change.ts';

/**
 * Removes what only other versions of the code use: the variable of an address range that was replaced by a constant,
 * the data source of a condition that was removed. A declaration without any use would point at that place.
 */
export async function withoutUnused(project: CodeProject, ...others: readonly CodeProject[]): Promise<CodeProject> {
  const changed = project.files.flatMap((source): [string, string][] => {
    const unused = declarationsIn(source).filter(
      ({ name }) =>
        mentionsOf(project, source, name) === 0 && others.some((other) => mentionsOf(other, source, name) > 0),
    );
    if (unused.length === 0) return [];
    const edits = unused.flatMap(({ code, isBlock }) =>
      isBlock ? removeBlock(source, code) : removeAttribute(source, code),
    );
    return [[source.file, applyEdits(source.text, edits)]];
  });
  // A declaration may be used only by one that was removed.
  if (changed.length === 0) return project;
  return withoutUnused(await withChange(project, Object.fromEntries(changed)), ...others);
}

interface Declaration {
  /** As the code refers to it. */
  name: string;
  code: { range: TextRange };
  /** Blocks of Terraform have an empty line between them. */
  isBlock: boolean;
}

function declarationsIn({ file, language, blocks }: SourceFile): Declaration[] {
  if (file.includes('/')) return [];
  return blocks.flatMap((block): Declaration[] => {
    const attributes = (prefix: string) =>
      block.attributes.map((code) => ({ name: `${prefix}${code.name}`, code, isBlock: false }));
    if (block.type === 'locals') return attributes('local.');
    if (block.type === 'mappings' || block.type === 'conditions') return attributes('');
    if (block.type !== 'variable' && block.type !== 'data') return [];
    const isTerraform = language === 'terraform';
    return [{ name: isTerraform ? block.address : ownName(block), code: block, isBlock: isTerraform }];
  });
}

function ownName({ labels }: Block): string {
  return labels.at(-1) ?? '';
}

function mentionsOf(project: CodeProject, { language }: SourceFile, name: string): number {
  // A template names everything where it declares it; `countReferences` leaves that out for the addresses of resources.
  return language === 'terraform' ? countReferences(project, name) : countReferences(project, `::.${name}`);
}
