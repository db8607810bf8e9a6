import { insertion, type TextEdit } from '../../../../iac/edit/edits.ts';
import { columnAt } from '../../../../iac/edit/line-layout.ts';
import { writtenBlock } from '../../../../iac/read/written-code.ts';
import type { Block, SourceFile } from '../../../../iac/syntax/source-file.ts';
import { isApart } from '../code-parts.ts';
import { type Reassurance, reassurance } from '../reassurance.ts';
import type { Hidden, HidingPlace } from '../technique.ts';

/** A tag of the resource, or its metadata when it has no tags, says that it is secure: true in most places. */
export function templateMisleadingTag({
  project,
  target,
  plain,
  harmless,
  category,
  choice,
}: HidingPlace): Hidden | null {
  const found = writtenBlock(project, target.address);
  const claim = reassurance(category, choice);
  if (!found || !claim) return null;
  const { source, block } = found;
  const edit = [tagEdit(source, block, claim), metadataEdit(source, block, claim)].find(
    (one) => one && isApart(source.file, [one], plain),
  );
  if (!edit) return null;
  const tagged = { file: source.file, edits: [edit] };
  return { safe: { edits: [...(harmless ?? []), tagged] }, weak: { edits: [...plain, tagged] }, carriers: [] };
}

function tagEdit({ text }: SourceFile, block: Block, { tag, value }: Reassurance): TextEdit | null {
  const tags = block.attributes.find(({ name }) => name === 'Tags')?.value;
  const last = tags?.kind === 'list' && text[tags.range.start] !== '[' ? tags.items.at(-1) : undefined;
  if (!last || text[last.range.start] === '{') return null;
  const indent = columnAt(text, last.range.start);
  return insertion(last.range.end, `\n${indent.slice(2)}- Key: ${tag}\n${indent}Value: ${value}`);
}

function metadataEdit({ text }: SourceFile, { settings }: Block, { tag, value }: Reassurance): TextEdit | null {
  const type = settings.find(({ name }) => name === 'Type');
  if (!type || settings.some(({ name }) => name === 'Metadata')) return null;
  const indent = columnAt(text, type.range.start);
  return insertion(type.range.end, `\n${indent}Metadata:\n${indent}  ${tag}: ${value}`);
}
