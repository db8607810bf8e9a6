import type { TemplateEntry } from '../../site/template-entry.ts';
import type { WeakSpot } from '../../site/weak-spot.ts';
import { constantText } from '../constants.ts';
import { freshName, ownName, pascalName } from '../names.ts';
import { type HidingPlace, inBothForms, type Technique } from '../technique.ts';
import { ownParameter } from './own-parameter.ts';

/** The value comes from a parameter with a default: from one that is there already, or from a new one. */
export const parameterDefault: Technique = {
  id: 'parameter_default',
  language: 'cloudformation',
  difficulty: 'medium',
  hide: (place) => {
    const { spot } = place;
    const own = ownParameter(place);
    if (own) return { safe: { edits: [] }, weak: { edits: own.weak }, carriers: [{ address: own.name }] };
    if (!spot) return null;
    const [long, short] = [pascalName(ownName(spot.address), spot.name), pascalName(spot.name)];
    const parameter = settingParameter(place, spot, short.length < 8 ? [long] : [long, short]);
    if (!parameter) return null;
    const edits = spot.write(`!Ref ${parameter.name}`);
    const forms = inBothForms(spot, (value) => ({ edits, entries: [parameter.entry(value)] }));
    return forms && { ...forms, carriers: [{ address: parameter.name }] };
  },
};

interface SettingParameter {
  name: string;
  entry(standard: string): TemplateEntry;
}

/** A parameter for a setting; null if its values are not constants. */
export function settingParameter(
  place: HidingPlace,
  spot: WeakSpot,
  names: readonly [string, ...string[]],
): SettingParameter | null {
  const values = [spot.safe, spot.insecure].map(constantText);
  if (spot.isAbsence || values.includes(null)) return null;
  const name = freshName(place, ...names);
  const type = values.some(Array.isArray) ? 'CommaDelimitedList' : spot.type === 'number' ? 'Number' : 'String';
  return {
    name,
    entry: (standard) => {
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
