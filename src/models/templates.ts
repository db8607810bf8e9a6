import { dataFolder, fileOf } from '../text/data-file.ts';

/** The judge's instructions, with `{criteria_block}` where the rubric goes. */
export const JUDGE_SYSTEM_TEMPLATE = prompt('judge-system');

/** The judge's question, with `{context_block}` where the material goes. */
export const JUDGE_USER_TEMPLATE = prompt('judge-user');

/** What the judge must know of the fences around the material, with `{nonce}`. Follows whatever prompt there is. */
export const JUDGE_FENCE_TEMPLATE = prompt('judge-fence');

/** What a judge is told whose answer could not be read, with `{problem}` where it says why. */
export const JUDGE_REPAIR_TEMPLATE = prompt('judge-repair');

/** Puts texts in the place of `{name}`s. What is put in is not looked at again: it may hold anything. */
export function fillTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? whole) : whole,
  );
}

function prompt(name: string): string {
  return fileOf(dataFolder(import.meta.url, '../judge/prompt/templates'), `${name}.md`).trim();
}
