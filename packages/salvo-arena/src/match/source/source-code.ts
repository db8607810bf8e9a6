import { once, remembered } from 'salvo/kit/text';
import { createScope } from '../../iac/evaluate/scope.ts';
import { codeBlocksIn } from '../../iac/read/code-blocks.ts';
import { parseCode } from '../../iac/syntax/parse-code.ts';

/** The code that claims are about, with everything that has an address; parsed once for all of them. */
export type SourceCode = Awaited<ReturnType<typeof parseSourceCode>>;

const read = new WeakMap<object, Promise<SourceCode>>();

export function readSourceCode(files: Readonly<Record<string, string>>): Promise<SourceCode> {
  return remembered(read, files, () => parseSourceCode(files));
}

async function parseSourceCode(files: Readonly<Record<string, string>>) {
  const project = await parseCode(files);
  // Only names in the cloud need the values of attributes.
  return { files, project, blocks: codeBlocksIn(project), scope: once(() => createScope(project)) };
}
