import { freshName, ownName, pascalName } from '../names.ts';
import type { Technique } from '../technique.ts';
import { weakValueText } from './template-environment.ts';

/** The value comes from a parameter whose default is weak. */
export const parameterDefault: Technique = {
  id: 'parameter_default',
  language: 'cloudformation',
  difficulty: 'medium',
  hide: (place) => {
    const { spot } = place;
    const value = weakValueText(spot);
    if (!spot || value === null) return null;
    const name = freshName(place, pascalName(ownName(spot.address), spot.name));
    const isSwitch = spot.type === 'bool';
    const type = Array.isArray(value) ? 'CommaDelimitedList' : spot.type === 'number' ? 'Number' : 'String';
    const lines = [
      `${name}:`,
      `  Type: ${type}`,
      ...(isSwitch ? ['  AllowedValues: ["true", "false"]'] : []),
      `  Default: ${JSON.stringify(Array.isArray(value) ? value.join(',') : value)}`,
    ];
    const entry = { file: spot.file, section: 'Parameters' as const, code: lines.join('\n') };
    return { edits: spot.write(`!Ref ${name}`), entries: [entry] };
  },
};
