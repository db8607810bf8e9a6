import type { WeakSpot } from '../../site/weak-spot.ts';
import { freshName, ownName, settingWords, snakeName } from '../names.ts';
import type { Technique } from '../technique.ts';
import { declareVariable } from './terraform-declarations.ts';

const VALUES = 'terraform.tfvars';

/** The variable's default is secure, or it has none; the values file of the deployment sets the weak value. */
export const tfvarsValue: Technique = {
  id: 'tfvars_value',
  language: 'terraform',
  difficulty: 'medium',
  hide: (place) => {
    const { project, spot } = place;
    if (!spot) return null;
    const name = freshName(place, snakeName(spot.address, spot.name));
    const description = `Value of ${settingWords(spot.name)} for ${ownName(spot.address)}.`;
    const standard = spot.secure !== null && isConstantOf(spot.type, spot.secure) ? spot.secure : null;
    const declared = declareVariable(project, { name, description, type: spot.type, standard });
    const values = project.files.find(({ file }) => file === VALUES);
    const end = values?.text.length ?? 0;
    const given = { file: VALUES, edits: [{ start: end, end, text: `${name} = ${spot.insecure}\n` }] };
    return { edits: [...spot.write(`var.${name}`), declared, given] };
  },
};

/** A default must be a constant of the variable's type. */
function isConstantOf(type: WeakSpot['type'], code: string): boolean {
  if (code === 'null') return true;
  return CONSTANTS[type].test(code);
}

const CONSTANTS: Readonly<Record<WeakSpot['type'], RegExp>> = {
  bool: /^(?:true|false)$/,
  number: /^-?\d+$/,
  string: /^"[^"$%]*"$/,
  'list(string)': /^\[(?:"[^"$%]*"(?:, *)?)*\]$/,
};
