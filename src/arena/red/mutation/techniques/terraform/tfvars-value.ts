import { insertion } from '../../../../../iac/edit/edits.ts';
import { isConstant } from '../constants.ts';
import { settingName } from '../names.ts';
import { inBothForms, type Technique } from '../technique.ts';
import { ownVariable } from './own-variable.ts';
import { settingDeclaration } from './terraform-declarations.ts';

const VALUES = 'terraform.tfvars';

/** The variable's default is safe, or it has none; the values file of the deployment sets the value. */
export const tfvarsValue: Technique = {
  id: 'tfvars_value',
  language: 'terraform',
  difficulty: 'medium',
  hide: (place) => {
    const { project, spot, choice } = place;
    const end = project.files.find(({ file }) => file === VALUES)?.text.length ?? 0;
    const given = (name: string, value: string) => ({ file: VALUES, edits: [insertion(end, `${name} = ${value}\n`)] });
    const own = ownVariable(place);
    if (own) {
      const { name, address, safe, insecure } = own;
      const carriers = [{ address }, { address, file: VALUES }];
      return { safe: { edits: [given(name, safe)] }, weak: { edits: [given(name, insecure)] }, carriers };
    }
    if (!spot || !isConstant(spot.type, spot.safe) || !isConstant(spot.type, spot.insecure)) return null;
    const name = settingName(place, spot.address, spot.name);
    const declare = settingDeclaration(place, name, spot);
    const declared = declare(choice.between(0, 2) === 0 ? null : spot.safe);
    const forms = inBothForms(spot, (value) => ({
      edits: [...spot.write(`var.${name}`), declared, given(name, value)],
    }));
    return forms && { ...forms, carriers: [{ address: `var.${name}` }, { address: `var.${name}`, file: VALUES }] };
  },
};
