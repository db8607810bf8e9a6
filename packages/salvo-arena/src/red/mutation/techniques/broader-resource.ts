import { insertBlock } from '../../../iac/edit/insert-block.ts';
import { columnAt } from '../../../iac/edit/line-layout.ts';
import { writtenBlock } from '../../../iac/read/written-code.ts';
import type { Block, SourceFile } from '../../../iac/syntax/source-file.ts';
import type { CodeEdit, MutationTarget } from '../../operators/operator.ts';
import { onlyChange } from '../site/weak-spot.ts';
import { ADDITIVE, besidePlace, blockDeclaration, copyAfter, isRepeated, nextRule, partAfter } from './code-parts.ts';
import { freshName, pascalName } from './names.ts';
import type { Hidden, HidingPlace } from './technique.ts';

/** The rule or policy is unchanged; a second one, for the same resource and in another place, may be broader. */
export function broaderResource(place: HidingPlace): Hidden | null {
  const { project, target, plain, harmless } = place;
  const found = writtenBlock(project, target.address);
  const change = onlyChange(project, plain);
  if (!found || change?.source !== found.source) return null;
  const { source, block } = found;
  if (!ADDITIVE.has(block.labels[0] ?? '') || isRepeated(block)) return null;
  const changed = partAfter(source.text, block.range, change.edits);
  if (changed === null) return null;
  const broader = nextRule(changed);
  const narrow = nextRule(copyAfter(source.text, block.range, harmless));
  return source.language === 'terraform'
    ? inAnotherFile(place, block, { broader, narrow })
    : afterTheOthers(place, source, block, { broader, narrow });
}

const PURPOSES = ['partners', 'operations', 'monitoring', 'migration'];

interface Second {
  broader: string;
  narrow: string;
}

function bothForms({ broader, narrow }: Second, edit: (code: string) => CodeEdit) {
  return { safe: { edits: [edit(narrow)] }, weak: { edits: [edit(broader)] }, carriers: [] };
}

function inAnotherFile(place: HidingPlace, block: Block, second: Second): Hidden | null {
  const { target, choice } = place;
  const [type = '', name = ''] = block.labels;
  const purpose = choice.one(PURPOSES) ?? 'operations';
  const label = freshName(place, `${name}_${purpose}`);
  const elsewhere = besidePlace(place).filter(({ file }) => !/(?:^|\/)(?:variables|outputs|versions)\.tf$/.test(file));
  const source = choice.one(elsewhere);
  if (!source) return null;
  const declared = blockDeclaration(choice, source);
  const forms = bothForms(second, (code) =>
    declared(
      code
        .replace(`"${type}" "${name}"`, `"${type}" "${label}"`)
        .replace(/^([ \t]*(?:name|statement_id)\s*=\s*"[^"\n]*)"/m, `$1-${purpose}"`),
    ),
  );
  return { ...forms, target: movedTarget(target, `${type}.${label}`, source.file) };
}

function afterTheOthers(place: HidingPlace, source: SourceFile, block: Block, second: Second): Hidden {
  const { target, choice } = place;
  const [type = '', name = ''] = block.labels;
  const purpose = choice.one(PURPOSES) ?? 'operations';
  const label = freshName(place, `${name}${pascalName(purpose)}`);
  const forms = bothForms(second, (code) => {
    const renamed = code
      .replaceAll(`\n${columnAt(source.text, block.range.start)}`, '\n')
      .replace(name, label)
      .replace(/^([ \t]*(?:Managed)?PolicyName:\s*"?[\w-]+)/m, `$1-${purpose}`);
    return { file: source.file, edits: insertBlock(source, null, renamed.trimEnd()) };
  });
  return { ...forms, target: movedTarget(target, `${type}.${label}`, source.file) };
}

function movedTarget({ attribute, related, address: before }: MutationTarget, address: string, file: string) {
  return { address, file, attribute, related: [...related, before] };
}
