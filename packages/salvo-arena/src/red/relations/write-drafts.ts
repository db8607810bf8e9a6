import { applyEdits } from '../../iac/edit/edits.ts';
import { insertBlock } from '../../iac/edit/insert-block.ts';
import { scopeOfNames } from '../../iac/read/references.ts';
import type { CodeLanguage } from '../../iac/syntax/code-block.ts';
import { type CodeProject, isInFocus } from '../../iac/syntax/parse-code.ts';
import type { SourceFile } from '../../iac/syntax/source-file.ts';
import { withChange } from '../mutation/code-change.ts';
import { createSeededChoice } from '../mutation/site/seeded-choice.ts';
import type { Draft } from './draft.ts';
import { homeScope } from './home-scope.ts';
import { templateResource } from './write-template.ts';
import { ACCOUNT_SOURCE, terraformLookup, terraformResource } from './write-terraform.ts';

/** The code with the resources of these drafts. Where they are written does not depend on their form. */
export function withDrafts(base: CodeProject, language: CodeLanguage, drafts: readonly Draft[]): Promise<CodeProject> {
  return language === 'terraform' ? inTerraform(base, drafts) : inTemplate(base, drafts);
}

function inTerraform(base: CodeProject, drafts: readonly Draft[]): Promise<CodeProject> {
  const home = homeScope(base, 'terraform') ?? '';
  const shared = base.files.filter(
    ({ file }) =>
      file.startsWith(home) &&
      isInFocus(base, file) &&
      /^[\w-]+\.tf$/.test(file.slice(home.length)) &&
      !/^(?:variables|outputs|versions)\.tf$|override/.test(file.slice(home.length)),
  );
  const added = new Map<string, string[]>();
  for (const draft of drafts) {
    const own = createSeededChoice('file', draft.drawn.app, draft.drawn.code);
    const file = own.between(0, 1) === 0 ? `${home}${draft.drawn.app}.tf` : (own.one(shared)?.file ?? `${home}main.tf`);
    const blocks = [...draft.lookups.flatMap(terraformLookup), ...draft.resources.map(terraformResource)];
    added.set(file, [...(added.get(file) ?? []), ...blocks]);
  }
  const needsAccount = [...added.values()].some((blocks) =>
    blocks.some((one) => one.includes('data.aws_caller_identity.current.')),
  );
  const hasAccount = base.files.some(
    (source) =>
      scopeOfNames(source) === home &&
      source.blocks.some(({ address }) => address === 'data.aws_caller_identity.current'),
  );
  const [first] = shared;
  if (needsAccount && !hasAccount && first) added.set(first.file, [...(added.get(first.file) ?? []), ACCOUNT_SOURCE]);
  const change = [...added].map(([file, blocks]) => {
    const before = base.files.find((source) => source.file === file)?.text ?? '';
    return [file, [...(before === '' ? [] : [before.trimEnd()]), ...blocks].join('\n\n').concat('\n')];
  });
  return withChange(base, Object.fromEntries(change));
}

function inTemplate(base: CodeProject, drafts: readonly Draft[]): Promise<CodeProject> {
  const home = homeScope(base, 'cloudformation');
  const source = base.files.find(({ file }) => file === home);
  if (!source) throw new Error('There is no template to add resources to.');
  const blocks = drafts.flatMap(({ resources }) => resources.map(templateResource));
  return withChange(base, { [source.file]: withBlocks(source, blocks) });
}

function withBlocks(source: SourceFile, blocks: readonly string[]): string {
  return applyEdits(
    source.text,
    blocks.flatMap((code) => insertBlock(source, null, code)),
  );
}
