import { z } from 'zod';
import type { ToolCall } from '../../../trace/message.ts';
import { problem } from '../tool-mocks.ts';
import type { ToolOutcome, ToolSource, ToolsContext } from '../tool-source.ts';
import { McpAnswerError, McpConnection, type McpServer } from './mcp-connection.ts';
import { callResultSchema, outcomeOf, outcomeOfResource, readResultSchema } from './mcp-result.ts';
import { type ServedTool, type ServedToolsOptions, servedTools, toolListSchema } from './served-tools.ts';

/** A list that goes on for longer has no end. */
const MOST_PAGES = 100;

/** Connects once, and asks a server which tools it has. */
export async function listTools(server: McpServer, options: ServedToolsOptions, signal: AbortSignal) {
  const connection = await McpConnection.open(server, signal);
  try {
    return servedTools(await allTools(connection, signal), options);
  } finally {
    await connection.end();
  }
}

async function allTools(connection: McpConnection, signal: AbortSignal): Promise<unknown[]> {
  // A server with resources alone need not know the request.
  if (!connection.capabilities.tools) return [];
  const listed: unknown[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const request = {
      what: 'the list of its tools',
      method: 'tools/list',
      params: cursor === undefined ? {} : { cursor },
    };
    const { tools, nextCursor } = await connection.request(request, toolListSchema, signal);
    listed.push(...tools);
    if (nextCursor === undefined || nextCursor === cursor) return listed;
    cursor = nextCursor;
  }
  return listed;
}

/** What answers the calls of all tools of a server. Each trial has a connection of its own, which its first call opens. */
export function mcpSource(serverOf: (trial: ToolsContext) => McpServer, tools: readonly ServedTool[]): ToolSource {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return {
    start(trial) {
      const server = serverOf(trial);
      let opened: Promise<McpConnection> | null = null;
      return {
        async answer(call, signal) {
          opened ??= McpConnection.open(server, signal);
          const connection = await opened;
          try {
            return await answerOf(connection, { call, tool: byName.get(call.name), signal });
          } catch (error) {
            if (error instanceof McpAnswerError) return problem('tool_failed', error.message);
            throw error;
          }
        },
        async end() {
          const connection = await opened?.catch(() => null);
          await connection?.end();
        },
      };
    },
  };
}

async function answerOf(
  connection: McpConnection,
  { call, tool, signal }: { call: ToolCall; tool: ServedTool | undefined; signal: AbortSignal },
): Promise<ToolOutcome> {
  const what = `a call of "${call.name}"`;
  const { asks = { tool: call.name } } = tool ?? {};
  if (asks === 'list_resources') {
    const listed = await connection.request({ what, method: 'resources/list', params: {} }, resourceListSchema, signal);
    return { content: JSON.stringify(listed.resources), is_error: false, problem: null };
  }
  if (asks === 'read_resource') {
    const request = { what, method: 'resources/read', params: { uri: String(call.arguments.uri) } };
    return outcomeOfResource(await connection.request(request, readResultSchema, signal));
  }
  const request = { what, method: 'tools/call', params: { name: asks.tool, arguments: call.arguments } };
  return outcomeOf(await connection.request(request, callResultSchema, signal));
}

const resourceListSchema = z.looseObject({
  resources: z.array(
    z.object({
      uri: z.string(),
      name: z.string().optional().catch(undefined),
      description: z.string().optional().catch(undefined),
      mimeType: z.string().optional().catch(undefined),
    }),
  ),
});
