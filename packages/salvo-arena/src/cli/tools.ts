import { printResult, type Terminal } from 'salvo/kit/cli';
import { kindOf } from '../app/documents/document-kinds.ts';
import { listTools } from '../app/games/list-tools.ts';
import { renderTools } from '../report/tools-report.ts';

/** `salvo tools` */
export async function toolsCommand({ json }: { json: boolean }, terminal: Terminal): Promise<number> {
  const { cwd, env } = terminal;
  const tools = await listTools({ cwd, env });
  printResult({ json, kind: kindOf('tools'), document: { tools }, text: (look) => renderTools(tools, look) }, terminal);
  return 0;
}
