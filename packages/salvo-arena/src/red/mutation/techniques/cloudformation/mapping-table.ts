import { writtenBlock } from '../../../../iac/read/written-code.ts';
import type { TemplateEntry } from '../../site/template-entry.ts';
import { ordinarySpot, type WeakSpot } from '../../site/weak-spot.ts';
import { constantText } from '../constants.ts';
import { otherEnvironment, otherSize } from '../environment.ts';
import { pascalName, templateName } from '../names.ts';
import { type Hidden, type HidingPlace, inBothForms } from '../technique.ts';
import { templateEnvironment } from './template-environment.ts';

/**
 * A mapping with the settings of a resource. A weak setting is weak in all rows, so that the rows are alike. Null when
 * the setting is not a constant: mappings contain nothing else.
 */
export function mappingTable(place: HidingPlace, spot: WeakSpot, kinds: readonly [string, ...string[]]) {
  const isMissing = [spot.safe, spot.insecure].some((code) => constantText(code) === null);
  if (spot.isAbsence || isMissing) return null;
  const name = templateName(place, spot.address, kinds);
  const others = otherSettings(place, spot);
  return {
    name,
    /** The declaration, with the names of the rows and the value of the setting. The first row is in use. */
    entry: (rows: readonly string[], value: string): TemplateEntry => {
      const cell = (setting: string, code: string | null) =>
        `    ${pascalName(setting)}: ${JSON.stringify(constantText(code))}`;
      const lines = rows.toSorted().flatMap((row) => [
        `  ${row}:`,
        cell(spot.name, value),
        ...others.map((other) => {
          const code = other.safe ?? '';
          return cell(other.name, row === rows[0] ? code : otherSize(other.name, code));
        }),
      ]);
      return { file: spot.file, section: 'Mappings', code: [`${name}:`, ...lines].join('\n') };
    },
    /** The edits that read the settings, with the code that looks up a key. */
    write: (lookup: (key: string) => string) =>
      [spot, ...others].flatMap((one) => one.write(lookup(pascalName(one.name)))),
  };
}

/** Up to two other constants of the resource, which are kept in the same mapping. */
function otherSettings({ project, choice }: HidingPlace, spot: WeakSpot): WeakSpot[] {
  const found = writtenBlock(project, spot.address);
  const constants = (found?.block.attributes ?? []).flatMap((attribute) => {
    const other = found && ordinarySpot(found.source, { attribute, top: found.block, inBlock: true });
    return other && other.name !== spot.name && constantText(other.safe) !== null ? [other] : [];
  });
  return choice.shuffled(constants).slice(0, choice.between(0, 2));
}

/** The resource looks up the value in a mapping. */
export function mappingValue(place: HidingPlace): Hidden | null {
  const { spot, choice } = place;
  const table = spot && mappingTable(place, spot, ['Settings', 'Options', 'Configuration']);
  if (!table) return null;
  const row = choice.one(['Standard', 'Common', 'Values']) ?? 'Standard';
  const edits = table.write((key) => `!FindInMap [${table.name}, ${row}, ${key}]`);
  return inBothForms(spot, [{ address: table.name }], (value) => ({ edits, entries: [table.entry([row], value)] }));
}

/** The resource looks up the value by environment, in a mapping with a row for each. */
export function environmentMapping(place: HidingPlace): Hidden | null {
  const { project, spot, choice } = place;
  const source = project.files.find(({ file }) => file === spot?.file);
  const environment = source && templateEnvironment(place, source);
  if (!spot?.safe || !environment || !/^[\w-]+$/.test(environment.standard)) return null;
  const { parameter, standard, entries } = environment;
  const table = mappingTable(place, spot, [`By${parameter}`, `${parameter}s`, `Per${parameter}`]);
  if (!table) return null;
  const rows = [standard, otherEnvironment(standard, choice)];
  const edits = table.write((key) => `!FindInMap [${table.name}, !Ref ${parameter}, ${key}]`);
  return inBothForms(spot, [{ address: table.name }], (value) => ({
    edits,
    entries: [...entries, table.entry(rows, value)],
  }));
}
