import { once } from '../../text/memo.ts';
import { fileOf } from '../../text/modules/data-file.ts';

/** Replaces each `{name}` by its value. Values are not searched again: they may hold anything. */
export function fillTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? whole) : whole,
  );
}

/** The prompts of a folder by name, filled in. The folder is read when the first one is needed. */
export function promptsIn<Name extends string>(
  readFolder: () => Readonly<Record<string, string>>,
): (name: Name, values?: Readonly<Record<string, string>>) => string {
  const folder = once(readFolder);
  return (name, values = {}) => fillTemplate(fileOf(folder(), `${name}.md`).trimEnd(), values);
}

/** The text on one line, so that no part of it can pass for a line of the prompt. */
export function oneLine(text: string): string {
  return text.trim().replaceAll(/[\s\u0085]+/g, (blanks) => (/[\r\n\u0085\u2028\u2029]/.test(blanks) ? ' ' : blanks));
}
