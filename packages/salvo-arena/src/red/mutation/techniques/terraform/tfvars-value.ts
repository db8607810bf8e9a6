import { insertion } from '../../../../iac/edit/edits.ts';
import { isConstant } from '../constants.ts';
import { settingName } from '../names.ts';
import { inBothForms, type Technique } from '../technique.ts';
import { ownVariable } from './own-variable.ts';
import { settingDeclaration } from './terraform-declarations.ts';

const VALUES = 'terraform.tfvars';

/**
 * The values file of the deployment sets the value, and the variable has no default. Beside a safe default, a value that
 * differs from it would be a flaw, and one that repeats it would be none.
 */
export const tfvarsValue: Technique = {
  id: 'tfvars_value',
  language: 'terraform',
  difficulty: 'medium',
  hide: (place) => {
    const { project, spot } = place;
    const end = project.files.find(({ file }) => file === VALUES)?.text.length ?? 0;
    const given = (name: string, value: string) => ({ file: VALUES, edits: [insertion(end, `${name} = ${value}\n`)] });
    const own = ownVariable(place);
    if (own) {
      const { name, address, safe, insecure, withoutDefault } = own;
      const form = (value: string) => ({ edits: [...withoutDefault, given(name, value)] });
      return { safe: form(safe), weak: form(insecure), carriers: [{ address }, { address, file: VALUES }] };
    }
    if (!spot || !isConstant(spot.type, spot.safe) || !isConstant(spot.type, spot.insecure)) return null;
    const name = settingName(place, spot.address, spot.name);
    const declared = settingDeclaration(place, name, spot)(null);
    const forms = inBothForms(spot, (value) => ({
      edits: [...spot.write(`var.${name}`), declared, given(name, value)],
    }));
    return forms && { ...forms, carriers: [{ address: `var.${name}` }, { address: `var.${name}`, file: VALUES }] };
  },
};
