import type { Rule } from '../../blue/rules/rules.ts';
import { allRules } from '../../blue/rules/rules.ts';

/** The rules in which every word of a text occurs; all rules for an empty text. */
export function listRules({ text = '' }: { text?: string } = {}): Rule[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return allRules().filter((rule) => {
    const description = searchableText(rule);
    return words.every((word) => description.includes(word));
  });
}

function searchableText(rule: Rule): string {
  const { id, slug, title, description, category, severity, weakness, terraform, cloudformation } = rule;
  const types = [...terraform, ...cloudformation].flatMap((check) => check.types);
  return [id, slug, title, description, category, severity, weakness, ...types].join('\n').toLowerCase();
}
