import { applyEdits } from '../../iac/edit/edits.ts';
import { insertBlock } from '../../iac/edit/insert-block.ts';
import { scopeOfNames } from '../../iac/read/references.ts';
import type { CodeLanguage } from '../../iac/syntax/code-block.ts';
import { type CodeProject, isInFocus } from '../../iac/syntax/parse-code.ts';
import type { SourceFile } from '../../iac/syntax/source-file.ts';
import { createSeededChoice } from '../../templates/seeded-choice.ts';
import { withChange } from '../mutation/code-change.ts';
import type { Draft } from './draft.ts';
import { templateResource } from './write-template.ts';
import { ACCOUNT_SOURCE, terraformLookup, terraformResource } from './write-terraform.ts';

/**
 * The files that resources can be added to: those of the outermost folder with resources, or the first template. None
 * where the code is JSON.
 */
export function homeFiles(base: CodeProject, language: CodeLanguage): SourceFile[] {
  const usable = base.files.filter(
    (source) =>
      source.language === language &&
      source.syntax === (language === 'terraform' ? 'hcl' : 'yaml') &&
      source.problems.length === 0 &&
      isInFocus(base, source.file),
  );
  const homes = usable.filter(({ blocks }) => blocks.some(({ type }) => type === 'resource'));
  const [home] = homes.map(scopeOfNames).sort((a, b) => a.split('/').length - b.split('/').length || (a < b ? -1 : 1));
  return usable.filter((source) => scopeOfNames(source) === home);
}

/** The code with the resources of these drafts. Where they are written does not depend on their form. */
export async function withDrafts(
  base: CodeProject,
  language: CodeLanguage,
  drafts: readonly Draft[],
): Promise<CodeProject> {
  const homes = homeFiles(base, language);
  const [first] = homes;
  if (!first || drafts.length === 0) return base;
  return language === 'terraform' ? await inTerraform(base, homes, drafts) : await inTemplate(base, first, drafts);
}

/** Files that have a purpose of their own. */
const NO_PLACE = /(?:^|[/])(?:variables|outputs|versions|providers|terraform|backend)\.tf$|override|\.tfvars$/;

async function inTerraform(
  base: CodeProject,
  homes: readonly SourceFile[],
  drafts: readonly Draft[],
): Promise<CodeProject> {
  const shared = homes.filter(({ file }) => !NO_PLACE.test(file));
  const folder = scopeOfNames(homes[0] ?? { file: '', language: 'terraform' });
  const added = new Map<string, string[]>();
  const add = (file: string, blocks: readonly string[]) => added.set(file, [...(added.get(file) ?? []), ...blocks]);
  for (const draft of drafts) {
    const own = createSeededChoice('file', draft.drawn.app, draft.drawn.code);
    const another = own.between(0, 1) === 0 ? undefined : own.one(shared)?.file;
    const blocks = [...draft.lookups.flatMap(terraformLookup), ...draft.resources.map(terraformResource)];
    add(another ?? `${folder}${draft.drawn.app}.tf`, blocks);
  }
  const hasAccount = homes.some(({ blocks }) => blocks.some(({ address }) => address === ACCOUNT_ADDRESS));
  const user = [...added].find(([, blocks]) => blocks.some((code) => code.includes(`${ACCOUNT_ADDRESS}.`)));
  if (user && !hasAccount) add(shared[0]?.file ?? user[0], [ACCOUNT_SOURCE]);
  const change = [...added].map(([file, blocks]) => {
    const before = base.files.find((source) => source.file === file)?.text.trimEnd() ?? '';
    return [file, `${[...(before === '' ? [] : [before]), ...blocks].join('\n\n')}\n`];
  });
  const changed = await withChange(base, Object.fromEntries(change));
  return base.focus ? { ...changed, focus: new Set([...base.focus, ...added.keys()]) } : changed;
}

const ACCOUNT_ADDRESS = 'data.aws_caller_identity.current';

async function inTemplate(base: CodeProject, source: SourceFile, drafts: readonly Draft[]): Promise<CodeProject> {
  const blocks = drafts.flatMap(({ resources }) => resources.map(templateResource));
  const edits = blocks.flatMap((code) => insertBlock(source, null, code));
  return await withChange(base, { [source.file]: applyEdits(source.text, edits) });
}
