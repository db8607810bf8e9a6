import { writtenBlock } from '../../../../iac/read/written-code.ts';
import { ordinarySpot, type WeakSpot } from '../../site/weak-spot.ts';
import { isConstant } from '../constants.ts';
import { otherEnvironment, otherSize } from '../environment.ts';
import { tableName } from '../names.ts';
import { type Hidden, type HidingPlace, inBothForms } from '../technique.ts';
import { throughVariable } from './declared-value.ts';
import { localDeclaration } from './terraform-declarations.ts';
import { environmentChoice, environmentOf } from './terraform-environment.ts';

type Entries = readonly (readonly [name: string, code: string])[];

/**
 * The settings of a resource for two environments. A weak setting is weak in both, so that the rows are alike. Null
 * where the value has several lines, or the twin has none to write.
 */
export function settingsTable({ project, choice }: HidingPlace, spot: WeakSpot) {
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
    /** The settings of this environment and of another one, with the value of the setting that may be weak. */
    rows: (value: string): readonly [own: Entries, other: Entries] => [
      [[spot.name, value], ...others.map(({ name, code }) => [name, code] as const)],
      [[spot.name, value], ...others.map(({ name, code }) => [name, otherSize(name, code)] as const)],
    ],
    /** The edits that read all settings, with the code that reads one. */
    write: (read: (name: string) => string) => [spot, ...others].flatMap((one) => one.write(read(one.name))),
  };
}

export function objectCode(entries: Entries): string {
  const lines = entries.map(([name, code]) => `  ${name} = ${code.replaceAll('\n', '\n  ')}`);
  return `{\n${lines.join('\n')}\n}`;
}

/** The settings of a resource are chosen by environment, and a weak one is among them. */
export function environmentCondition(place: HidingPlace): Hidden | null {
  const { project, spot } = place;
  const found = spot && writtenBlock(project, spot.address);
  const table = spot && settingsTable(place, spot);
  const code = environmentChoice(place);
  if (!found || !table || !code) return null;
  const name = tableName(place, spot.address, ['profile', 'sizing', 'stage', 'selection']);
  const declared = localDeclaration(place, found.source, found.block, name);
  const used = table.write((setting) => `local.${name}.${setting}`);
  return inBothForms(spot, [{ address: `local.${name}` }], (value) => {
    const [own, other] = table.rows(value).map(objectCode);
    // `terraform fmt` indents the end of the first object this way.
    const chosen = code(own ?? '', other ?? '', true).replace('\n} : {', '\n  } : {');
    return { edits: [...used, declared(chosen)] };
  });
}

/** The settings of every environment are in a map, and those of this environment are looked up by its name. */
export function environmentMap(place: HidingPlace): Hidden | null {
  const { project, spot, choice } = place;
  const found = spot && writtenBlock(project, spot.address);
  const table = spot && settingsTable(place, spot);
  const environment = environmentOf(place);
  if (!found || !table || !environment) return null;
  const name = tableName(place, spot.address, ['stages', 'environments', 'variants', 'tiers']);
  const declared = localDeclaration(place, found.source, found.block, name);
  const { reference, standard } = environment;
  const isFirst = choice.between(0, 1) === 0;
  const isLookup = choice.between(0, 2) === 0;
  const another = otherEnvironment(standard, choice);
  const through = throughVariable(place, spot);
  const row = isLookup ? `lookup(local.${name}, ${reference})` : `local.${name}[${reference}]`;
  const used = table.write((setting) => `${row}.${setting}`);
  return inBothForms(spot, [{ address: `local.${name}` }, ...through.carriers], (value) => {
    const { code, edits: declaration } = through.value(value);
    const [own, other] = table.rows(code).map(objectCode);
    const rows = [
      [standard, own ?? ''],
      [another, other ?? ''],
    ].map(([key = '', row = '']) => `  ${mapKey(key)} = ${row.replaceAll('\n', '\n  ')}`);
    const map = (isFirst ? rows : rows.toReversed()).join('\n');
    return { edits: [...used, declared(`{\n${map}\n}`), ...declaration] };
  });
}

function mapKey(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
}
