import { insertBlock } from '../../../../iac/edit/insert-block.ts';
import { columnAt } from '../../../../iac/edit/line-layout.ts';
import { writtenBlock } from '../../../../iac/read/written-code.ts';
import type { Block, SourceFile } from '../../../../iac/syntax/source-file.ts';
import type { MutationTarget } from '../../operators/operator.ts';
import { onlyChange } from '../site/weak-spot.ts';
import { ADDITIVE, appendTo, isRepeated, partAfter } from './code-parts.ts';
import { freshName, pascalName } from './names.ts';
import type { Hidden, HidingPlace, Technique } from './technique.ts';

/** The narrow rule or policy is unchanged; a second one, for the same resource and in another place, is broader. */
export const broaderResources: readonly Technique[] = (['terraform', 'cloudformation'] as const).map((language) => ({
  id: 'broader_resource',
  language,
  difficulty: 'hard',
  hide: (place) => {
    const { project, target, plain } = place;
    const found = writtenBlock(project, target.address);
    const change = onlyChange(project, plain);
    if (!found || change?.source !== found.source) return null;
    const { source, block } = found;
    if (!ADDITIVE.has(block.labels[0] ?? '') || isRepeated(block)) return null;
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
  return { edits: [appendTo(project, file, renamed)], target: movedTarget(target, `${type}.${label}`, file) };
}

function afterTheOthers(place: HidingPlace, source: SourceFile, block: Block, broader: string): Hidden {
  const { target, choice } = place;
  const [type = '', name = ''] = block.labels;
  const purpose = choice.one(PURPOSES) ?? 'operations';
  const label = freshName(place, `${name}${pascalName(purpose)}`);
  const code = broader
    .replaceAll(`\n${columnAt(source.text, block.range.start)}`, '\n')
    .replace(name, label)
    .replace(/^([ \t]*(?:Managed)?PolicyName:\s*"?[\w-]+)/m, `$1-${purpose}`);
  const edits = [{ file: source.file, edits: insertBlock(source, null, code.trimEnd()) }];
  return { edits, target: movedTarget(target, `${type}.${label}`, source.file) };
}

function movedTarget({ attribute, related, address: before }: MutationTarget, address: string, file: string) {
  return { address, file, attribute, related: [...related, before] };
}
