import { printResult, type Terminal } from 'salvo/kit/cli';
import { safeLine } from 'salvo/kit/text';
import { kindOf } from '../app/documents/document-kinds.ts';
import { listRules } from '../app/games/list-rules.ts';
import { renderRules } from '../report/game/rule-list.ts';

/** `salvo rules` */
export async function rulesCommand(
  { json, ...query }: { text: string; json: boolean },
  terminal: Terminal,
): Promise<number> {
  const rules = listRules(query);
  printResult({ json, kind: kindOf('rules'), document: { rules }, text: (look) => renderRules(rules, look) }, terminal);
  if (rules.length === 0) terminal.stderr.write(`No rule matches "${safeLine(query.text, 200)}".\n`);
  return 0;
}
