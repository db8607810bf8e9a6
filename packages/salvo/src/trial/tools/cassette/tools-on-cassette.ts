import type { Tool } from '../../../scenario/schema/tool-schema.ts';
import { SalvoError } from '../../../text/errors/salvo-error.ts';
import type { LoadedTool } from '../loaded-tool.ts';
import { serverLabel } from '../mcp/server-label.ts';
import { describedTool } from '../module-tool.ts';
import type { ToolOutcome, ToolSource, ToolsContext } from '../tool-source.ts';
import type { CassetteTool } from './cassette-call.ts';
import type { ToolCassette } from './tool-cassette.ts';

/** The tools of an entry whose answers come from a cassette. Neither a module nor a server nor a client is needed. */
export function replayedTools(tool: Tool, cassette: ToolCassette): LoadedTool[] {
  if (!tool.mcp) {
    const fields = describedTool(tool, cassette.toolFields(tool.name) ?? {}, cassette.shown);
    return [
      { name: tool.name, ...fields, source: replayedSource(toolOf(tool, { name: tool.name, ...fields }), cassette) },
    ];
  }
  const label = serverLabel(tool.mcp);
  const names = cassette.serverTools(serverKey(tool, label));
  if (!names)
    throw cassette.notRecorded(`The tools of the MCP server ${label} are not on the cassette ${cassette.shown}.`);
  return names.map((name) => {
    const { description = '', parameters = { type: 'object' }, effect } = cassette.toolFields(name) ?? {};
    const described = { name, description, parameters, effect: tool.effect ?? effect };
    return { ...described, checksArguments: true, source: replayedSource(toolOf(tool, described), cassette) };
  });
}

/** The same tools, whose answers are recorded. */
export async function recordedTools(tool: Tool, cassette: ToolCassette, live: LoadedTool[]): Promise<LoadedTool[]> {
  if (live.some(({ isUnlisted }) => isUnlisted)) return live;
  if (tool.mcp)
    await cassette.keepServer(
      serverKey(tool, serverLabel(tool.mcp)),
      live.map(({ name }) => name),
    );
  for (const { name, description, parameters, effect } of live) {
    await cassette.keepTool(name, { description, parameters, effect });
  }
  const byName = new Map(live.map((each) => [each.name, toolOf(tool, each)]));
  for (const each of byName.values()) cassette.add(each);
  // Tools of a server have one source, which is started once for each trial.
  const sources = new Map(live.map(({ source }) => [source, recordedSource(source, byName, cassette)]));
  return live.map((each) => ({ ...each, source: sources.get(each.source) ?? each.source }));
}

/** What was recorded of a server is of use only for the same choice of its tools. */
function serverKey({ only, prefix, resources }: Tool, label: string): string {
  const choice = [
    ...(only ? [`only ${[...only].sort().join(', ')}`] : []),
    ...(prefix === undefined ? [] : [`prefix ${prefix}`]),
    ...(resources ? ['with resources'] : []),
  ];
  return choice.length === 0 ? label : `${label} (${choice.join('; ')})`;
}

function toolOf(
  { cassette, mcp, module = '' }: Tool,
  { name, effect }: Pick<LoadedTool, 'name' | 'effect'>,
): CassetteTool {
  const group = mcp ? serverLabel(mcp) : module;
  return { name, effect, group, key: typeof cassette === 'object' ? cassette.key : undefined };
}

function replayedSource(tool: CassetteTool, cassette: ToolCassette): ToolSource {
  cassette.add(tool);
  return {
    start: (trial) => ({
      answer: async (call) => cassette.replay(tool, cassette.identify(tool, call.arguments, trial)),
    }),
  };
}

function recordedSource(
  source: ToolSource,
  tools: ReadonlyMap<string, CassetteTool>,
  cassette: ToolCassette,
): ToolSource {
  return {
    async start(trial) {
      const started = await source.start(trial);
      return {
        async answer(call, signal) {
          const tool = tools.get(call.name);
          if (!tool) return started.answer(call, signal);
          const identified = cassette.identify(tool, call.arguments, trial);
          return cassette.record(tool, identified, () =>
            withoutChange(trial, { tool, cassette }, async () => started.answer(call, signal)),
          );
        },
        end: async () => started.end?.(),
      };
    },
  };
}

/** A recorded answer changes nothing, so that a tool that changes the state cannot be recorded. */
async function withoutChange(
  { state }: ToolsContext,
  { tool, cassette }: { tool: CassetteTool; cassette: ToolCassette },
  call: () => Promise<ToolOutcome>,
): Promise<ToolOutcome> {
  const before = JSON.stringify(state.document);
  const outcome = await call();
  if (JSON.stringify(state.document) === before) return outcome;
  throw new SalvoError(
    'TOOL_NOT_RECORDED',
    `The tool "${tool.name}" changed the state of the trial, which an answer from the cassette ${cassette.shown} would not: remove \`cassette\` from the tool.`,
  );
}
