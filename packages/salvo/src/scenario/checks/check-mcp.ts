import { dirname } from 'node:path';
import { isRecord } from '../../text/json/is-record.ts';
import { suggestion } from '../../text/words/did-you-mean.ts';
import { some } from '../../text/words/value-words.ts';
import type { Path } from '../diagnostics/located-value.ts';
import type { Report } from '../diagnostics/problem.ts';
import type { Tool } from '../schema/tool-schema.ts';
import { urlVariable } from '../schema/workspace-schema.ts';
import { codeRefusal, reportCode } from './refuse-code.ts';
import { type FileAt, rebasedPath } from './written-path.ts';

/** These describe one tool, and a server has several. */
const OF_ONE_TOOL = [
  ...['name', 'description', 'parameters', 'module', 'function'],
  ...['mock_response', 'mock_responses', 'agent'],
];
const OF_SERVERS = ['only', 'prefix', 'resources', 'prompt'];
const OF_COMMANDS = ['env', 'cwd'];

/** Checks the entries of MCP servers, and that no other tool has what only servers have. */
export function checkServers(report: Report, scenario: Record<string, unknown>): void {
  const { tools, state } = scenario;
  if (!Array.isArray(tools)) return;
  const places = placesOf(scenario);
  for (const [index, tool] of tools.entries()) {
    if (!isRecord(tool)) continue;
    checkEntry(report, tool, { path: ['tools', index], hasState: state !== undefined, places });
  }
  checkPrompts(report, scenario, tools);
}

/** A prompt of a server is the prompt of the scenario. */
function checkPrompts(report: Report, scenario: Record<string, unknown>, tools: readonly unknown[]): void {
  const [first, second] = tools.flatMap((tool, index) => (isRecord(tool) && tool.prompt !== undefined ? [index] : []));
  if (first === undefined) return;
  const conflict = (path: Path, message: string) => report({ code: 'conflicting-keys', message, path, at: 'key' });
  for (const key of ['prompt', 'messages', 'files'].filter((each) => scenario[each] !== undefined)) {
    conflict([key], `the prompt of an MCP server begins the conversation, so that the scenario has no "${key}"`);
  }
  if (second !== undefined) conflict(['tools', second, 'prompt'], 'two MCP servers have a prompt, and one can begin');
}

/** The variables with the places of a trial: its workspace, and its services. */
function placesOf({ workspace, services }: Record<string, unknown>): string[] {
  const named = (Array.isArray(services) ? services : []).filter(isRecord);
  return [
    ...(workspace === undefined ? [] : ['SALVO_WORKSPACE']),
    ...named.flatMap(({ name, url_env }) =>
      typeof url_env === 'string' ? [url_env] : typeof name === 'string' ? [urlVariable(name)] : [],
    ),
  ];
}

function checkEntry(
  report: Report,
  tool: Record<string, unknown>,
  { path, hasState, places }: { path: Path; hasState: boolean; places: readonly string[] },
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
  if (isRecord(mcp)) checkServer(report, mcp, { path: [...path, 'mcp'], places });
}

function checkServer(
  report: Report,
  mcp: Record<string, unknown>,
  { path, places }: { path: Path; places: readonly string[] },
): void {
  const conflict = (key: string, message: string) =>
    report({ code: 'conflicting-keys', message, path: [...path, key], at: 'key' });
  if (mcp.command === undefined && mcp.url === undefined) {
    const message = 'an MCP server needs "command", which starts it, or "url"';
    report({ code: 'missing-key', message, path, missing: ['command', 'url'] });
  }
  if (typeof mcp.url === 'string') checkUrl(report, mcp.url, { path: [...path, 'url'], places });
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

function checkUrl(report: Report, url: string, { path, places }: { path: Path; places: readonly string[] }): void {
  const unknown = [...url.matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => name).find((name) => !places.includes(name));
  if (unknown !== undefined) {
    const message = `\${${unknown}} is no address of this scenario: in "url" it is the address of a service`;
    const hint = suggestion(
      unknown,
      places,
      places.length === 0 ? 'it has no services' : `it has ${some([...places])}`,
    );
    report({ code: 'invalid-value', message, hint, path });
  } else if (!URL.canParse(url.replaceAll(/^\$\{\w+\}/g, 'http://127.0.0.1:1'))) {
    report({ code: 'invalid-value', message: '"url" is not an address', path });
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
