import type { TextEdit } from '../../iac/edit/edits.ts';
import { insertAttribute } from '../../iac/edit/insert-attribute.ts';
import { insertBlock } from '../../iac/edit/insert-block.ts';
import { insertListItem } from '../../iac/edit/list-items.ts';
import { removeAttribute, removeBlock } from '../../iac/edit/remove-code.ts';
import { replaceValue } from '../../iac/edit/replace-value.ts';
import { type WrittenBlock, type WrittenSlot, withoutEncoding, writtenSlots } from '../../iac/read/written-code.ts';
import type { Attribute } from '../../iac/syntax/expression.ts';
import type { Block, SourceFile } from '../../iac/syntax/source-file.ts';
import { blockCode, codeValue } from './code-value.ts';
import type { Change } from './operator-spec.ts';

type Renaming = Extract<Change, { name: string }>;

/** Whether the change can be made in this code. */
export function canChange(written: WrittenBlock, change: Change, mustBeWritten: boolean): boolean {
  if ('insert' in change) return applyChange(written, change).length > 0;
  const place = placeOf(written, change.path);
  if (!place) return false;
  if ('name' in change) return place.attribute !== null;
  if ('remove' in change) return place.removable || change.if_written === true;
  return place.attribute !== null || !mustBeWritten;
}

/** None where the code does not allow the change. */
export function applyChange(written: WrittenBlock, change: Change): TextEdit[] {
  const { source } = written;
  if ('set' in change) return applyCode(written, change.path, codeValue(source, change.set));
  if ('insert' in change) return insertEdits(written, change);
  const place = placeOf(written, change.path);
  if (!place) return [];
  const { attribute, blocks } = place;
  if ('name' in change) return attribute ? renameEdits(source, attribute, change) : [];
  return attribute ? removeAttribute(source, attribute) : blocks.flatMap((block) => removeBlock(source, block));
}

/** Replaces the value of the attribute at a path, or inserts the attribute. */
export function applyCode(written: WrittenBlock, path: string, code: string): TextEdit[] {
  const { source } = written;
  const place = placeOf(written, path);
  if (!place) return [];
  return place.attribute
    ? replaceValue(source, place.attribute, code)
    : insertAttribute(source, place.holder, attributeName(source, place.name), code);
}

interface Place extends WrittenSlot {
  /** Nested blocks of this name, when there is no attribute. */
  blocks: Block[];
  removable: boolean;
}

/** The first of several where the attribute is written, or else the first where it could be. */
function placeOf({ block }: WrittenBlock, path: string): Place | null {
  const places = writtenSlots(block, path).map((slot): Place => {
    const { holder, name, attribute } = slot;
    const blocks = 'kind' in holder ? [] : holder.blocks.filter(({ type }) => type === name);
    return { ...slot, blocks, removable: attribute !== null || blocks.length > 0 };
  });
  return places.find(({ removable }) => removable) ?? places[0] ?? null;
}

function insertEdits({ source, block }: WrittenBlock, change: Extract<Change, { insert: unknown }>): TextEdit[] {
  for (const { holder, name, attribute } of writtenSlots(block, change.path)) {
    const list = attribute && withoutEncoding(attribute.value);
    if (list?.kind === 'list') {
      const edits = insertListItem(source, list, codeValue(source, change.insert));
      if (edits) return edits;
    } else if (!attribute && source.syntax === 'hcl' && !('kind' in holder)) {
      return insertBlock(source, holder, blockCode(name, change.insert));
    }
  }
  return [];
}

function renameEdits(source: SourceFile, { nameRange, valueRange }: Attribute, { name, value }: Renaming): TextEdit[] {
  const key = source.syntax === 'json' ? JSON.stringify(name) : attributeName(source, name);
  const text = `${key}${source.syntax === 'hcl' ? ' =' : ':'} ${codeValue(source, value)}`;
  return [{ start: nameRange.start, end: valueRange.end, text }];
}

/** In HCL, a name with other characters than those of a word is quoted. */
function attributeName({ syntax }: SourceFile, name: string): string {
  return syntax === 'hcl' && !/^[A-Za-z_][\w-]*$/.test(name) ? JSON.stringify(name) : name;
}
