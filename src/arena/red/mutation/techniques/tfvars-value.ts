import { freshName, ownName, snakeName, spoken } from './names.ts';
import type { Technique } from './technique.ts';
import { declareVariable } from './terraform-declarations.ts';

const VALUES = 'terraform.tfvars';

/** The variable's default is fine, or there is none; the values file of the deployment says otherwise. */
export const tfvarsValue: Technique = {
  id: 'tfvars_value',
  language: 'terraform',
  difficulty: 'medium',
  hide: (place) => {
    const { project, spot } = place;
    if (!spot) return null;
    const name = freshName(place, snakeName(spot.address, spot.name));
    const description = `Value of ${spoken(spot.name)} for ${ownName(spot.address)}.`;
    // A default has to be a constant.
    const isConstant =
      spot.secure !== null && /^(?:true|false|null|-?\d+|"[^"$%]*"|\[("[^"$%]*"(, *)?)*\])$/.test(spot.secure);
    const standard = isConstant ? spot.secure : null;
    const declared = declareVariable(project, { name, description, type: spot.type, standard });
    const values = project.files.find(({ file }) => file === VALUES);
    const end = values?.text.length ?? 0;
    const given = { file: VALUES, edits: [{ start: end, end, text: `${name} = ${spot.insecure}\n` }] };
    return { edits: [...spot.write(`var.${name}`), declared, given] };
  },
};
