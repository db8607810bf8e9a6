import { insertion, type TextEdit } from '../../../../iac/edit/edits.ts';
import { writtenBlock } from '../../../../iac/read/written-code.ts';
import type { Block } from '../../../../iac/syntax/source-file.ts';
import type { CodeEdit } from '../../../operators/operator.ts';
import { onlyChange, severalSpots, type WeakSpot } from '../../site/weak-spot.ts';
import { isRepeated } from '../code-parts.ts';
import { isConstant } from '../constants.ts';
import { type Hidden, type HidingPlace, switched } from '../technique.ts';
import { ownVariable } from './declared-value.ts';
import { dynamicCode } from './keyed-entry.ts';
import { environmentChoice } from './terraform-environment.ts';

/** A resource or a nested block that a condition can switch on and off. */
interface Switchable {
  /** The address of the resource, for names. */
  address: string;
  /** The two results of the condition. */
  on: string;
  off: string;
  /** The edits, with the code of the condition. */
  write(condition: string): CodeEdit;
}

/** `count` for a resource that prevents a flaw, and that nothing refers to. */
export function switchableResource({ project, guard }: HidingPlace): Switchable | null {
  const address = guard();
  const found = address === null ? null : writtenBlock(project, address);
  const body = found?.block.bodyRange;
  if (!found || !body || isRepeated(found.block)) return null;
  return {
    address: found.block.address,
    on: '1',
    off: '0',
    write: (condition) => ({
      file: found.source.file,
      edits: [insertion(body.start, `\n  count = ${condition}\n`)],
    }),
  };
}

/** `dynamic` for a nested block that prevents a flaw: the operator's own edit removes it. */
export function switchableBlock({ project, plain }: HidingPlace): Switchable | null {
  const change = onlyChange(project, plain);
  const [edit, ...others] = change?.edits ?? [];
  if (!change || !edit || edit.text.trim() !== '' || others.length > 0) return null;
  const { source } = change;
  const top = source.blocks.find(({ range }) => range.start < edit.start && edit.end <= range.end + 1);
  const gone = top ? removedBlocks(top, edit) : [];
  const [block, ...more] = gone;
  if (!top || !block || block.type === 'dynamic' || more.length > 0) return null;
  const code = source.text.slice(block.range.start, block.range.end);
  return {
    address: `${top.address}_${block.type}`,
    on: '[1]',
    off: '[]',
    write: (condition) => ({
      file: source.file,
      edits: [{ ...block.range, text: dynamicCode(block, code, condition) }],
    }),
  };
}

/** The outermost blocks inside a block that an edit removes. */
function removedBlocks({ blocks }: Block, edit: TextEdit): Block[] {
  return blocks.flatMap((block) => {
    const { start, end } = block.range;
    if (edit.start <= start && edit.end >= end) return [block];
    return start < edit.start && edit.end <= end ? removedBlocks(block, edit) : [];
  });
}

/** Whether the safe value refers to something that has no weak value: neither a constant nor an own variable. */
export function isReference(place: HidingPlace): boolean {
  const { spot } = place;
  if (!spot || spot.safe === null || spot.safe.includes('\n')) return false;
  return !isConstant(spot.type, spot.safe) && !ownVariable(place);
}

/** The resource that prevents the flaw is still in the code, but `count` depends on the environment. */
export function switchedOffGuard(place: HidingPlace): Hidden | null {
  const found = switchableResource(place);
  return found && switchedByEnvironment(place, found);
}

/** The nested block, or the settings, that prevent the flaw are still in the code, but depend on the environment. */
export function switchedOffBlock(place: HidingPlace): Hidden | null {
  const found = switchableBlock(place);
  return found ? switchedByEnvironment(place, found) : switchedSettings(place);
}

function switchedByEnvironment(place: HidingPlace, { address, on, off, write }: Switchable): Hidden | null {
  const code = environmentChoice(place);
  return code && switched([{ address }], (isSafe) => ({ edits: [write(code(on, off, isSafe))] }));
}

function switchedSettings(place: HidingPlace): Hidden | null {
  const spots = settingsToSwitch(place);
  const code = environmentChoice(place);
  if (spots.length === 0 || !code) return null;
  return switched([], (isSafe) => ({
    edits: spots.flatMap(({ safe, insecure, write }) => write(code(safe ?? 'null', insecure, isSafe))),
  }));
}

/** Several settings, or one that refers to something: no weak value looks like a reference. */
function settingsToSwitch(place: HidingPlace): WeakSpot[] {
  const { project, plain, spot } = place;
  return spot && isReference(place) ? [spot] : severalSpots(project, plain);
}
