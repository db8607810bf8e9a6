import { z } from 'zod';
import type { Scenario } from '../../../scenario/schema/scenario-schema.ts';
import type { McpFields, Tool } from '../../../scenario/schema/tool-schema.ts';
import { SalvoError } from '../../../text/errors/salvo-error.ts';
import type { ToolsContext } from '../tool-source.ts';
import type { LiveTools } from '../tools-place.ts';
import { McpAnswerError, McpConnection, type McpServer } from './mcp-connection.ts';
import { outcomeOf, partSchema } from './mcp-result.ts';
import { serverOf } from './mcp-server.ts';
import { serverLabel } from './server-label.ts';

/** The beginning of a conversation: messages of the user and the agent, of which the last is the user's. */
export type PromptMessages = Extract<NonNullable<Scenario['messages']>[number], { role: 'user' | 'assistant' }>[];

export type PromptTool = Tool & { mcp: McpFields; prompt: NonNullable<Tool['prompt']> };

/** More is no prompt. */
const MOST_MESSAGES = 200;

/** What `prompts/get` answers. */
const promptResultSchema = z.looseObject({
  messages: z
    .array(z.looseObject({ role: z.enum(['user', 'assistant']), content: partSchema }))
    .min(1)
    .max(MOST_MESSAGES),
});

/** The messages of a server's prompt in a trial: from the server, or from the cassette of the entry. */
export async function promptMessages(
  tool: PromptTool,
  { file, live, trial, signal }: { file: string; live: LiveTools; trial: ToolsContext; signal: AbortSignal },
): Promise<PromptMessages> {
  const ask = () => askedPrompt(tool, serverOf(tool.mcp, { file, ...live }, trial), signal);
  const cassette = live.cassetteOf?.(tool, file);
  if (!cassette) return ask();
  const call = { server: serverLabel(tool.mcp), ...tool.prompt };
  return cassette.mode === 'replay' ? cassette.prompts.replay(call) : cassette.prompts.record(call, ask);
}

async function askedPrompt({ prompt }: PromptTool, server: McpServer, signal: AbortSignal): Promise<PromptMessages> {
  const { label } = server;
  const connection = await McpConnection.open(server, signal);
  try {
    const params = { name: prompt.name, arguments: prompt.arguments };
    const request = { what: `its prompt "${prompt.name}"`, method: 'prompts/get', params };
    const { messages } = await connection.request(request, promptResultSchema, signal);
    if (messages.at(-1)?.role !== 'user') {
      throw invalid(label, `ends its prompt "${prompt.name}" with a message of the agent, so that nothing is asked`);
    }
    return messages.map(({ role, content }) => messageOf(role, content));
  } catch (error) {
    if (!(error instanceof McpAnswerError)) throw error;
    throw invalid(label, `did not give its prompt "${prompt.name}": ${error.message}`);
  } finally {
    await connection.end();
  }
}

function messageOf(role: 'user' | 'assistant', part: z.infer<typeof partSchema>): PromptMessages[number] {
  const { content, files } = outcomeOf({ content: [part] });
  if (role === 'assistant') return { role, content, tool_calls: [] };
  return { role, content, ...(files && { files: [...files] }) };
}

function invalid(label: string, problem: string): SalvoError {
  return new SalvoError('MCP_TOOLS_INVALID', `The MCP server ${label} ${problem}.`);
}
