import { once, remembered } from 'salvo/kit/text';
import { createScope, type Scope } from '../../iac/evaluate/scope.ts';
import { codeBlocksIn } from '../../iac/read/code-blocks.ts';
import type { CodeBlock } from '../../iac/syntax/code-block.ts';
import { type CodeProject, parseCode } from '../../iac/syntax/parse-code.ts';

/** The code that claims are about, parsed once for all of them. */
export interface SourceCode {
  files: Readonly<Record<string, string>>;
  project: CodeProject;
  /** Everything that has an address. */
  blocks: readonly CodeBlock[];
  /** Only names in the cloud need the values of attributes. */
  scope(): Scope;
}

const read = new WeakMap<object, Promise<SourceCode>>();

export function readSourceCode(files: Readonly<Record<string, string>>): Promise<SourceCode> {
  return remembered(read, files, async () => {
    const project = await parseCode(files);
    return { files, project, blocks: codeBlocksIn(project), scope: once(() => createScope(project)) };
  });
}
