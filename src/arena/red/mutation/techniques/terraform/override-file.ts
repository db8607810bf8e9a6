import type { TextEdit } from '../../../../../iac/edit/edits.ts';
import { writtenBlock } from '../../../../../iac/read/written-code.ts';
import type { Block, SourceFile } from '../../../../../iac/syntax/source-file.ts';
import type { CodeEdit } from '../../../operators/operator.ts';
import { appendTo, isInside, partAfter } from '../code-parts.ts';
import { inBothForms, type Technique } from '../technique.ts';

/** The resource keeps its value; an override file, which Terraform reads last, sets it again. */
export const overrideFile: Technique = {
  id: 'override_file',
  language: 'terraform',
  difficulty: 'medium',
  hide: ({ project, spot }) => {
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
    // Nothing else may change the original: an override of a whole nested block would undo it.
    const kept = spot.write(spot.secure ?? '').flatMap(({ edits }) => (spot.secure === null ? [] : edits));
    if (override(spot.insecure) === null) return null;
    const forms = inBothForms(spot, (value) => ({
      edits: [{ file: source.file, edits: kept }, ...[override(value) ?? []].flat()],
    }));
    return forms && { ...forms, carriers: [{ address: spot.address, file }] };
  },
};

/** The edited attribute, or all nested blocks of the edited block's type, after the edits. */
function overriddenCode({ text }: SourceFile, block: Block, edits: readonly TextEdit[]): string | null {
  const attribute = block.attributes.find(({ range }) => edits.every((edit) => isInside(edit, range)));
  if (attribute) return partAfter(text, attribute.range, edits);
  const nested = block.blocks.find(({ range }) => edits.every((edit) => isInside(edit, range)));
  if (nested) {
    const changed = nested.type === 'dynamic' ? null : partAfter(text, nested.range, edits);
    // An override replaces all blocks of a type.
    const all = block.blocks.filter(({ type }) => type === nested.type);
    const code = all.map((one) => (one === nested ? changed : text.slice(one.range.start, one.range.end)));
    return changed === null ? null : code.join('\n\n  ');
  }
  // A new attribute.
  const [inserted, ...others] = edits;
  const isAttribute = inserted && inserted.start === inserted.end && /^\s*\w+\s*=/.test(inserted.text);
  return isAttribute && others.length === 0 ? inserted.text.trim() : null;
}
