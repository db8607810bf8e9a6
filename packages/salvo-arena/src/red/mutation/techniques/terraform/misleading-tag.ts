import { insertion } from '../../../../iac/edit/edits.ts';
import { insertAttribute } from '../../../../iac/edit/insert-attribute.ts';
import { replaceValue } from '../../../../iac/edit/replace-value.ts';
import { writtenBlock } from '../../../../iac/read/written-code.ts';
import type { Block, SourceFile } from '../../../../iac/syntax/source-file.ts';
import type { CodeEdit } from '../../../operators/operator.ts';
import { isApart } from '../code-parts.ts';
import { type Reassurance, reassurance } from '../reassurance.ts';
import type { Hidden, HidingPlace } from '../technique.ts';

/**
 * A tag or a description of the resource says that it is secure, which is true in most places. Not a comment: comments
 * are removed before the Blue Team sees the code, so the flaw would not be hidden at all.
 */
export function misleadingTag(place: HidingPlace): Hidden | null {
  const { target, plain, harmless, category, choice, spot } = place;
  // Every role could get another policy: with this technique, administrator access would be the flaw of most roles.
  if (spot?.secure === null) return null;
  const claim = reassurance(category, choice);
  if (!claim) return null;
  const labelled = [target.address, ...target.related].map((address) => label(place, address, claim));
  const edit = labelled.find((one) => one !== null);
  return edit
    ? { safe: { edits: [...(harmless ?? []), edit] }, weak: { edits: [...plain, edit] }, carriers: [] }
    : null;
}

function label({ project, plain }: HidingPlace, address: string, claim: Reassurance): CodeEdit | null {
  const found = writtenBlock(project, address);
  if (found?.block.type !== 'resource') return null;
  const { source, block } = found;
  const edits = tagEdits(source, block, claim) ?? descriptionEdits(source, block, claim);
  return edits && isApart(source.file, edits, plain) ? { file: source.file, edits } : null;
}

function tagEdits(source: SourceFile, block: Block, { tag, value }: Reassurance): CodeEdit['edits'] | null {
  const tags = block.attributes.find(({ name }) => name === 'tags');
  if (!tags) return null;
  const { value: written } = tags;
  if (written.kind === 'object') return insertAttribute(source, written, tag, JSON.stringify(value));
  const added = `{ ${tag} = ${JSON.stringify(value)} }`;
  if (written.kind === 'reference') return replaceValue(source, tags, `merge(${written.text}, ${added})`);
  const last = written.kind === 'call' && written.name === 'merge' ? written.args.at(-1) : undefined;
  if (!last || written.text.includes('\n')) return null;
  return [insertion(last.range.end, `, ${added}`)];
}

function descriptionEdits(source: SourceFile, block: Block, { sentence }: Reassurance): CodeEdit['edits'] | null {
  const description = block.attributes.find(({ name }) => name === 'description');
  if (description?.value.kind !== 'literal') return null;
  const before = String(description.value.value).replace(/\.$/, '');
  const claimed = `${before}. ${sentence}`;
  return replaceValue(source, description, JSON.stringify(claimed));
}
