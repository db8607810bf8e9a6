import { z } from 'zod';
import type { AgentTask } from '../adapters/agent/agent-function.ts';
import { errorMessage } from '../text/errors/salvo-error.ts';
import { isRecord } from '../text/json/is-record.ts';
import { refusal, refuseMissing, type ToolTask } from './mocked-tools.ts';

/** A tool for `createSdkMcpServer` of the Claude Agent SDK. */
export interface ClaudeTool {
  name: string;
  description: string;
  inputSchema: z.core.$ZodShape;
  handler(args: object, extra: unknown): Promise<{ content: { type: 'text'; text: string }[]; isError: boolean }>;
}

/** A tool of the agent, from `tool()` of the SDK. */
export interface AnyTool {
  name: string;
  handler: unknown;
}

/** What `query()` is asked. */
export interface ClaudeQuery<Options> {
  prompt: string;
  options: Options & ClaudeSession;
}

/** One session of Claude is one trial. */
export type ClaudeSession = { abortController: AbortController; systemPrompt?: string } & (
  | { sessionId: string }
  | { resume: string }
);

/** The tools of the scenario as tools for `createSdkMcpServer`. */
export function toolsFor(task: ToolTask): ClaudeTool[];
/**
 * The agent's own tools. Those that the scenario has, too, keep their description and their schema, and are answered by the
 * mocks. The others stay as they are.
 */
export function toolsFor<Tool extends AnyTool>(task: ToolTask, own: readonly Tool[]): Tool[];
export function toolsFor(task: ToolTask, own?: readonly AnyTool[]): AnyTool[] {
  if (own === undefined) return task.tools.map((tool) => scenarioTool(task, tool));
  const names = own.map(({ name }) => name);
  refuseMissing(task, names);
  const isMocked = (tool: AnyTool) => task.tools.some(({ name }) => name === tool.name);
  return own.map((tool) => (isMocked(tool) ? { ...tool, handler: handlerOf(task, tool.name) } : tool));
}

/** The part of a task that a query needs. */
export type QueryTask = Pick<AgentTask, 'messages' | 'system' | 'conversation' | 'signal'>;

/** Trials whose session has begun in this process: all turns of a trial come to the same one. */
const begun = new Set<string>();

/**
 * What to ask `query()` in this turn: what the user says, with the agent's options. Claude remembers the earlier turns of
 * the trial. The system prompt of the scenario is that of the agent, unless its options have one.
 */
export function queryFor<Options extends object = object>(task: QueryTask, options?: Options): ClaudeQuery<Options> {
  const { conversation, messages, system, signal } = task;
  const isFirst = !begun.has(conversation);
  if (isFirst && messages.some(({ role }) => role === 'assistant')) {
    throw refusal(
      'The Claude Agent SDK cannot be given earlier answers of the agent. Let the messages of the scenario begin with a turn of the user that it answers itself.',
    );
  }
  begun.add(conversation);
  const abortController = new AbortController();
  signal.addEventListener('abort', () => abortController.abort(signal.reason), { once: true });
  return {
    prompt: messages.findLast(({ role }) => role === 'user')?.content ?? '',
    options: {
      ...(system === undefined ? {} : { systemPrompt: system }),
      ...options,
      abortController,
      ...(isFirst ? { sessionId: conversation } : { resume: conversation }),
    } as Options & ClaudeSession,
  };
}

/**
 * The messages of a query, to be returned to Salvo. Tools of MCP servers have the names that scenarios use: `lookup_order`
 * instead of `mcp__shop__lookup_order`.
 */
export async function* messagesOf(query: AsyncIterable<object>): AsyncGenerator<object> {
  for await (const event of query) yield withPlainNames(event);
}

/** Of an event with an answer of the model; other events name no tool that was called. */
function withPlainNames(event: object): object {
  const message = 'message' in event && isRecord(event.message) ? event.message : {};
  if (!Array.isArray(message.content)) return event;
  return { ...event, message: { ...message, content: message.content.map(withPlainName) } };
}

function withPlainName(block: unknown): unknown {
  if (!isRecord(block) || block.type !== 'tool_use' || typeof block.name !== 'string') return block;
  return { ...block, name: block.name.replace(/^mcp__.+?__/, '') };
}

function scenarioTool(task: ToolTask, { name, description, parameters }: ToolTask['tools'][number]): ClaudeTool {
  return { name, description, inputSchema: shapeOf(name, parameters), handler: handlerOf(task, name) };
}

/** An error is an answer that says so: Claude gives it to the model as a failed call. */
function handlerOf(task: ToolTask, name: string): ClaudeTool['handler'] {
  return async (args) => {
    const { content, is_error } = await task.callTool(name, isRecord(args) ? args : {});
    return { content: [{ type: 'text', text: content }], isError: is_error };
  };
}

/** The SDK takes the fields of a zod object only. */
function shapeOf(name: string, parameters: Record<string, unknown>): z.core.$ZodShape {
  try {
    const schema = z.fromJSONSchema(parameters);
    if (schema instanceof z.ZodObject) return schema.shape;
  } catch (cause) {
    const problem = `The parameters of ${name} cannot be given to the Claude Agent SDK: ${errorMessage(cause)}`;
    throw refusal(problem, cause);
  }
  throw refusal(`The parameters of ${name} must have "type": "object".`);
}
