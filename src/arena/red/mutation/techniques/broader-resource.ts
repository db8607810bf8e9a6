import { insertBlock } from '../../../../iac/edit/insert-block.ts';
import type { Block, SourceFile } from '../../../../iac/syntax/source-file.ts';
import { ADDITIVE } from './additive.ts';
import { appendTo, partAfter, resourceBlock } from './code-parts.ts';
import { freshName, pascalName } from './names.ts';
import type { Hidden, HidingPlace, Technique } from './technique.ts';

/** The narrow rule or policy is unchanged; a second one, for the same resource and in another place, is broader. */
export const broaderResources: readonly Technique[] = (['terraform', 'cloudformation'] as const).map((language) => ({
  id: 'broader_resource',
  language,
  difficulty: 'hard',
  hide: (place) => {
    const found = resourceBlock(place.project, place.target.address);
    const [change, ...others] = place.plain;
    if (!found || !ADDITIVE.has(found.block.labels[0] ?? '') || others.length > 0) return null;
    const { source, block } = found;
    if (change?.file !== source.file || block.attributes.some(({ name }) => /^(?:count|for_each)$/.test(name)))
      return null;
    const broader = partAfter(source.text, block.range, change.edits);
    if (broader === null) return null;
    return language === 'terraform'
      ? inAnotherFile(place, block, broader)
      : afterTheOthers(place, source, block, broader);
  },
}));

const PURPOSES = ['partners', 'operations', 'monitoring', 'migration'];

function inAnotherFile(place: HidingPlace, block: Block, broader: string): Hidden {
  const { project, target, choice } = place;
  const [type = '', name = ''] = block.labels;
  const purpose = choice.one(PURPOSES) ?? 'operations';
  const label = freshName(place, `${name}_${purpose}`);
  const renamed = broader
    .replace(`"${type}" "${name}"`, `"${type}" "${label}"`)
    .replace(/^([ \t]*(?:name|statement_id)\s*=\s*"[^"\n]*)"/m, `$1-${purpose}"`);
  const elsewhere = project.files.filter(
    ({ file }) =>
      file !== target.file && /^[\w-]+\.tf$/.test(file) && !/^(?:variables|outputs|versions)\.tf$|override/.test(file),
  );
  const file = choice.one(elsewhere)?.file ?? 'integrations.tf';
  const moved = {
    address: `${type}.${label}`,
    file,
    attribute: target.attribute,
    related: [...target.related, target.address],
  };
  return { edits: [appendTo(project, file, renamed)], target: moved };
}

function afterTheOthers(place: HidingPlace, source: SourceFile, block: Block, broader: string): Hidden {
  const { target, choice } = place;
  const [type = '', name = ''] = block.labels;
  const purpose = choice.one(PURPOSES) ?? 'operations';
  const label = freshName(place, `${name}${pascalName(purpose)}`);
  const column = block.range.start - source.text.lastIndexOf('\n', block.range.start - 1) - 1;
  const code = broader
    .replaceAll(`\n${' '.repeat(column)}`, '\n')
    .replace(name, label)
    .replace(/^([ \t]*(?:Managed)?PolicyName:\s*"?[\w-]+)/m, `$1-${purpose}`);
  const edits = [{ file: source.file, edits: insertBlock(source, null, code.trimEnd()) }];
  const related = [...target.related, target.address];
  return { edits, target: { address: `${type}.${label}`, file: source.file, attribute: target.attribute, related } };
}
