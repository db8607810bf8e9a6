import type { TextEdit } from '../../../iac/edit/edits.ts';
import { insertAttribute } from '../../../iac/edit/insert-attribute.ts';
import { insertBlock } from '../../../iac/edit/insert-block.ts';
import { removeAttribute } from '../../../iac/edit/remove-attribute.ts';
import { removeBlock } from '../../../iac/edit/remove-block.ts';
import { replaceValue } from '../../../iac/edit/replace-value.ts';
import type { Attribute } from '../../../iac/syntax/expression.ts';
import type { Block, SourceFile } from '../../../iac/syntax/source-file.ts';
import { attributePath } from './attribute-path.ts';
import { blockCode, codeValue } from './code-value.ts';
import { insertListItem } from './list-items.ts';
import type { CodeEdit } from './operator.ts';
import type { Change } from './operator-spec.ts';
import { attributeIn, holdersAt, unwrapped, type WrittenHolder } from './written-holder.ts';

type Renaming = Extract<Change, { name: string }>;

interface WrittenBlock {
  source: SourceFile;
  block: Block;
}

/** Whether the code is written in such a way that the change can be made. */
export function canChange(written: WrittenBlock, change: Change, mustBeWritten: boolean): boolean {
  if ('insert' in change) return applyChange(written, change).length > 0;
  const place = placeOf(written, change.path);
  if (!place) return false;
  if ('name' in change) return place.attribute !== null;
  return 'remove' in change ? place.removable : place.attribute !== null || !mustBeWritten;
}

export function applyChange(written: WrittenBlock, change: Change): CodeEdit[] {
  const { source } = written;
  if ('set' in change) return applyCode(written, change.path, codeValue(source, change.set));
  if ('insert' in change) return insertion(written, change);
  const place = placeOf(written, change.path);
  if (!place) return [];
  if ('name' in change)
    return place.attribute ? [{ file: source.file, edits: renamed(source, place.attribute, change) }] : [];
  const edits = place.attribute
    ? removeAttribute(source, place.attribute)
    : place.blocks.flatMap((block) => removeBlock(source, block));
  return edits.length === 0 ? [] : [{ file: source.file, edits }];
}

/** Gives the attribute at the end of a path another value, or puts it in. */
export function applyCode(written: WrittenBlock, path: string, code: string): CodeEdit[] {
  const { source } = written;
  const place = placeOf(written, path);
  if (!place) return [];
  const edits = place.attribute
    ? replaceValue(source, place.attribute, code)
    : insertAttribute(source, place.at.holder, alignedName(source, place), code);
  return [{ file: source.file, edits }];
}

interface Place {
  at: WrittenHolder;
  name: string;
  attribute: ReturnType<typeof attributeIn>;
  /** Nested blocks of this name, when there is no attribute. */
  blocks: Block[];
  removable: boolean;
}

/** The first of several where the attribute is written, or else the first where it could be. */
function placeOf({ source, block }: WrittenBlock, path: string): Place | null {
  const steps = attributePath(path);
  const name = steps.at(-1)?.name ?? '';
  const places = holdersAt({ source, holder: block }, steps).map((at): Place => {
    const attribute = attributeIn(at.holder, name);
    const blocks = 'kind' in at.holder ? [] : at.holder.blocks.filter(({ type }) => type === name);
    return { at, name, attribute, blocks, removable: attribute !== null || blocks.length > 0 };
  });
  return places.find(({ removable }) => removable) ?? places[0] ?? null;
}

function insertion({ source, block }: WrittenBlock, change: Extract<Change, { insert: unknown }>): CodeEdit[] {
  const steps = attributePath(change.path);
  const name = steps.at(-1)?.name ?? '';
  for (const { holder } of holdersAt({ source, holder: block }, steps)) {
    const list = attributeIn(holder, name)?.value;
    const inner = list && unwrapped(list);
    if (inner?.kind === 'list') {
      const edits = insertListItem(source, inner, codeValue(source, change.insert));
      if (edits) return [{ file: source.file, edits }];
    } else if (!list && source.syntax === 'hcl' && !('kind' in holder)) {
      return [{ file: source.file, edits: insertBlock(source, holder, blockCode(name, change.insert)) }];
    }
  }
  return [];
}

/** The value stays where it was, so that it is still aligned with those around it. */
function renamed(source: SourceFile, { nameRange, valueRange }: Attribute, { name, value }: Renaming): TextEdit[] {
  const isHcl = source.syntax === 'hcl';
  const width = isHcl ? source.text.indexOf('=', nameRange.end) - nameRange.start - 1 : 0;
  const key = source.syntax === 'json' ? JSON.stringify(name) : name.padEnd(width);
  const text = `${key}${isHcl ? ' =' : ':'} ${codeValue(source, value)}`;
  return [{ start: nameRange.start, end: valueRange.end, text }];
}

/** Its equals sign comes to stand below that of the attribute before it. */
function alignedName({ syntax, text }: SourceFile, { at, name }: Place): string {
  const key = syntax === 'hcl' && !/^[A-Za-z_][\w-]*$/.test(name) ? JSON.stringify(name) : name;
  const before = ('kind' in at.holder ? at.holder.entries : at.holder.attributes).at(-1);
  if (syntax !== 'hcl' || !before) return key;
  return key.padEnd(text.indexOf('=', before.nameRange.end) - before.nameRange.start - 1);
}
