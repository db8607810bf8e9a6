import { listRules } from '../../app/games/list-rules.ts';
import { renderRules } from '../../report/game/rule-list.ts';
import { safeLine } from '../../text/output/safe-text.ts';
import { printResult } from '../terminal/print-result.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** `salvo rules` */
export async function rulesCommand(
  { json, ...query }: { text: string; json: boolean },
  terminal: Terminal,
): Promise<number> {
  const rules = listRules(query);
  printResult({ json, kind: 'rules', document: { rules }, text: (look) => renderRules(rules, look) }, terminal);
  if (rules.length === 0) terminal.stderr.write(`No rule matches "${safeLine(query.text, 200)}".\n`);
  return 0;
}
