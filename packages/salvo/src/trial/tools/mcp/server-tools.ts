import { resourcePool } from '../../../adapters/call/resource-pool.ts';
import type { McpFields, Tool } from '../../../scenario/schema/tool-schema.ts';
import { SalvoError } from '../../../text/errors/salvo-error.ts';
import type { LoadedTool } from '../loaded-tool.ts';
import { type ServerPlace, type ServerTrial, serverOf } from './mcp-server.ts';
import { listTools, mcpSource } from './mcp-source.ts';
import { serverLabel } from './server-label.ts';

/** How many servers are asked for their tools at the same time: a project may have hundreds of scenarios. */
const MOST_AT_ONCE = 4;
const places = resourcePool(Array.from({ length: MOST_AT_ONCE }, (_, index) => index));

/** A server that cannot be asked, or what it needs, is no mistake of the scenario. */
const NOT_ASKED = /^(?:MCP_SERVER_|SERVICE_|WORKSPACE_|FILE_CHANGED$)/;

/**
 * The tools of an MCP server. If it cannot list them, every trial that would have them is not scored. Throws if the scenario is
 * wrong about them. `asking` makes the workspace and the services ready that the server is asked with.
 */
export async function serverTools(
  tool: Tool & { mcp: McpFields },
  place: ServerPlace,
  asking: () => Promise<ServerTrial>,
): Promise<LoadedTool[]> {
  const { mcp, only, prefix, effect, resources = false } = tool;
  const options = { label: serverLabel(mcp), only, prefix, effect, resources };
  const held = await places.take(undefined);
  try {
    const asked = serverOf(mcp, place, await asking());
    const served = await listTools(asked, options, new AbortController().signal);
    const source = mcpSource((trial) => serverOf(mcp, place, trial), served);
    return served.map(({ asks: _, ...described }) => ({ ...described, checksArguments: true, source }));
  } catch (error) {
    if (!(error instanceof SalvoError) || !NOT_ASKED.test(error.code)) throw error;
    return [failedServer(error)];
  } finally {
    places.giveBack(held);
  }
}

/** Stands for the tools that nobody knows: no trial can begin. */
function failedServer(error: SalvoError): LoadedTool {
  const source = { start: () => Promise.reject(error) };
  const described = { name: 'mcp', description: '', parameters: { type: 'object' } };
  return { ...described, isUnlisted: true, checksArguments: true, source };
}
