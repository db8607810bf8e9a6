import { dataFile, once } from 'salvo/kit/text';
import { z } from 'zod';
import { insertion, type TextEdit } from '../../../iac/edit/edits.ts';
import { insertAttribute } from '../../../iac/edit/insert-attribute.ts';
import { columnAt } from '../../../iac/edit/line-layout.ts';
import { replaceValue } from '../../../iac/edit/replace-value.ts';
import { writtenBlock } from '../../../iac/read/written-code.ts';
import type { Block, SourceFile } from '../../../iac/syntax/source-file.ts';
import { isApart } from './code-parts.ts';
import type { Hidden, HidingPlace } from './technique.ts';

/** A tag or a sentence with which engineers describe a resource. */
const reassuranceSchema = z.strictObject({ tag: z.string(), value: z.string(), sentence: z.string() });

type Reassurance = z.infer<typeof reassuranceSchema>;

/** By category; `general` are claims about any resource. */
const claims = once(() => {
  const data: unknown = JSON.parse(dataFile(import.meta.url, './reassurances.json'));
  return z.record(z.string(), z.array(reassuranceSchema)).parse(data);
});

/** A way to write a claim into a block; null where the block does not allow it. */
type Label = (source: SourceFile, block: Block, claim: Reassurance) => TextEdit[] | null;

/**
 * A tag or a description of the resource says that it is secure, which is true in most places. Not a comment: comments
 * are removed before the Blue Team sees the code, so the flaw would not be hidden at all.
 */
export function misleadingTag(place: HidingPlace): Hidden | null {
  // Every role could get another policy: with this technique, administrator access would be the flaw of most roles.
  if (place.spot?.secure === null) return null;
  const { target } = place;
  const written = (source: SourceFile, block: Block, claim: Reassurance) =>
    tagEdits(source, block, claim) ?? descriptionEdits(source, block, claim);
  return labelled(place, [target.address, ...target.related], [written]);
}

/** A tag of the resource, or its metadata when it has no tags, says that it is secure. */
export function templateMisleadingTag(place: HidingPlace): Hidden | null {
  return labelled(place, [place.target.address], [listedTag, metadataEdits]);
}

function labelled(place: HidingPlace, addresses: readonly string[], labels: readonly Label[]): Hidden | null {
  const { project, plain, harmless, category, choice } = place;
  const claim = choice.one([...(claims()[category] ?? []), ...(claims().general ?? [])]);
  if (!claim) return null;
  for (const address of addresses) {
    const found = writtenBlock(project, address);
    if (found?.block.type !== 'resource') continue;
    const { file } = found.source;
    for (const label of labels) {
      const edits = label(found.source, found.block, claim);
      if (!edits || !isApart(file, edits, plain)) continue;
      const tagged = { file, edits };
      return { safe: { edits: [...(harmless ?? []), tagged] }, weak: { edits: [...plain, tagged] }, carriers: [] };
    }
  }
  return null;
}

function tagEdits(source: SourceFile, block: Block, { tag, value }: Reassurance): TextEdit[] | null {
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

function descriptionEdits(source: SourceFile, block: Block, { sentence }: Reassurance): TextEdit[] | null {
  const description = block.attributes.find(({ name }) => name === 'description');
  if (description?.value.kind !== 'literal') return null;
  const before = String(description.value.value).replace(/\.$/, '');
  const claimed = `${before}. ${sentence}`;
  return replaceValue(source, description, JSON.stringify(claimed));
}

function listedTag({ text }: SourceFile, block: Block, { tag, value }: Reassurance): TextEdit[] | null {
  const tags = block.attributes.find(({ name }) => name === 'Tags')?.value;
  const last = tags?.kind === 'list' && text[tags.range.start] !== '[' ? tags.items.at(-1) : undefined;
  if (!last || text[last.range.start] === '{') return null;
  const indent = columnAt(text, last.range.start);
  return [insertion(last.range.end, `\n${indent.slice(2)}- Key: ${tag}\n${indent}Value: ${value}`)];
}

function metadataEdits({ text }: SourceFile, { settings }: Block, { tag, value }: Reassurance): TextEdit[] | null {
  const type = settings.find(({ name }) => name === 'Type');
  if (!type || settings.some(({ name }) => name === 'Metadata')) return null;
  const indent = columnAt(text, type.range.start);
  return [insertion(type.range.end, `\n${indent}Metadata:\n${indent}  ${tag}: ${value}`)];
}
