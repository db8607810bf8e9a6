import { calledFolders } from '../../iac/evaluate/terraform-module.ts';
import { scopeOfNames } from '../../iac/read/references.ts';
import type { CodeLanguage } from '../../iac/syntax/code-block.ts';
import { type CodeProject, isInFocus } from '../../iac/syntax/parse-code.ts';
import type { SourceFile } from '../../iac/syntax/source-file.ts';

/**
 * Where new resources are written, as `scopeOfNames` has it: the top folder of a template of this package, or its file.
 * In code of the user, the folder or template that has the most resources, and that Terraform runs in. Null if there is
 * none, since resources are not added to JSON.
 */
export function homeScope(project: CodeProject, language: CodeLanguage): string | null {
  const own = project.files.filter((source) => source.language === language);
  if (project.focus === undefined) return language === 'terraform' ? '' : (own[0]?.file ?? null);
  const called = calledFolders(project);
  const usable = own.filter(
    (source) =>
      isInFocus(project, source.file) &&
      !called.has(scopeOfNames(source)) &&
      (source.syntax === 'yaml' || source.file.endsWith('.tf')),
  );
  const scopes = [...Map.groupBy(usable, scopeOfNames)].map(([scope, sources]) => ({ scope, size: sizeOf(sources) }));
  return scopes.sort((a, b) => b.size - a.size)[0]?.scope ?? null;
}

function sizeOf(sources: readonly SourceFile[]): number {
  return sources.reduce((sum, { blocks }) => sum + blocks.filter(({ type }) => type === 'resource').length, 0);
}
