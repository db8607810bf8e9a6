import type { CodeBlock } from '../syntax/code-block.ts';
import type { Attribute } from '../syntax/expression.ts';
import { type CodeProject, parseCode } from '../syntax/parse-code.ts';
import type { Block, SourceFile } from '../syntax/source-file.ts';

/** All blocks with an address of their own, in the order of the files. */
export async function codeBlocks(files: Readonly<Record<string, string>>): Promise<CodeBlock[]> {
  return codeBlocksIn(await parseCode(files));
}

/** The same of code that is parsed already. */
export function codeBlocksIn({ files }: CodeProject): CodeBlock[] {
  return files.flatMap((source) => [
    ...source.blocks.flatMap((block) => blocksOf(source, block)),
    ...source.attributes.map((value) => attributeBlock(source, value, 'variable', 'var')),
  ]);
}

const KINDS: Record<string, CodeBlock['kind']> = {
  resource: 'resource',
  data: 'data',
  module: 'module',
  variable: 'variable',
  output: 'output',
  provider: 'provider',
};
/** Blocks whose attributes have addresses of their own. */
const LISTS = new Set(['locals', 'mappings', 'conditions', 'rules']);

function blocksOf(source: SourceFile, block: Block): CodeBlock[] {
  const { file, language } = source;
  const { type, labels, address, line, end_line } = block;
  if (LISTS.has(type)) {
    const kind = type === 'locals' ? 'local' : 'other';
    return block.attributes.map((attribute) => attributeBlock(source, attribute, kind, address));
  }
  const kind = Object.hasOwn(KINDS, type) ? (KINDS[type] ?? 'other') : 'other';
  const name = labels.at(-1) ?? '';
  return [{ language, kind, address, type: labels.length > 1 ? (labels[0] ?? '') : '', name, file, line, end_line }];
}

/** A local, an entry of a mapping, or a value in a `.tfvars` file. */
function attributeBlock(
  { file, language }: SourceFile,
  { name, line, end_line }: Attribute,
  kind: CodeBlock['kind'],
  holder: string,
): CodeBlock {
  return { language, kind, address: `${holder}.${name}`, type: '', name, file, line, end_line };
}

/** The innermost block around a line. The file may be named as in `fileNamed`. */
export function blockAt(blocks: readonly CodeBlock[], file: string, line: number): CodeBlock | null {
  const named = fileNamed(new Set(blocks.map((block) => block.file)), file);
  let innermost: CodeBlock | null = null;
  for (const block of blocks) {
    if (block.file !== named || line < block.line || line > block.end_line) continue;
    if (innermost && block.end_line - block.line >= innermost.end_line - innermost.line) continue;
    innermost = block;
  }
  return innermost;
}

/**
 * The file of that name; otherwise the only one whose path has the longest common end with it: `infra/main.tf` for
 * `/src/infra/main.tf`.
 */
export function fileNamed(files: ReadonlySet<string>, wanted: string): string | null {
  if (files.has(wanted)) return wanted;
  const end = slashedPath(wanted);
  const fitting = [...files].flatMap((file) => {
    const path = slashedPath(file);
    // One path must be the end of the other: `a/main.tf` is not `b/main.tf`.
    return path.endsWith(end) || end.endsWith(path) ? [{ file, path, common: Math.min(path.length, end.length) }] : [];
  });
  const most = Math.max(...fitting.map(({ common }) => common));
  const best = fitting.filter(({ common }) => common === most);
  // Of `./main.tf` and `modules/main.tf`, the path `main.tf` means the first.
  const whole = best.filter(({ path }) => path.length === most);
  const [only, another] = whole.length > 0 ? whole : best;
  return only && !another ? only.file : null;
}

/** `/a/main.tf` for `./a//main.tf` and `a\main.tf`. */
function slashedPath(path: string): string {
  const parts = path.split(/[\\/]+/).filter((part) => part !== '' && part !== '.');
  return `/${parts.join('/')}`;
}
