import { writtenBlock } from '../../../../iac/read/written-code.ts';
import type { CodeEdit } from '../../../operators/operator.ts';
import { ordinarySpot, type WeakSpot } from '../../site/weak-spot.ts';
import { isConstant } from '../constants.ts';
import { otherSize } from '../environment.ts';
import type { HidingPlace } from '../technique.ts';

/** The settings of a resource for two environments. A weak setting is weak in both, so that the rows are alike. */
interface SettingsTable {
  names: readonly string[];
  /** The settings of this environment and of another one, with the value of the setting that may be weak. */
  rows(value: string): readonly [own: Entries, other: Entries];
  /** The edits that read all settings, with the code that reads one. */
  write(read: (name: string) => string): CodeEdit[];
}

type Entries = readonly (readonly [name: string, code: string])[];

/** Null where the value has several lines, or the twin has none to write. */
export function settingsTable({ project, choice }: HidingPlace, spot: WeakSpot): SettingsTable | null {
  const found = writtenBlock(project, spot.address);
  if (!found || spot.safe === null || spot.safe.includes('\n')) return null;
  const { source, block } = found;
  const constants = block.attributes.flatMap((attribute) => {
    const other = ordinarySpot(source, { attribute, top: block, inBlock: true });
    const isFree = other && other.name !== spot.name && other.name !== 'count' && other.name !== 'for_each';
    return isFree && isConstant(other.type, other.safe) ? [{ ...other, code: other.safe }] : [];
  });
  const others = choice.shuffled(constants).slice(0, choice.between(0, 2));
  return {
    names: [spot.name, ...others.map(({ name }) => name)],
    rows: (value) => [
      [[spot.name, value], ...others.map(({ name, code }) => [name, code] as const)],
      [[spot.name, value], ...others.map(({ name, code }) => [name, otherSize(name, code)] as const)],
    ],
    write: (read) => [spot, ...others].flatMap((one) => one.write(read(one.name))),
  };
}

export function objectCode(entries: Entries): string {
  const lines = entries.map(([name, code]) => `  ${name} = ${code.replaceAll('\n', '\n  ')}`);
  return `{\n${lines.join('\n')}\n}`;
}
