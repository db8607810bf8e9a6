import { isConstant } from '../constants.ts';
import { settingName } from '../names.ts';
import { inBothForms, type Technique } from '../technique.ts';
import { ownVariable } from './own-variable.ts';
import { settingDeclaration } from './terraform-declarations.ts';

/** The value comes from a variable with a default: from one that is there already, or from a new one. */
export const variableDefault: Technique = {
  id: 'variable_default',
  language: 'terraform',
  difficulty: 'medium',
  hide: (place) => {
    const { spot } = place;
    const own = ownVariable(place);
    if (own) return { safe: { edits: [] }, weak: { edits: own.weak }, carriers: [{ address: own.address }] };
    if (!spot || !isConstant(spot.type, spot.safe) || !isConstant(spot.type, spot.insecure)) return null;
    const name = settingName(place, spot.address, spot.name);
    const declared = settingDeclaration(place, name, spot);
    const forms = inBothForms(spot, (value) => ({ edits: [...spot.write(`var.${name}`), declared(value)] }));
    return forms && { ...forms, carriers: [{ address: `var.${name}` }] };
  },
};
