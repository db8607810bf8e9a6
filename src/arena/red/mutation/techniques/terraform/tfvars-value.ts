import { insertion } from '../../../../../iac/edit/edits.ts';
import type { WeakSpot } from '../../site/weak-spot.ts';
import type { Technique } from '../technique.ts';
import { declareSetting } from './terraform-declarations.ts';

const VALUES = 'terraform.tfvars';

/** The variable's default is secure, or it has none; the values file of the deployment sets the weak value. */
export const tfvarsValue: Technique = {
  id: 'tfvars_value',
  language: 'terraform',
  difficulty: 'medium',
  hide: (place) => {
    const { project, spot } = place;
    if (!spot) return null;
    const standard = spot.secure !== null && isConstantOf(spot.type, spot.secure) ? spot.secure : null;
    const { name, declared } = declareSetting(place, spot, standard);
    const values = project.files.find(({ file }) => file === VALUES);
    const given = { file: VALUES, edits: [insertion(values?.text.length ?? 0, `${name} = ${spot.insecure}\n`)] };
    return { edits: [...spot.write(`var.${name}`), declared, given] };
  },
};

/** A default must be a constant of the variable's type. */
function isConstantOf(type: WeakSpot['type'], code: string): boolean {
  return code === 'null' || CONSTANTS[type].test(code);
}

const CONSTANTS: Readonly<Record<WeakSpot['type'], RegExp>> = {
  bool: /^(?:true|false)$/,
  number: /^-?\d+$/,
  string: /^"[^"$%]*"$/,
  'list(string)': /^\[(?:"[^"$%]*"(?:, *)?)*\]$/,
};
