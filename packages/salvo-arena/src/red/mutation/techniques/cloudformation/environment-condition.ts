import type { SourceFile } from '../../../../iac/syntax/source-file.ts';
import type { WeakSpot } from '../../site/weak-spot.ts';
import { freshName, ownName, pascalName } from '../names.ts';
import { type Hidden, type HidingPlace, inBothForms } from '../technique.ts';
import { mappingTable } from './mapping-table.ts';
import { type OwnParameter, ownParameter, settingParameter } from './parameter-default.ts';
import { conditionalProperty, environmentCondition } from './template-environment.ts';

/** A condition on the environment chooses between two rows of settings, or between two values. */
export function templateEnvironmentCondition(place: HidingPlace): Hidden | null {
  const { project, spot } = place;
  const source = project.files.find(({ file }) => file === spot?.file);
  if (!spot?.safe || !source) return null;
  const own = ownParameter(place);
  if (own) return ownOrOther(place, spot, source, own);
  const isRow = place.choice.between(0, 1) === 0;
  const chosen = isRow ? eitherRow(place, spot, source) : eitherParameter(place, spot, source);
  // Neither a mapping nor a parameter can contain a reference.
  const condition = () => environmentCondition(place, source, conditionName(place, spot));
  return chosen ?? conditionalProperty(place, spot, condition());
}

function eitherRow(place: HidingPlace, spot: WeakSpot, source: SourceFile): Hidden | null {
  const { choice } = place;
  const table = mappingTable(place, spot, ['Profiles', 'Tiers', 'Variants']);
  if (!table) return null;
  const condition = environmentCondition(place, source, conditionName(place, spot));
  const [first = '', second = ''] = choice.shuffled(['Critical', 'Standard', 'Extended']);
  const isFirst = choice.between(0, 1) === 0;
  const edits = table.write(
    (key) =>
      `!If [${condition.name}, !FindInMap [${table.name}, ${first}, ${key}], !FindInMap [${table.name}, ${second}, ${key}]]`,
  );
  const rows = isFirst ? [first, second] : [second, first];
  return inBothForms(spot, [{ address: table.name }, { address: condition.name }], (value) => ({
    edits,
    entries: [...condition.declare(isFirst), table.entry(rows, value)],
  }));
}

function eitherParameter(place: HidingPlace, spot: WeakSpot, source: SourceFile): Hidden | null {
  const condition = environmentCondition(place, source, conditionName(place, spot));
  const [first, second] = place.choice
    .shuffled(['Critical', 'Standard', 'Extended'])
    .slice(0, 2)
    .map((kind) => settingParameter(place, spot, [pascalName(kind, ownName(spot.address), spot.name)]));
  if (!first || !second) return null;
  const edits = spot.write(`!If [${condition.name}, !Ref ${first.name}, !Ref ${second.name}]`);
  const isFirst = place.choice.between(0, 1) === 0;
  const carriers = [first.name, second.name, condition.name].map((address) => ({ address }));
  return inBothForms(spot, carriers, (value) => ({
    edits,
    entries: [...condition.declare(isFirst), first.entry(value), second.entry(value)],
  }));
}

/** The template's own parameter is one of the two. */
function ownOrOther(place: HidingPlace, spot: WeakSpot, source: SourceFile, own: OwnParameter): Hidden | null {
  const condition = environmentCondition(place, source, conditionName(place, spot));
  const kind = place.choice.one(['Critical', 'Standard', 'Extended']) ?? 'Standard';
  const other = settingParameter(place, { ...spot, safe: own.safe }, [pascalName(kind, own.name)]);
  if (!other) return null;
  const isFirst = place.choice.between(0, 1) === 0;
  const [first, second] = isFirst ? [own, other] : [other, own];
  const edits = spot.write(`!If [${condition.name}, !Ref ${first.name}, !Ref ${second.name}]`);
  const declared = condition.declare(isFirst);
  return {
    safe: { edits, entries: [...declared, other.entry(own.safe)] },
    weak: { edits: [...edits, ...own.weak], entries: [...declared, other.entry(spot.insecure)] },
    carriers: [own.name, other.name, condition.name].map((address) => ({ address })),
  };
}

function conditionName(place: HidingPlace, spot: WeakSpot): string {
  const name = ownName(spot.address);
  return freshName(place, `Is${name}Critical`, `Use${name}Profile`, `Has${name}Extension`, `Keep${name}Standard`);
}
