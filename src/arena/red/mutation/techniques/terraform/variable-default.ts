import { replaceValue } from '../../../../../iac/edit/replace-value.ts';
import { countReferences } from '../../../../../iac/read/references.ts';
import type { WeakSpot } from '../../site/weak-spot.ts';
import { isConstant } from '../constants.ts';
import { settingName } from '../names.ts';
import { type Hidden, type HidingPlace, inBothForms, type Technique } from '../technique.ts';
import { settingDeclaration } from './terraform-declarations.ts';

/** The value comes from a variable with a default: from one that is there already, or from a new one. */
export const variableDefault: Technique = {
  id: 'variable_default',
  language: 'terraform',
  difficulty: 'medium',
  hide: (place) => {
    const { spot } = place;
    if (!spot || !isConstant(spot.type, spot.insecure)) return null;
    if (!isConstant(spot.type, spot.safe)) return ownVariable(place);
    const name = settingName(place, spot.address, spot.name);
    const declared = settingDeclaration(place, name, spot);
    const forms = inBothForms(spot, (value) => ({ edits: [...spot.write(`var.${name}`), declared(value)] }));
    return forms && { ...forms, carriers: [{ address: `var.${name}` }] };
  },
};

/** The template has a variable here that nothing else uses: only its default differs. */
function ownVariable({ project, spot }: HidingPlace): Hidden | null {
  const own = spot && readVariable(spot);
  if (!own || countReferences(project, `var.${own.name}`) > 1) return null;
  const address = `var.${own.name}`;
  const source = project.files.find(({ blocks }) => blocks.some((block) => block.address === address));
  const variable = source?.blocks.find((block) => block.address === address);
  const type = variable?.attributes.find((one) => one.name === 'type')?.value.text;
  const standard = variable?.attributes.find((one) => one.name === 'default');
  if (!source || !standard || type !== own.type) return null;
  const weak = [{ file: source.file, edits: replaceValue(source, standard, own.insecure) }];
  return { safe: { edits: [] }, weak: { edits: weak }, carriers: [{ address }] };
}

/** The variable that the place reads, with the value that makes it weak: `var.x`, or `[var.x]` for a list of one. */
function readVariable({ safe, insecure, type }: WeakSpot): Pick<WeakSpot, 'name' | 'insecure' | 'type'> | null {
  const [, name] = /^var\.(\w+)$/.exec(safe ?? '') ?? [];
  if (name !== undefined) return { name, insecure, type };
  const [, listed] = /^\[var\.(\w+)\]$/.exec(safe ?? '') ?? [];
  const [, only] = /^\[("[^"]*")\]$/.exec(insecure) ?? [];
  return listed === undefined || only === undefined ? null : { name: listed, insecure: only, type: 'string' };
}
