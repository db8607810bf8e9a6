import { listAdapters } from '../../app/project/list-adapters.ts';
import { renderAdapters } from '../../report/adapters-report.ts';
import { printResult } from '../terminal/print-result.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** `salvo adapters` */
export async function adaptersCommand({ json }: { json: boolean }, terminal: Terminal): Promise<number> {
  const { cwd, env } = terminal;
  const list = await listAdapters({ cwd, env });
  printResult({ json, kind: 'adapters', document: list, text: (look) => renderAdapters(list, look) }, terminal);
  return 0;
}
