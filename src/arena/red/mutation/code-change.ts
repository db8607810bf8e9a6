import { applyEdits, type TextEdit } from '../../../iac/edit/edits.ts';
import { type CodeProject, parseCode } from '../../../iac/syntax/parse-code.ts';
import type { CodeEdit } from '../operators/operator.ts';
import type { SeededChoice } from './site/seeded-choice.ts';
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
      const added = once.map((edit) => edit.text);
      return [file, file.endsWith('.tfvars') ? aligned(added.join('')) : added.join('\n')];
    }),
  );
}

/** The equals signs below each other, as `terraform fmt` writes them. */
function aligned(lines: string): string {
  const width = Math.max(...lines.split('\n').map((line) => line.indexOf(' =')));
  return lines.replaceAll(/^(\w+) =/gm, (_, name: string) => `${name.padEnd(width)} =`);
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

/** The project after a change. Only the changed files are parsed again. */
export async function withChange(project: CodeProject, change: CodeChange): Promise<CodeProject> {
  const read = await parseCode(change);
  const kept = project.files.filter(({ file }) => !Object.hasOwn(change, file));
  return { files: [...kept, ...read.files].sort((a, b) => (a.file < b.file ? -1 : 1)) };
}

export function textsOf(project: CodeProject): Record<string, string> {
  return Object.fromEntries(project.files.map(({ file, text }) => [file, text]));
}
