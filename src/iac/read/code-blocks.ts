import type { CodeBlock } from '../syntax/code-block.ts';
import type { Attribute } from '../syntax/expression.ts';
import { parseCode } from '../syntax/parse-code.ts';
import type { Block, SourceFile } from '../syntax/source-file.ts';

/** Every block of the given files that has an address of its own, in the order of the files. */
export async function codeBlocks(files: Readonly<Record<string, string>>): Promise<CodeBlock[]> {
  const project = await parseCode(files);
  return project.files.flatMap(codeBlocksOf);
}

function codeBlocksOf(source: SourceFile): CodeBlock[] {
  return source.blocks.flatMap((block) => blocksOf(source, block));
}

const KINDS: Record<string, CodeBlock['kind']> = {
  resource: 'resource',
  data: 'data',
  module: 'module',
  variable: 'variable',
  output: 'output',
  provider: 'provider',
};
/** Blocks that are a list of things with addresses, rather than one thing. */
const LISTS = new Set(['locals', 'mappings', 'conditions', 'rules']);

function blocksOf({ file, language }: SourceFile, block: Block): CodeBlock[] {
  const { type, labels, address, line, end_line } = block;
  if (LISTS.has(type)) {
    const kind = type === 'locals' ? 'local' : 'other';
    return block.attributes.map((attribute: Attribute) => ({
      language,
      kind,
      address: `${address}.${attribute.name}`,
      type: '',
      name: attribute.name,
      file,
      line: attribute.line,
      end_line: attribute.end_line,
    }));
  }
  const kind = Object.hasOwn(KINDS, type) ? (KINDS[type] ?? 'other') : 'other';
  const name = labels.at(-1) ?? '';
  return [{ language, kind, address, type: labels.length > 1 ? (labels[0] ?? '') : '', name, file, line, end_line }];
}
