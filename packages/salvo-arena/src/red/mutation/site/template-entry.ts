import type { TextEdit } from '../../../iac/edit/edits.ts';
import type { SeededChoice } from '../../../templates/seeded-choice.ts';

/** A parameter, mapping or condition to declare in a template. */
export interface TemplateEntry {
  file: string;
  section: 'Parameters' | 'Mappings' | 'Conditions';
  /** Name and content, without indentation. */
  code: string;
}

/** Adds entries to a section of a YAML template, among those that it has. A new section is put before the resources. */
export function addEntries(
  text: string,
  section: string,
  entries: readonly string[],
  choice: SeededChoice,
): TextEdit[] {
  const head = new RegExp(`^${section}:[ \\t]*\\n`, 'm').exec(text);
  if (!head) {
    const at = Math.max(0, text.search(/^Resources:/m));
    return [{ start: at, end: at, text: `${section}:\n${entries.map((entry) => entryLines(entry)).join('')}\n` }];
  }
  const from = head.index + head[0].length;
  const next = /^[^\s#]/m.exec(text.slice(from));
  const content = text.slice(from, next ? from + next.index : text.length).trimEnd();
  const indent = /^( +)[\w"']/m.exec(content)?.[1] ?? '  ';
  const places = [...content.matchAll(/^( +)[\w"']/gm)].flatMap(({ index, 1: own }) =>
    own === indent ? [from + index] : [],
  );
  places.push(Math.min(from + content.length + 1, text.length));
  return entries.map((entry) => {
    const at = choice.one(places) ?? from;
    return { start: at, end: at, text: entryLines(entry, indent) };
  });
}

/** Entries are indented as far as those that the section has. */
function entryLines(entry: string, indent = '  '): string {
  return `${indent}${entry.replaceAll('\n', `\n${indent}`)}\n`;
}
