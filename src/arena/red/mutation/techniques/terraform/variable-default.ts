import { replaceValue } from '../../../../../iac/edit/replace-value.ts';
import { countReferences } from '../../../../../iac/read/references.ts';
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
  const [, name] = /^var\.(\w+)$/.exec(spot?.safe ?? '') ?? [];
  if (!spot || name === undefined || countReferences(project, `var.${name}`) > 1) return null;
  const source = project.files.find(({ blocks }) => blocks.some(({ address }) => address === `var.${name}`));
  const variable = source?.blocks.find(({ address }) => address === `var.${name}`);
  const type = variable?.attributes.find((one) => one.name === 'type')?.value.text;
  const standard = variable?.attributes.find((one) => one.name === 'default');
  if (!source || !standard || type !== spot.type) return null;
  const weak = [{ file: source.file, edits: replaceValue(source, standard, spot.insecure) }];
  return { safe: { edits: [] }, weak: { edits: weak }, carriers: [{ address: `var.${name}` }] };
}
