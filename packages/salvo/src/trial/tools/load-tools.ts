import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { scenarioCases } from '../../scenario/cases/scenario-cases.ts';
import type { DataRow } from '../../scenario/cases/template.ts';
import type { McpFields, Tool } from '../../scenario/schema/tool-schema.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { once } from '../../text/memo.ts';
import type { LoadedTool, LoadedTools } from './loaded-tool.ts';
import type { LiveTools, ToolsPlace } from './tools-place.ts';

/** Loads what answers the tools that are not mocked, once for all trials of a scenario. */
export async function loadTools(tools: readonly Tool[], place: ToolsPlace): Promise<LoadedTools> {
  const loaded = new Map<number, readonly LoadedTool[]>();
  await using asking = place.live ? askingPlaces(place, place.live) : null;
  const all = await Promise.all(
    tools.map((tool, index) => loadTool(tool, place, asking).catch((error) => refuseAt(error, index, place))),
  );
  for (const [index, found] of all.entries()) if (found) loaded.set(index, found);
  refuseSameNames(tools, loaded);
  return loaded;
}

/** Throws the error of a tool, and if the scenario is wrong about it, with the place in its file. */
async function refuseAt(error: unknown, index: number, { file, live }: ToolsPlace): Promise<never> {
  const isWrong = error instanceof SalvoError && /^(?:MODULE_FUNCTION_UNKNOWN|MCP_TOOLS_INVALID)$/.test(error.code);
  if (!isWrong || !existsSync(file)) throw error;
  const [{ fieldPlace }, { displayPath }] = await Promise.all([
    import('../../scenario/field-place.ts'),
    import('../../scenario/diagnostics/format-diagnostics.ts'),
  ]);
  const { source, start } = fieldPlace(file, ['tools', index], { root: live?.root ?? dirname(file) });
  const location = { file: source.file, ...source.place(start) };
  const place = `${displayPath(source.file, process.cwd())}:${location.line}:${location.column}`;
  throw new SalvoError(error.code, `${place}: ${error.message}`, { cause: error, location });
}

/** Null for a tool with mocks. */
async function loadTool(
  tool: Tool,
  { file, live }: ToolsPlace,
  asking: AskingPlaces | null,
): Promise<LoadedTool[] | null> {
  if (tool.module === undefined && tool.mcp === undefined) return null;
  if (!live || !asking) return tool.mcp || tool.cassette ? [uncalledTool(tool)] : [await ofModule(tool, file)];
  const cassette = live.cassetteOf?.(tool, file);
  const call = () =>
    tool.mcp
      ? ofServer({ ...tool, mcp: tool.mcp }, { file, ...live }, asking)
      : ofModule(tool, file).then((each) => [each]);
  if (!cassette) return call();
  const onCassette = await import('./cassette/tools-on-cassette.ts');
  return cassette.mode === 'replay'
    ? onCassette.replayedTools(tool, cassette)
    : onCassette.recordedTools(tool, cassette, await call());
}

async function ofModule(tool: Tool, file: string): Promise<LoadedTool> {
  const { moduleTool } = await import('./module-tool.ts');
  return moduleTool({ ...tool, module: tool.module ?? '' }, file);
}

async function ofServer(
  tool: Tool & { mcp: McpFields },
  place: LiveTools & { file: string },
  asking: AskingPlaces,
): Promise<LoadedTool[]> {
  return (await import('./mcp/server-tools.ts')).serverTools(tool, place, asking.trial);
}

interface AskingPlaces extends AsyncDisposable {
  trial(): Promise<{ row: DataRow; variables: Record<string, string> }>;
}

/** The workspace and the services with which servers are asked for their tools, as the first case has them. */
function askingPlaces({ scenario, file }: ToolsPlace, { env }: LiveTools): AskingPlaces {
  const opened = once(async () => {
    const first = scenarioCases(scenario).scenarioOf(0);
    if (first.workspace === undefined && first.services === undefined) return null;
    const { signal } = new AbortController();
    const { openEnvironment } = await import('../environment.ts');
    const trial = { run: {}, nameOfTrial: [], keepIn: null, stop: signal, abort: signal };
    return openEnvironment({ scenario: first, file, env, ...trial });
  });
  let isAsked = false;
  return {
    async trial() {
      isAsked = true;
      return { row: scenario.data?.[0] ?? {}, variables: (await opened())?.given.variables ?? {} };
    },
    async [Symbol.asyncDispose]() {
      if (isAsked)
        await opened()
          .then((environment) => environment?.close())
          .catch(() => {});
    },
  };
}

/** A tool that has nothing to do with the state. No agent runs, so that it is not called. */
function uncalledTool({ name, description, parameters, effect, mcp }: Tool): LoadedTool {
  const source = {
    start() {
      throw new Error(`The tool "${name}" is called, although no agent runs.`);
    },
  };
  return { name, description, parameters, effect, isUnlisted: mcp !== undefined, checksArguments: true, source };
}

/** Only now it is known what the tools of a server are called. */
function refuseSameNames(tools: readonly Tool[], loaded: LoadedTools): void {
  const names = new Set<string>();
  for (const [index, tool] of tools.entries()) {
    for (const { name, isUnlisted = false } of loaded.get(index) ?? [{ name: tool.name }]) {
      if (isUnlisted) continue;
      if (names.has(name)) {
        throw new SalvoError(
          'MCP_TOOLS_INVALID',
          `Two tools are named "${name}", one of them by an MCP server: give the server's tools a prefix, such as prefix: shop_`,
        );
      }
      names.add(name);
    }
  }
}
