import type { TextEdit } from '../../../iac/edit/edits.ts';

/** Something that a template declares: a parameter, a mapping, a condition. */
export interface TemplateEntry {
  file: string;
  section: 'Parameters' | 'Mappings' | 'Conditions';
  /** Its name and what it is, without indentation. */
  code: string;
}

/** Puts entries at the end of a section of a YAML template, which is made before the resources if there is none. */
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
