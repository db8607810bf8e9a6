import { insertion } from '../../../../../iac/edit/edits.ts';
import { countReferences } from '../../../../../iac/read/references.ts';
import { writtenBlock } from '../../../../../iac/read/written-code.ts';
import type { CodeProject } from '../../../../../iac/syntax/parse-code.ts';
import type { Block, SourceFile } from '../../../../../iac/syntax/source-file.ts';
import type { WeakSpot } from '../../site/weak-spot.ts';
import { ADDITIVE, ADDITIVE_PARTS, isInside, isRepeated, partAfter } from '../code-parts.ts';
import { freshName, ownName, snakeName } from '../names.ts';
import type { Technique } from '../technique.ts';
import { declareLocal } from './terraform-declarations.ts';

/** `for_each` over a map with an open entry, for a resource that nothing refers to, or for a block inside one. */
export const keyedEntry: Technique = {
  id: 'keyed_entry',
  language: 'terraform',
  difficulty: 'hard',
  hide: (place) => {
    const { project, spot, choice } = place;
    const found = spot && writtenBlock(project, spot.address);
    if (!spot || !found || spot.isAbsence) return null;
    const { source, block } = found;
    const name = freshName(place, `${snakeName(spot.address, spot.name)}s`);
    const part = nestedBlock(block, spot);
    const isAdditive = part ? ADDITIVE_PARTS.has(part.type) : ADDITIVE.has(block.labels[0] ?? '');
    const entries = mapEntries(spot, isAdditive, choice.one(['partners', 'operations', 'monitoring']) ?? 'partners');
    const declared = declareLocal(source, block, name, entries);
    const edit = part ? asDynamic(source, block, part, spot, name) : asForEach(project, source, block, spot, name);
    return edit && { edits: [{ file: source.file, edits: edit }, declared] };
  },
};

/** The original entry is kept beside the open one where there may be both. */
function mapEntries(spot: WeakSpot, isAdditive: boolean, other: string): string {
  const own = ownName(spot.address);
  const keepsOwn = isAdditive && spot.secure !== null && !spot.secure.includes('\n');
  const lines = keepsOwn ? [`${own} = ${spot.secure}`, `${other} = ${spot.insecure}`] : [`${own} = ${spot.insecure}`];
  const width = Math.max(...lines.map((line) => line.indexOf(' =')));
  const aligned = lines.map((line) => line.slice(0, line.indexOf(' =')).padEnd(width) + line.slice(line.indexOf(' =')));
  return `{\n${aligned.map((line) => `  ${line}`).join('\n')}\n}`;
}

/** The nested block that contains the value; null when the value is directly in the resource. */
function nestedBlock(block: Block, spot: WeakSpot): Block | null {
  const edits = spot.write('x').flatMap((edit) => edit.edits);
  return block.blocks.find(({ range }) => edits.every((edit) => isInside(edit, range))) ?? null;
}

function asDynamic({ text }: SourceFile, block: Block, part: Block, spot: WeakSpot, name: string) {
  const isAlone = block.blocks.filter((one) => one.type === part.type || one.type === 'dynamic').length === 1;
  const edits = spot.write(`${part.type}.value`).flatMap((edit) => edit.edits);
  const after = isAlone && part.type !== 'dynamic' ? partAfter(text, part.range, edits) : null;
  return after === null ? null : [{ ...part.range, text: dynamicCode(part, after, `local.${name}`) }];
}

/** The block as the content of a `dynamic` one, two columns further in. */
export function dynamicCode({ type }: Block, code: string, forEach: string): string {
  const lines = code.slice(code.indexOf('{') + 1, code.lastIndexOf('}')).split('\n');
  const isOneLine = lines.length === 1;
  const closing = /^[ \t]*/.exec(lines.at(-1) ?? '')?.[0] ?? '';
  const indent = isOneLine ? '  ' : closing;
  const inner = isOneLine ? [`${indent}  ${lines[0]?.trim() ?? ''}`] : lines.slice(1, -1);
  return [
    `dynamic "${type}" {`,
    `${indent}  for_each = ${forEach}`,
    '',
    `${indent}  content {`,
    ...inner.map((line) => (line === '' ? '' : `  ${line}`)),
    `${indent}  }`,
    `${indent}}`,
  ].join('\n');
}

function asForEach(project: CodeProject, source: SourceFile, block: Block, spot: WeakSpot, name: string) {
  const isReferredTo = countReferences(project, block.address) > 0;
  if (block.type !== 'resource' || isRepeated(block) || isReferredTo || !block.bodyRange) return null;
  const at = source.text.indexOf('\n', block.bodyRange.start);
  const edits = spot.write('each.value').flatMap((edit) => edit.edits);
  return [insertion(at, `\n  for_each = local.${name}\n`), ...edits];
}
