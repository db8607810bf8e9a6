import { insertion, type TextEdit } from '../../../../iac/edit/edits.ts';
import { countReferences } from '../../../../iac/read/references.ts';
import { writtenBlock } from '../../../../iac/read/written-code.ts';
import type { CodeProject } from '../../../../iac/syntax/parse-code.ts';
import type { Block, SourceFile } from '../../../../iac/syntax/source-file.ts';
import { ordinaryValues } from '../../../operators/example-names.ts';
import { narrowed } from '../../../operators/harmless-edits.ts';
import type { WeakSpot } from '../../site/weak-spot.ts';
import { ADDITIVE, ADDITIVE_PARTS, isInside, isRepeated, partAfter } from '../code-parts.ts';
import { ownName, plural, tableName } from '../names.ts';
import { type Hidden, type HidingPlace, inBothForms } from '../technique.ts';
import { throughVariable } from './declared-value.ts';
import { objectCode } from './settings-table.ts';
import { localDeclaration } from './terraform-declarations.ts';

/** `for_each` over a map, for a resource that nothing refers to, or for a block inside one. One entry may be open. */
export function keyedEntry(place: HidingPlace): Hidden | null {
  const { project, spot, choice } = place;
  const found = spot && writtenBlock(project, spot.address);
  if (!spot || !found || spot.isAbsence || spot.safe === null || spot.safe.includes('\n')) return null;
  const { source, block } = found;
  const name = tableName(place, spot.address, [plural(spot.name), `${spot.name}_by_name`]);
  const part = nestedBlock(block, spot);
  const isAdditive = part ? ADDITIVE_PARTS.has(part.type) : ADDITIVE.has(block.labels[0] ?? '');
  const edits = part ? asDynamic(source, block, part, spot, name) : asForEach(project, source, block, spot, name);
  if (!edits) return null;
  const other = isAdditive ? (choice.one(['partners', 'operations', 'monitoring']) ?? 'partners') : null;
  const declared = localDeclaration(place, source, block, name);
  const through = throughVariable(place, spot);
  return inBothForms(spot, [{ address: `local.${name}` }, ...through.carriers], (value) => {
    // Beside the original, a second safe entry has addresses of its own.
    const isCopy = other !== null && value === spot.safe;
    const { code, edits: declaration } = through.value(isCopy ? narrowCopy(spot) : value);
    return { edits: [{ file: source.file, edits }, declared(mapEntries(spot, code, other)), ...declaration] };
  });
}

/** The original entry is kept beside the other one where there may be both. */
function mapEntries(spot: WeakSpot, value: string, other: string | null): string {
  const own = ownName(spot.address);
  if (other === null || spot.secure === null) return objectCode([[own, value]]);
  return objectCode([
    [own, spot.secure],
    [other, value],
  ]);
}

function narrowCopy({ safe, insecure, address }: WeakSpot): string {
  const narrow = narrowed(insecure, ordinaryValues(address));
  return narrow === insecure ? (safe ?? insecure) : narrow;
}

/** The nested block that contains the value; null when the value is directly in the resource. */
function nestedBlock(block: Block, spot: WeakSpot): Block | null {
  const edits = spot.write('x').flatMap((edit) => edit.edits);
  return block.blocks.find(({ range }) => edits.every((edit) => isInside(edit, range))) ?? null;
}

function asDynamic({ text }: SourceFile, block: Block, part: Block, spot: WeakSpot, name: string): TextEdit[] | null {
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

function asForEach(
  project: CodeProject,
  source: SourceFile,
  block: Block,
  spot: WeakSpot,
  name: string,
): TextEdit[] | null {
  const isReferredTo = countReferences(project, block.address, source) > 0;
  if (block.type !== 'resource' || isRepeated(block) || isReferredTo || !block.bodyRange) return null;
  const at = source.text.indexOf('\n', block.bodyRange.start);
  const edits = spot.write('each.value').flatMap((edit) => edit.edits);
  return [insertion(at, `\n  for_each = local.${name}\n`), ...edits];
}
