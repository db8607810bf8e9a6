import type { TextEdit } from '../../../iac/edit/edits.ts';
import type { SeededChoice } from './seeded-choice.ts';

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
    return [{ start: at, end: at, text: `${section}:\n${entries.map(entryLines).join('')}\n` }];
  }
  const from = head.index + head[0].length;
  const next = /^[^\s#]/m.exec(text.slice(from));
  const content = text.slice(from, next ? from + next.index : text.length).trimEnd();
  const places = [...content.matchAll(/^ {2}\w/gm)].map(({ index }) => from + index);
  places.push(from + content.length + 1);
  return entries.map((entry) => {
    const at = choice.one(places) ?? from;
    return { start: at, end: at, text: entryLines(entry) };
  });
}

function entryLines(entry: string): string {
  return `  ${entry.replaceAll('\n', '\n  ')}\n`;
}
