import type { TextEdit } from '../../../../iac/edit/edits.ts';
import { removeAttribute, removeBlock } from '../../../../iac/edit/remove-code.ts';
import { writtenBlock } from '../../../../iac/read/written-code.ts';
import type { TextRange } from '../../../../iac/syntax/expression.ts';
import type { Block, SourceFile } from '../../../../iac/syntax/source-file.ts';
import type { CodeEdit } from '../../../operators/operator.ts';
import { appendTo, isInside, partAfter } from '../code-parts.ts';
import { type Hidden, type HidingPlace, inBothForms } from '../technique.ts';

/**
 * The setting is only in an override file, which Terraform merges into the resource. If the resource kept its own value,
 * only flaws would be overrides that change something.
 */
export function overrideFile({ project, spot }: HidingPlace): Hidden | null {
  const found = spot && writtenBlock(project, spot.address);
  // An override cannot remove anything, and null is what the other file says.
  if (!spot || !found || spot.isAbsence || spot.safe === 'null' || spot.secure?.includes('\n')) return null;
  const { source, block } = found;
  const file = source.file.replace(/\.tf$/, '_override.tf');
  const head = source.text.slice(block.range.start, block.bodyRange?.start);
  const override = (value: string): CodeEdit | null => {
    const code = overriddenCode(source, block, spot.write(value)[0]?.edits ?? []);
    return code === null ? null : appendTo(project, file, `${head}\n  ${code}\n}`);
  };
  if (override(spot.insecure) === null) return null;
  const moved = { file: source.file, edits: removedCode(source, block, spot.write(spot.insecure)[0]?.edits ?? []) };
  return inBothForms(spot, [{ address: spot.address, file }], (value) => ({
    edits: [moved, ...[override(value) ?? []].flat()],
  }));
}

/** The edited attribute, or all nested blocks of the edited block's type, after the edits. */
function overriddenCode({ text }: SourceFile, block: Block, edits: readonly TextEdit[]): string | null {
  const { attribute, nested } = editedPart(block, edits);
  if (attribute) return partAfter(text, attribute.range, edits);
  if (nested) {
    const changed = nested.type === 'dynamic' ? null : partAfter(text, nested.range, edits);
    const code = blocksLike(block, nested).map((one) =>
      one === nested ? changed : text.slice(one.range.start, one.range.end),
    );
    return changed === null ? null : code.join('\n\n  ');
  }
  // A new attribute.
  const [inserted, ...others] = edits;
  const isAttribute = inserted && inserted.start === inserted.end && /^\s*\w+\s*=/.test(inserted.text);
  return isAttribute && others.length === 0 ? inserted.text.trim() : null;
}

/** Removes from the resource what `overriddenCode` writes; nothing if that is new. */
function removedCode(source: SourceFile, block: Block, edits: readonly TextEdit[]): TextEdit[] {
  const { attribute, nested } = editedPart(block, edits);
  if (attribute) return removeAttribute(source, attribute);
  return nested ? blocksLike(block, nested).flatMap((one) => removeBlock(source, one)) : [];
}

function editedPart({ attributes, blocks }: Block, edits: readonly TextEdit[]) {
  const isEdited = ({ range }: { range: TextRange }) => edits.every((edit) => isInside(edit, range));
  return { attribute: attributes.find(isEdited), nested: blocks.find(isEdited) };
}

/** An override replaces all blocks of a type. */
function blocksLike({ blocks }: Block, { type }: Block): Block[] {
  return blocks.filter((one) => one.type === type);
}
