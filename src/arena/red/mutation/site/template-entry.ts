import type { TextEdit } from '../../../../iac/edit/edits.ts';

/** A parameter, mapping or condition to declare in a template. */
export interface TemplateEntry {
  file: string;
  section: 'Parameters' | 'Mappings' | 'Conditions';
  /** Name and content, without indentation. */
  code: string;
}

/** Adds entries at the end of a section of a YAML template. A new section is put before the resources. */
export function addEntries(text: string, section: string, entries: readonly string[]): TextEdit[] {
  const lines = entries.map((entry) => `  ${entry.replaceAll('\n', '\n  ')}\n`).join('');
  const head = new RegExp(`^${section}:[ \\t]*\\n`, 'm').exec(text);
  if (head) {
    const from = head.index + head[0].length;
    const next = /^[^\s#]/m.exec(text.slice(from));
    const end = next ? from + next.index : text.length;
    const at = from + text.slice(from, end).trimEnd().length + 1;
    return [{ start: at, end: at, text: lines }];
  }
  const at = text.search(/^Resources:/m);
  return [{ start: Math.max(0, at), end: Math.max(0, at), text: `${section}:\n${lines}\n` }];
}
