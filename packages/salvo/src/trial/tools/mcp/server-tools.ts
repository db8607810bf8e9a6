import { dirname, resolve } from 'node:path';
import { expandHeaders } from '../../../adapters/call/expand-headers.ts';
import { programEnvironment } from '../../../adapters/program/program-environment.ts';
import type { McpFields, Tool } from '../../../scenario/schema/tool-schema.ts';
import { grantedSecrets } from '../../../secrets/environment-secrets.ts';
import { SalvoError } from '../../../text/errors/salvo-error.ts';
import type { LoadedTool } from '../loaded-tool.ts';
import type { LiveTools } from '../tools-place.ts';
import { installedClient } from './mcp-client.ts';
import type { McpServer } from './mcp-connection.ts';
import { listTools, mcpSource } from './mcp-source.ts';
import { commandWords, serverLabel } from './server-label.ts';

const DEFAULT_TIMEOUT_SECONDS = 60;

interface ServerPlace extends Pick<LiveTools, 'root' | 'env'> {
  /** The scenario's. */
  file: string;
}

/**
 * The tools of an MCP server. If it cannot list them, every trial that would have them is not scored. Throws if the scenario is
 * wrong about them.
 */
export async function serverTools(tool: Tool & { mcp: McpFields }, place: ServerPlace): Promise<LoadedTool[]> {
  const server = serverOf(tool.mcp, place);
  const { only, prefix, effect, resources = false } = tool;
  try {
    const options = { label: server.label, only, prefix, effect, resources };
    const served = await listTools(server, options, new AbortController().signal);
    const source = mcpSource(server, served);
    return served.map(({ asks: _, ...described }) => ({ ...described, checksArguments: true, source }));
  } catch (error) {
    if (!(error instanceof SalvoError) || !/^MCP_SERVER_/.test(error.code)) throw error;
    return [failedServer(error)];
  }
}

/** Stands for the tools that nobody knows: no trial can begin. */
function failedServer(error: SalvoError): LoadedTool {
  const source = { start: () => Promise.reject(error) };
  const described = { name: 'mcp', description: '', parameters: { type: 'object' } };
  return { ...described, isUnlisted: true, checksArguments: true, source };
}

function serverOf(mcp: McpFields, { file, root, env }: ServerPlace): McpServer {
  const { url, timeout_seconds: timeoutSeconds = DEFAULT_TIMEOUT_SECONDS } = mcp;
  const shared = { label: serverLabel(mcp), timeoutSeconds, client: installedClient(root) };
  if (url !== undefined) {
    const headers = expandHeaders(mcp.headers, env);
    return { ...shared, reached: { url: new URL(url), headers }, redact: without(Object.values(headers)) };
  }
  const granted = mcp.env ?? [];
  const reached = {
    command: commandWords(mcp),
    cwd: resolve(dirname(file), mcp.cwd ?? '.'),
    env: programEnvironment(env, granted),
    granted,
  };
  return { ...shared, reached, redact: without(grantedSecrets(granted, env)) };
}

/** Shorter values, such as `true`, occur in ordinary texts. */
const SHORTEST_SECRET = 8;

function without(secrets: readonly string[]): (text: string) => string {
  const long = secrets.filter(({ length }) => length >= SHORTEST_SECRET);
  return (text) => long.reduce((rest, secret) => rest.replaceAll(secret, '[REDACTED:secret]'), text);
}
