import { freshName, ownName, pascalName } from '../names.ts';
import type { Technique } from '../technique.ts';
import { weakValueText } from './template-environment.ts';

/** The resource looks up the weak value in a mapping. */
export const mappingValue: Technique = {
  id: 'mapping_value',
  language: 'cloudformation',
  difficulty: 'medium',
  hide: (place) => {
    const { spot } = place;
    const value = weakValueText(spot);
    if (!spot || value === null) return null;
    const map = freshName(place, pascalName(ownName(spot.address), 'Settings'));
    const name = pascalName(spot.name);
    const code = `${map}:\n  Standard:\n    ${name}: ${JSON.stringify(value)}`;
    const lookup = `!FindInMap [${map}, Standard, ${name}]`;
    return { edits: spot.write(lookup), entries: [{ file: spot.file, section: 'Mappings', code }] };
  },
};
