import type { TextEdit } from '../../../../../iac/edit/edits.ts';
import type { Block, SourceFile } from '../../../../../iac/syntax/source-file.ts';
import { resourceBlock } from '../code-parts.ts';
import { type Reassurance, reassurance } from '../reassurance.ts';
import type { Technique } from '../technique.ts';

/** A tag of the resource, or its metadata when it has no tags, claims the opposite. */
export const misleadingMetadata: Technique = {
  id: 'misleading_tag',
  language: 'cloudformation',
  difficulty: 'medium',
  hide: ({ project, target, plain, category, choice }) => {
    const found = resourceBlock(project, target.address);
    if (!found || plain.length === 0) return null;
    const { source, block } = found;
    const others = plain.filter(({ file }) => file === source.file).flatMap(({ edits }) => edits);
    const claim = reassurance(category, choice);
    const edit = [tagEdit(source, block, claim), metadataEdit(source, block, claim)].find(
      (one) => one && !others.some(({ start, end }) => one.start <= end && start <= one.end),
    );
    return edit ? { edits: [...plain, { file: source.file, edits: [edit] }] } : null;
  },
};

function tagEdit({ text }: SourceFile, block: Block, { tag, value }: Reassurance): TextEdit | null {
  const tags = block.attributes.find(({ name }) => name === 'Tags')?.value;
  const last = tags?.kind === 'list' && text[tags.range.start] !== '[' ? tags.items.at(-1) : undefined;
  if (!last || text[last.range.start] === '{') return null;
  const column = last.range.start - text.lastIndexOf('\n', last.range.start) - 1;
  const indent = ' '.repeat(column);
  const at = last.range.end;
  return { start: at, end: at, text: `\n${indent.slice(2)}- Key: ${tag}\n${indent}Value: ${value}` };
}

function metadataEdit({ text }: SourceFile, { settings }: Block, { tag, value }: Reassurance): TextEdit | null {
  const type = settings.find(({ name }) => name === 'Type');
  if (!type || settings.some(({ name }) => name === 'Metadata')) return null;
  const indent = ' '.repeat(type.range.start - text.lastIndexOf('\n', type.range.start) - 1);
  const at = type.range.end;
  return { start: at, end: at, text: `\n${indent}Metadata:\n${indent}  ${tag}: ${value}` };
}
