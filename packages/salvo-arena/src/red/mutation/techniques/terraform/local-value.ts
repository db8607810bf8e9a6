import { writtenBlock } from '../../../../iac/read/written-code.ts';
import { settingName } from '../names.ts';
import { inBothForms, type Technique } from '../technique.ts';
import { localDeclaration } from './terraform-declarations.ts';

/** The resource takes the value from a local value, often in another file. */
export const localValue: Technique = {
  id: 'local_value',
  language: 'terraform',
  difficulty: 'medium',
  hide: (place) => {
    const { project, spot } = place;
    if (!spot || spot.safe?.includes('\n')) return null;
    const main = project.files.find(({ file }) => file === 'main.tf');
    const source = main ?? writtenBlock(project, spot.address)?.source;
    const first = source?.blocks.find(({ type }) => type === 'resource' || type === 'data');
    if (!source || !first) return null;
    const name = settingName(place, spot.address, spot.name);
    const declared = localDeclaration(place, source, first, name);
    const forms = inBothForms(spot, (value) => ({ edits: [...spot.write(`local.${name}`), declared(value)] }));
    return forms && { ...forms, carriers: [{ address: `local.${name}` }] };
  },
};
