import { insertAttribute } from '../../../../../iac/edit/insert-attribute.ts';
import { writtenBlock } from '../../../../../iac/read/written-code.ts';
import { freshName, snakeName } from '../names.ts';
import type { Technique } from '../technique.ts';
import { declareLocal } from './terraform-declarations.ts';

/** The resource takes the weak value from a local value in the main file of the project. */
export const localValue: Technique = {
  id: 'local_value',
  language: 'terraform',
  difficulty: 'medium',
  hide: (place) => {
    const { project, spot } = place;
    if (!spot) return null;
    const main = project.files.find(({ file }) => file === 'main.tf');
    const source = main ?? writtenBlock(project, spot.address)?.source;
    const first = source?.blocks.find(({ type }) => type === 'resource' || type === 'data');
    if (!source || !first) return null;
    const name = freshName(place, snakeName(spot.address, spot.name));
    const locals = source.blocks.find(({ type }) => type === 'locals');
    const declared = locals
      ? { file: source.file, edits: insertAttribute(source, locals, name, spot.insecure) }
      : declareLocal(source, first, name, spot.insecure);
    return { edits: [...spot.write(`local.${name}`), declared] };
  },
};
