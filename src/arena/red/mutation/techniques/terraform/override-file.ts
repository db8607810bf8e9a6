import type { TextEdit } from '../../../../../iac/edit/edits.ts';
import type { Block, SourceFile } from '../../../../../iac/syntax/source-file.ts';
import { onlyChange } from '../../site/weak-spot.ts';
import { appendTo, isInside, partAfter } from '../code-parts.ts';
import type { Technique } from '../technique.ts';

/** The resource is unchanged; an override file, which Terraform reads last, sets the weak value. */
export const overrideFile: Technique = {
  id: 'override_file',
  language: 'terraform',
  difficulty: 'medium',
  hide: ({ project, plain }) => {
    const change = onlyChange(project, plain);
    if (!change) return null;
    const { source } = change;
    const block = source.blocks.find(({ range }) => change.edits.every((edit) => isInside(edit, range)));
    if (!block || (block.type !== 'resource' && block.type !== 'data')) return null;
    const override = overriddenCode(source, block, change.edits);
    if (override === null) return null;
    const head = source.text.slice(block.range.start, block.bodyRange?.start);
    const file = source.file.replace(/\.tf$/, '_override.tf');
    return { edits: [appendTo(project, file, `${head}\n  ${override}\n}`)] };
  },
};

/** The edited attribute, or all nested blocks of the edited block's type, after the edits. */
function overriddenCode({ text }: SourceFile, block: Block, edits: readonly TextEdit[]): string | null {
  const attribute = block.attributes.find(({ range }) => edits.every((edit) => isInside(edit, range)));
  if (attribute) return unaligned(partAfter(text, attribute.range, edits));
  const nested = block.blocks.find(({ range }) => edits.every((edit) => isInside(edit, range)));
  if (nested) {
    const changed = nested.type === 'dynamic' ? null : partAfter(text, nested.range, edits);
    // An override replaces all blocks of a type.
    const all = block.blocks.filter(({ type }) => type === nested.type);
    const code = all.map((one) => (one === nested ? changed : text.slice(one.range.start, one.range.end)));
    return changed === null ? null : code.join('\n\n  ');
  }
  // A new attribute. An override cannot remove anything.
  const [inserted, ...others] = edits;
  const isAttribute = inserted && inserted.start === inserted.end && /^\s*\w+\s*=/.test(inserted.text);
  return isAttribute && others.length === 0 ? unaligned(inserted.text.trim()) : null;
}

/** Removes the alignment of `=` with neighbours that are not in the override file. */
function unaligned(attribute: string | null): string | null {
  return attribute?.replace(/^(\w+) +=/, '$1 =') ?? null;
}
