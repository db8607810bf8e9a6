import { applyEdits } from '../../iac/edit/edits.ts';
import type { CodeProject } from '../../iac/syntax/parse-code.ts';
import { lineShape } from '../operators/line-shape.ts';
import type { CodeForm, Hidden } from './techniques/technique.ts';

/** Whether the safe and the weak form differ in values only: no line of the code tells which one it is. */
export function haveSameShape(project: CodeProject, { safe, weak }: Pick<Hidden, 'safe' | 'weak'>): boolean {
  const files = new Set([...safe.edits, ...weak.edits].map(({ file }) => file));
  const isSameCode = [...files].every((file) => {
    const text = project.files.find((source) => source.file === file)?.text;
    return areAlike(after(text, file, safe), after(text, file, weak));
  });
  return isSameCode && areAlike(declared(safe), declared(weak));
}

/** A file that does not exist yet has only what is added. */
function after(text: string | undefined, file: string, { edits }: CodeForm): string {
  const own = edits.flatMap((one) => (one.file === file ? one.edits : []));
  return text === undefined ? own.map((edit) => edit.text).join('\n') : applyEdits(text, own);
}

function declared({ entries }: CodeForm): string {
  return (entries ?? []).map(({ code }) => code).join('\n');
}

function areAlike(one: string, other: string): boolean {
  const [lines, others] = [one.split('\n'), other.split('\n')];
  if (lines.length !== others.length) return false;
  return lines.every((line, at) => line === others[at] || lineShape(line) === lineShape(others[at] ?? ''));
}
