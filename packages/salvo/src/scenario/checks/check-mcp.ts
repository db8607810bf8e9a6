import { dirname } from 'node:path';
import { isRecord } from '../../text/json/is-record.ts';
import type { Path } from '../diagnostics/located-value.ts';
import type { Report } from '../diagnostics/problem.ts';
import type { Tool } from '../schema/tool-schema.ts';
import { codeRefusal, reportCode } from './refuse-code.ts';
import { type FileAt, rebasedPath } from './written-path.ts';

/** These describe one tool, and a server has several. */
const OF_ONE_TOOL = [
  ...['name', 'description', 'parameters', 'module', 'function'],
  ...['mock_response', 'mock_responses', 'agent'],
];
const OF_SERVERS = ['only', 'prefix', 'resources'];
const OF_COMMANDS = ['env', 'cwd'];

/** Checks the entries of MCP servers, and that no other tool has what only servers have. */
export function checkServers(report: Report, { tools, state }: Record<string, unknown>): void {
  if (!Array.isArray(tools)) return;
  for (const [index, tool] of tools.entries()) {
    if (isRecord(tool)) checkEntry(report, tool, { path: ['tools', index], hasState: state !== undefined });
  }
}

function checkEntry(
  report: Report,
  tool: Record<string, unknown>,
  { path, hasState }: { path: Path; hasState: boolean },
): void {
  const conflict = (key: string, message: string, hint?: string) =>
    report({ code: 'conflicting-keys', message, hint, path: [...path, key], at: 'key' });
  const { mcp } = tool;
  const isReal = tool.module !== undefined || mcp !== undefined;
  if (tool.cassette && !isReal) {
    conflict('cassette', 'a mocked tool has no cassette: its answers are written here', 'write "module" or "mcp"');
  }
  if (tool.cassette && tool.module !== undefined && tool.effect === 'write' && hasState) {
    conflict('cassette', 'a recorded answer changes no state, and this tool does (effect: write)');
  }
  if (mcp === undefined) {
    for (const key of OF_SERVERS.filter((each) => tool[each] !== undefined)) {
      conflict(key, `"${key}" belongs to an MCP server, and this entry has no "mcp"`);
    }
    return;
  }
  for (const key of OF_ONE_TOOL.filter((each) => tool[each] !== undefined)) {
    conflict(key, `an MCP server has tools of its own, so that its entry has no "${key}"`);
  }
  if (isRecord(mcp)) checkServer(report, mcp, [...path, 'mcp']);
}

function checkServer(report: Report, mcp: Record<string, unknown>, path: Path): void {
  const conflict = (key: string, message: string) =>
    report({ code: 'conflicting-keys', message, path: [...path, key], at: 'key' });
  if (mcp.command === undefined && mcp.url === undefined) {
    const message = 'an MCP server needs "command", which starts it, or "url"';
    report({ code: 'missing-key', message, path, missing: ['command', 'url'] });
  }
  if (typeof mcp.url === 'string' && !URL.canParse(mcp.url)) {
    report({ code: 'invalid-value', message: '"url" is not an address', path: [...path, 'url'] });
  }
  if (mcp.command !== undefined) reportCode(report, codeRefusal('the command of an MCP server'), [...path, 'command']);
  if (mcp.command !== undefined && mcp.url !== undefined) {
    conflict('url', 'an MCP server has either "command" or "url"');
  }
  if (mcp.command === undefined && mcp.url !== undefined) {
    for (const key of OF_COMMANDS.filter((each) => mcp[each] !== undefined)) {
      conflict(key, `"${key}" belongs to a "command", and this server has a "url"`);
    }
  }
  if (mcp.url === undefined && mcp.headers !== undefined) {
    conflict('headers', '"headers" are sent to a "url", and this server has none');
  }
}

/** The same tools, with folders and cassettes relative to the scenario, wherever they are written. */
export function withRebasedServers(tools: Tool[], { file, fileAt }: { file: string; fileAt: FileAt }): Tool[] {
  if (!tools.some(({ mcp, cassette }) => mcp || typeof cassette === 'object')) return tools;
  return tools.map((tool, index) => {
    const rebased = (name: string) =>
      rebasedPath(name, { from: dirname(fileAt(['tools', index, 'mcp'])), to: dirname(file) });
    const { mcp, cassette } = tool;
    const isElsewhere = dirname(fileAt(['tools', index, 'mcp'])) !== dirname(file);
    return {
      ...tool,
      ...(mcp?.command && isElsewhere && { mcp: { ...mcp, cwd: rebased(mcp.cwd ?? '.') } }),
      ...(typeof cassette === 'object' && cassette.file && { cassette: { ...cassette, file: rebased(cassette.file) } }),
    };
  });
}
