import type { CodeProject } from '../../../../iac/syntax/parse-code.ts';
import type { CodeEdit } from '../../operators/operator.ts';

/** Whether edits only replace values: the code has as many lines and lists as before. */
export function keepsLayout({ files }: CodeProject, edits: readonly CodeEdit[]): boolean {
  return edits.every(({ file, edits: changes }) => {
    const text = files.find((source) => source.file === file)?.text ?? '';
    return changes.every(({ start, end, text: after }) => layoutOf(text.slice(start, end)) === layoutOf(after));
  });
}

function layoutOf(code: string): string {
  return code.replaceAll(/[^\n[]/g, '');
}
