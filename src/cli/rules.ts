import { allRules, type Rule } from '../arena/blue/rules/rules.ts';
import { renderRules } from '../report/game/rule-list.ts';
import { harmlessJson } from '../text/harmless-json.ts';
import { safeLine } from '../text/safe-text.ts';
import type { Terminal } from './terminal/terminal.ts';

/** `salvo rules` */
export async function rulesCommand(
  { text, json }: { text: string; json: boolean },
  { stdout, stderr, env }: Terminal,
): Promise<number> {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const rules = allRules().filter((rule) => {
    const about = textOf(rule);
    return words.every((word) => about.includes(word));
  });
  if (json) stdout.write(`${harmlessJson(rules, 2)}\n`);
  else stdout.write(renderRules(rules, { width: stdout.columns, color: stdout.color, ascii: env.TERM === 'dumb' }));
  if (rules.length === 0) stderr.write(`No rule has to do with "${safeLine(text, 200)}".\n`);
  return 0;
}

function textOf(rule: Rule): string {
  const { id, slug, title, description, category, severity, weakness, terraform, cloudformation } = rule;
  const types = [...terraform, ...cloudformation].flatMap((look) => look.types);
  return [id, slug, title, description, category, severity, weakness, ...types].join('\n').toLowerCase();
}
