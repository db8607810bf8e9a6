import type { Technique } from '../technique.ts';
import { declareSetting } from './terraform-declarations.ts';

/** The value comes from a variable whose default is weak. */
export const variableDefault: Technique = {
  id: 'variable_default',
  language: 'terraform',
  difficulty: 'medium',
  hide: (place) => {
    const { spot } = place;
    if (!spot) return null;
    const { name, declared } = declareSetting(place, spot, spot.insecure);
    return { edits: [...spot.write(`var.${name}`), declared] };
  },
};
