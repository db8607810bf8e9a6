import type { CodeProject } from '../../../iac/syntax/parse-code.ts';
import type { CodeEdit } from '../../operators/operator.ts';

/**
 * The same edits, but a list that replaces a value in YAML has one line for each entry. That is how templates write
 * their lists: one in brackets would show where the flaw is.
 */
export function withBlockLists({ files }: CodeProject, plain: readonly CodeEdit[]): CodeEdit[] {
  return plain.map(({ file, edits }) => {
    const source = files.find((one) => one.file === file);
    if (source?.syntax !== 'yaml') return { file, edits };
    return {
      file,
      edits: edits.map((edit) => {
        const items = /^ ?\[([^\][\n"]+)\]$/.exec(edit.text)?.[1]?.split(', ');
        const line = source.text.slice(source.text.lastIndexOf('\n', edit.start - 1) + 1, edit.start);
        if (!items || edit.start === edit.end || !/: ?$/.test(line)) return edit;
        const indent = ' '.repeat(/^[ -]*/.exec(line)?.[0].length ?? 0);
        const text = items.map((item) => `\n${indent}  - ${item}`).join('');
        return { start: edit.start - (line.endsWith(' ') ? 1 : 0), end: edit.end, text };
      }),
    };
  });
}
