import { insertion } from '../../../../iac/edit/edits.ts';
import { writtenBlock } from '../../../../iac/read/written-code.ts';
import { isConstant } from '../constants.ts';
import { settingName } from '../names.ts';
import { type Hidden, type HidingPlace, inBothForms } from '../technique.ts';
import { ownVariable } from './own-variable.ts';
import { localDeclaration, settingDeclaration } from './terraform-declarations.ts';

/** The value comes from a variable with a default: from one that is there already, or from a new one. */
export function variableDefault(place: HidingPlace): Hidden | null {
  const { spot } = place;
  const own = ownVariable(place);
  if (own) return { safe: { edits: [] }, weak: { edits: own.weak }, carriers: [{ address: own.address }] };
  if (!spot || !isConstant(spot.type, spot.safe) || !isConstant(spot.type, spot.insecure)) return null;
  const name = settingName(place, spot.address, spot.name);
  const declared = settingDeclaration(place, name, spot);
  return inBothForms(spot, [{ address: `var.${name}` }], (value) => ({
    edits: [...spot.write(`var.${name}`), declared(value)],
  }));
}

const VALUES = 'terraform.tfvars';

/**
 * The values file of the deployment sets the value, and the variable has no default. Beside a safe default, a value that
 * differs from it would be a flaw, and one that repeats it would be none.
 */
export function tfvarsValue(place: HidingPlace): Hidden | null {
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
  return inBothForms(spot, [{ address: `var.${name}` }, { address: `var.${name}`, file: VALUES }], (value) => ({
    edits: [...spot.write(`var.${name}`), declared, given(name, value)],
  }));
}

/** The resource takes the value from a local value, often in another file. */
export function localValue(place: HidingPlace): Hidden | null {
  const { project, spot } = place;
  if (!spot || spot.safe?.includes('\n')) return null;
  const main = project.files.find(({ file }) => file === 'main.tf');
  const source = main ?? writtenBlock(project, spot.address)?.source;
  const first = source?.blocks.find(({ type }) => type === 'resource' || type === 'data');
  if (!source || !first) return null;
  const name = settingName(place, spot.address, spot.name);
  const declared = localDeclaration(place, source, first, name);
  return inBothForms(spot, [{ address: `local.${name}` }], (value) => ({
    edits: [...spot.write(`local.${name}`), declared(value)],
  }));
}
