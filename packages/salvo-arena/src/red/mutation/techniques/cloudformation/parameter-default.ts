import { replaceValue, valueCode } from '../../../../iac/edit/replace-value.ts';
import { countReferences } from '../../../../iac/read/references.ts';
import type { TemplateEntry } from '../../site/template-entry.ts';
import type { WeakSpot } from '../../site/weak-spot.ts';
import { constantText } from '../constants.ts';
import { freshName, ownName, pascalName } from '../names.ts';
import { type Hidden, type HidingPlace, inBothForms } from '../technique.ts';

/** The value comes from a parameter with a default: from one that is there already, or from a new one. */
export function parameterDefault(place: HidingPlace): Hidden | null {
  const { spot } = place;
  const own = ownParameter(place);
  if (own) return { safe: { edits: [] }, weak: { edits: own.weak }, carriers: [{ address: own.name }] };
  if (!spot) return null;
  const [long, short] = [pascalName(ownName(spot.address), spot.name), pascalName(spot.name)];
  const parameter = settingParameter(place, spot, short.length < 8 ? [long] : [long, short]);
  if (!parameter) return null;
  const edits = spot.write(`!Ref ${parameter.name}`);
  return inBothForms(spot, [{ address: parameter.name }], (value) => ({ edits, entries: [parameter.entry(value)] }));
}

/** A parameter for a setting; null if its values are not constants. */
export function settingParameter(place: HidingPlace, spot: WeakSpot, names: readonly [string, ...string[]]) {
  const values = [spot.safe, spot.insecure].map(constantText);
  if (spot.isAbsence || values.includes(null)) return null;
  const name = freshName(place, ...names);
  const type = values.some(Array.isArray) ? 'CommaDelimitedList' : spot.type === 'number' ? 'Number' : 'String';
  return {
    name,
    entry: (standard: string): TemplateEntry => {
      const lines = [
        `${name}:`,
        `  Type: ${type}`,
        ...(spot.type === 'bool' ? ['  AllowedValues: ["true", "false"]'] : []),
        `  Default: ${JSON.stringify([constantText(standard) ?? ''].flat().join(','))}`,
      ];
      return { file: spot.file, section: 'Parameters', code: lines.join('\n') };
    },
  };
}

export type OwnParameter = NonNullable<ReturnType<typeof ownParameter>>;

/**
 * A parameter of the template with a default, which only this place uses, and the edits that make the weak value the
 * default. To bend it adds no declaration.
 */
export function ownParameter({ project, spot }: Pick<HidingPlace, 'project' | 'spot'>) {
  const [, name] = /^!Ref (\w+)$/.exec(spot?.safe ?? '') ?? [];
  const value = constantText(spot?.insecure ?? null);
  const source = project.files.find(({ file }) => file === spot?.file);
  const declared = source?.blocks.find(({ type, labels }) => type === 'variable' && labels[0] === name);
  const standard = declared?.attributes.find((one) => one.name === 'Default');
  if (!spot || name === undefined || typeof value !== 'string' || !source || !standard) return null;
  if (countReferences(project, `::.${name}`, source) > 1) return null;
  const weak = [{ file: source.file, edits: replaceValue(source, standard, spot.insecure) }];
  return { name, safe: valueCode(source, standard), weak };
}
