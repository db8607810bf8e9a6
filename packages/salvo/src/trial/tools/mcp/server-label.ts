import { splitCommandLine } from '../../../adapters/program/command-line.ts';
import type { McpFields } from '../../../scenario/schema/tool-schema.ts';
import { quoteOutput } from '../../../text/output/quote-output.ts';

/** The program and its arguments. */
export function commandWords({ command = [] }: McpFields): string[] {
  return typeof command === 'string' ? splitCommandLine(command) : command;
}

/** As messages and cassettes name a server: without the query of its address, which may hold a key. */
export function serverLabel(mcp: McpFields): string {
  if (mcp.url === undefined) return quoteOutput(commandWords(mcp).join(' '), { length: 200 });
  const url = URL.parse(mcp.url);
  // Where a variable stands for the server, the address is named as it is written.
  return url ? `${url.origin}${url.pathname}` : mcp.url.replace(/[?#].*$/s, '');
}
