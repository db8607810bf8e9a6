import { freshName, ownName, settingWords, snakeName } from '../names.ts';
import type { Technique } from '../technique.ts';
import { declareVariable } from './terraform-declarations.ts';

/** The value comes from a variable whose default is weak. */
export const variableDefault: Technique = {
  id: 'variable_default',
  language: 'terraform',
  difficulty: 'medium',
  hide: (place) => {
    const { project, spot } = place;
    if (!spot) return null;
    const name = freshName(place, snakeName(spot.address, spot.name));
    const description = `Value of ${settingWords(spot.name)} for ${ownName(spot.address)}.`;
    const declared = declareVariable(project, { name, description, type: spot.type, standard: spot.insecure });
    return { edits: [...spot.write(`var.${name}`), declared] };
  },
};
