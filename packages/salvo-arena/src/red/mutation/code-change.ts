import { applyEdits, type TextEdit } from '../../iac/edit/edits.ts';
import { terraformLayout } from '../../iac/edit/terraform-layout.ts';
import { type CodeProject, parseCode } from '../../iac/syntax/parse-code.ts';
import type { SourceFile } from '../../iac/syntax/source-file.ts';
import type { SeededChoice } from '../../templates/seeded-choice.ts';
import type { CodeEdit } from '../operators/operator.ts';
import { addEntries, type TemplateEntry } from './site/template-entry.ts';

/** The new text of each file that changes or is added. */
type CodeChange = Readonly<Record<string, string>>;

/**
 * Applies the edits of all flaws at once: every edit refers to the project as it is. What two flaws both declare is
 * declared once.
 */
export function changeOf(
  project: CodeProject,
  edits: readonly CodeEdit[],
  entries: readonly TemplateEntry[],
  choice: SeededChoice,
): CodeChange {
  const texts = new Map(project.files.map(({ file, text }) => [file, text]));
  const declared = entriesOnce(entries).map(({ file, section, codes }) => ({
    file,
    edits: addEntries(texts.get(file) ?? '', section, codes, choice),
  }));
  const byFile = Map.groupBy([...edits, ...declared], ({ file }) => file);
  return Object.fromEntries(
    [...byFile].map(([file, all]) => {
      const text = texts.get(file);
      const once = editsOnce(all.flatMap((edit) => edit.edits));
      if (text !== undefined) return [file, applyEdits(text, once)];
      return [file, once.map((edit) => edit.text).join(file.endsWith('.tfvars') ? '' : '\n')];
    }),
  );
}

function editsOnce(edits: readonly TextEdit[]): TextEdit[] {
  return [...new Map(edits.map((edit) => [`${edit.start} ${edit.end} ${edit.text}`, edit])).values()];
}

function entriesOnce(entries: readonly TemplateEntry[]) {
  const sections = Map.groupBy(entries, ({ file, section }) => `${file} ${section}`);
  return [...sections.values()].flatMap(([first, ...others]) => {
    if (!first) return [];
    return [{ ...first, codes: [...new Set([first, ...others].map(({ code }) => code))] }];
  });
}

/**
 * The project after a change. Only the changed files are parsed again. Terraform is written as `terraform fmt` leaves
 * it: otherwise its layout would show where lines were changed.
 */
export async function withChange(project: CodeProject, change: CodeChange): Promise<CodeProject> {
  const laidOut = Object.entries(change).map(([file, text]) => {
    const before = project.files.find((source) => source.file === file);
    return [file, isFormatted(file, before) ? terraformLayout(text) : text];
  });
  const read = await parseCode(Object.fromEntries(laidOut));
  const kept = project.files.filter(({ file }) => !Object.hasOwn(change, file));
  return { ...project, files: [...kept, ...read.files].sort((a, b) => (a.file < b.file ? -1 : 1)) };
}

/** Whether a file is new, or was written as `terraform fmt` does. Who does not use it keeps the layout that there is. */
export function isFormatted(file: string, before: SourceFile | undefined): boolean {
  return /\.(?:tf|tfvars)$/.test(file) && (before === undefined || terraformLayout(before.text) === before.text);
}

export function textsOf(project: CodeProject): Record<string, string> {
  return Object.fromEntries(project.files.map(({ file, text }) => [file, text]));
}
