import { insertion } from '../../../../iac/edit/edits.ts';
import { removeAttribute } from '../../../../iac/edit/remove-code.ts';
import { replaceValue, valueCode } from '../../../../iac/edit/replace-value.ts';
import { calledFolders } from '../../../../iac/evaluate/terraform-module.ts';
import { countReferences } from '../../../../iac/read/references.ts';
import { writtenBlock } from '../../../../iac/read/written-code.ts';
import type { CodeEdit } from '../../../operators/operator.ts';
import type { WeakSpot } from '../../site/weak-spot.ts';
import { besidePlace, folderOfPlace } from '../code-parts.ts';
import { isConstant } from '../constants.ts';
import { settingName } from '../names.ts';
import { type Carrier, type Hidden, type HidingPlace, inBothForms } from '../technique.ts';
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

/**
 * The values file of the deployment sets the value, and the variable has no default. Beside a safe default, a value that
 * differs from it would be a flaw, and one that repeats it would be none.
 */
export function tfvarsValue(place: HidingPlace): Hidden | null {
  const { project, spot } = place;
  const folder = folderOfPlace(place);
  // Only the values of the folder that Terraform runs in are read.
  if (calledFolders(project).has(folder)) return null;
  const values = `${folder}terraform.tfvars`;
  const text = project.files.find(({ file }) => file === values)?.text ?? '';
  const gap = text === '' || text.endsWith('\n') ? '' : '\n';
  const given = (name: string, value: string) => ({
    file: values,
    edits: [insertion(text.length, `${gap}${name} = ${value}\n`)],
  });
  const own = ownVariable(place);
  if (own) {
    const { name, address, safe, insecure, withoutDefault } = own;
    const form = (value: string) => ({ edits: [...withoutDefault, given(name, value)] });
    return { safe: form(safe), weak: form(insecure), carriers: [{ address }, { address, file: values }] };
  }
  if (!spot || !isConstant(spot.type, spot.safe) || !isConstant(spot.type, spot.insecure)) return null;
  const name = settingName(place, spot.address, spot.name);
  const declared = settingDeclaration(place, name, spot)(null);
  return inBothForms(spot, [{ address: `var.${name}` }, { address: `var.${name}`, file: values }], (value) => ({
    edits: [...spot.write(`var.${name}`), declared, given(name, value)],
  }));
}

/** The resource takes the value from a local value, often in another file. */
export function localValue(place: HidingPlace): Hidden | null {
  const { project, spot } = place;
  if (!spot || spot.safe?.includes('\n')) return null;
  const main = besidePlace(place).find(({ file }) => file === `${folderOfPlace(place)}main.tf`);
  const source = main ?? writtenBlock(project, spot.address)?.source;
  const first = source?.blocks.find(({ type }) => type === 'resource' || type === 'data');
  if (!source || !first) return null;
  const name = settingName(place, spot.address, spot.name);
  const declared = localDeclaration(place, source, first, name);
  return inBothForms(spot, [{ address: `local.${name}` }], (value) => ({
    edits: [...spot.write(`local.${name}`), declared(value)],
  }));
}

/**
 * How a value gets into a table: through the template's own variable; or through a new one in half of the cases, if both
 * values are constants; or as it is.
 */
export function throughVariable(
  place: HidingPlace,
  spot: WeakSpot,
): { value(constant: string): { code: string; edits: CodeEdit[] }; carriers: Carrier[] } {
  const own = ownVariable(place);
  if (own) {
    return {
      value: (code) => (code === spot.insecure ? { code: spot.safe ?? code, edits: own.weak } : { code, edits: [] }),
      carriers: [{ address: own.address }],
    };
  }
  const isPossible = isConstant(spot.type, spot.safe) && isConstant(spot.type, spot.insecure);
  if (place.choice.between(0, 1) === 0 || !isPossible) {
    return { value: (constant) => ({ code: constant, edits: [] }), carriers: [] };
  }
  const name = settingName(place, spot.address, spot.name);
  const declared = settingDeclaration(place, name, spot);
  return {
    value: (constant) => ({ code: `var.${name}`, edits: [declared(constant)] }),
    carriers: [{ address: `var.${name}` }],
  };
}

/**
 * A variable of the template with a default, which only this place uses, with edits that make the weak value the
 * default, or remove the default. To bend it adds no declaration.
 */
export function ownVariable({ project, target, spot }: Pick<HidingPlace, 'project' | 'target' | 'spot'>) {
  const used = spot && usedVariable(spot);
  if (!used || !isConstant(used.type, used.insecure)) return null;
  const { name, insecure } = used;
  const address = `var.${name}`;
  const source = besidePlace({ project, target }).find(({ blocks }) => blocks.some((one) => one.address === address));
  if (!source || countReferences(project, address, source) > 1) return null;
  const variable = source?.blocks.find((block) => block.address === address);
  const type = variable?.attributes.find((one) => one.name === 'type')?.value.text;
  const standard = variable?.attributes.find((one) => one.name === 'default');
  if (!standard || type !== used.type) return null;
  const weak = [{ file: source.file, edits: replaceValue(source, standard, insecure) }];
  const withoutDefault = [{ file: source.file, edits: removeAttribute(source, standard) }];
  return { name, address, safe: valueCode(source, standard), insecure, weak, withoutDefault };
}

/** The variable that the place uses: `var.x`, or `[var.x]` for a list of one. */
function usedVariable({ safe, insecure, type }: WeakSpot): Pick<WeakSpot, 'name' | 'insecure' | 'type'> | null {
  const [, name] = /^var\.(\w+)$/.exec(safe ?? '') ?? [];
  if (name !== undefined) return { name, insecure, type };
  const [, listed] = /^\[var\.(\w+)\]$/.exec(safe ?? '') ?? [];
  const [, only] = /^\[("[^"]*")\]$/.exec(insecure) ?? [];
  return listed === undefined || only === undefined ? null : { name: listed, insecure: only, type: 'string' };
}
