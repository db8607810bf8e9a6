import { insertion } from '../../../../../iac/edit/edits.ts';
import { isConstant } from '../constants.ts';
import { settingName } from '../names.ts';
import { inBothForms, type Technique } from '../technique.ts';
import { settingDeclaration } from './terraform-declarations.ts';

const VALUES = 'terraform.tfvars';

/** The variable's default is safe, or it has none; the values file of the deployment sets the value. */
export const tfvarsValue: Technique = {
  id: 'tfvars_value',
  language: 'terraform',
  difficulty: 'medium',
  hide: (place) => {
    const { project, spot, choice } = place;
    if (!spot || !isConstant(spot.type, spot.safe) || !isConstant(spot.type, spot.insecure)) return null;
    const name = settingName(place, spot.address, spot.name);
    const declare = settingDeclaration(place, name, spot);
    const declared = declare(choice.between(0, 2) === 0 ? null : spot.safe);
    const end = project.files.find(({ file }) => file === VALUES)?.text.length ?? 0;
    const forms = inBothForms(spot, (value) => {
      const given = { file: VALUES, edits: [insertion(end, `${name} = ${value}\n`)] };
      return { edits: [...spot.write(`var.${name}`), declared, given] };
    });
    return forms && { ...forms, carriers: [{ address: `var.${name}` }, { address: `var.${name}`, file: VALUES }] };
  },
};
