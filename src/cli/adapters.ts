import { describeAdapters } from '../adapters/availability.ts';
import { renderAdapters } from '../report/terminal/adapters-report.ts';
import { loadProject } from '../scenario/load-project.ts';
import { printResult } from './terminal/print-result.ts';
import type { Terminal } from './terminal/terminal.ts';

/** `salvo adapters` */
export async function adaptersCommand({ json }: { json: boolean }, terminal: Terminal): Promise<number> {
  const { root, config } = await loadProject(terminal.cwd);
  const adapters = await describeAdapters({ root, adapters: config.adapters, env: terminal.env });
  const { default_adapter, judge } = config;
  const document = { default_adapter, judge, adapters };
  printResult({ json, document, text: (look) => renderAdapters(document, look) }, terminal);
  return 0;
}
