import type { FunctionTool } from '@openai/agents';
import { errorMessage } from '../text/errors/salvo-error.ts';
import { askMock, jsonIn, refuseMissing, type ToolTask } from './mocked-tools.ts';

/** A tool of the SDK: a function, or one that the provider or a computer executes. */
export interface AnyTool {
  type: string;
  name: string;
}

/** An agent of the SDK. */
export interface AnyAgent {
  tools: readonly AnyTool[];
  handoffs: readonly object[];
  mcpServers: readonly object[];
  clone(config: object): unknown;
  getAllTools(runContext: never, ...more: never[]): Promise<AnyTool[]>;
}

/** The tools of the scenario as tools of the OpenAI Agents SDK. */
export function toolsFor(task: ToolTask): FunctionTool<unknown, undefined, unknown>[];
/**
 * The agent's own tools. Those that the scenario has, too, keep their description and their schema, and are answered by the
 * mocks. The others stay as they are.
 */
export function toolsFor<Tool extends AnyTool>(task: ToolTask, own: readonly Tool[]): Tool[];
export function toolsFor(task: ToolTask, own?: readonly AnyTool[]): AnyTool[] {
  if (own === undefined) return task.tools.map((tool) => scenarioTool(task, tool));
  refuseMissing(task, namesOf(own));
  return own.map((tool) => mocked(task, tool));
}

/** The task of an agent that `agentFor` returned, and of a run that began with it: the run's usage stands for the run. */
const tasks = new WeakMap<object, ToolTask>();

/**
 * The same agent, in which the mocks answer for the tools that the scenario has, too: also in agents to which it hands off,
 * in agents that are its tools, and for tools of MCP servers.
 */
export function agentFor<Agent extends AnyAgent>(task: ToolTask, agent: Agent): Agent {
  if (isAlone(agent)) refuseMissing(task, namesOf(agent.tools));
  mockToolsOf(agent);
  const copy = agent.clone({}) as Agent;
  tasks.set(copy, task);
  return copy;
}

/** Whether all tools of a run are known before it. An agent that is a tool of another one has `on`, for its events. */
function isAlone({ tools, handoffs, mcpServers }: AnyAgent): boolean {
  return handoffs.length === 0 && mcpServers.length === 0 && !tools.some((tool) => 'on' in tool);
}

function namesOf(tools: readonly AnyTool[]): string[] {
  return tools.map(({ name }) => name);
}

const mockedClasses = new WeakSet<object>();

/**
 * Lets the method by which the SDK asks an agent for its tools return the mocks, in runs that have a task. Every agent is
 * asked by it. An agent that is the tool of another one cannot be reached otherwise, and its tools would do real work.
 */
function mockToolsOf(agent: AnyAgent): void {
  let owner: object = agent;
  while (!Object.hasOwn(owner, 'getAllTools')) owner = Object.getPrototypeOf(owner);
  if (mockedClasses.has(owner)) return;
  mockedClasses.add(owner);
  const original = agent.getAllTools;
  Object.assign(owner, {
    async getAllTools(this: AnyAgent, runContext: { usage: object }, ...more: unknown[]): Promise<AnyTool[]> {
      const tools: AnyTool[] = await Reflect.apply(original, this, [runContext, ...more]);
      const task = tasks.get(this) ?? tasks.get(runContext.usage);
      if (!task) return tools;
      tasks.set(runContext.usage, task);
      return tools.map((tool) => mocked(task, tool));
    },
  });
}

function mocked(task: ToolTask, tool: AnyTool): AnyTool {
  const isMocked = tool.type === 'function' && task.tools.some(({ name }) => name === tool.name);
  return isMocked ? { ...tool, ...workOf(task, tool.name) } : tool;
}

function scenarioTool(
  task: ToolTask,
  { name, description, parameters }: ToolTask['tools'][number],
): FunctionTool<unknown, undefined, unknown> {
  return {
    type: 'function',
    name,
    description,
    parameters: { type: 'object', properties: {}, required: [], additionalProperties: true, ...parameters },
    strict: false,
    needsApproval: async () => false,
    isEnabled: async () => true,
    ...workOf(task, name),
  };
}

/** The SDK gives the model the text of an error as the result: only what throws nothing lets the run go on. */
function workOf(task: ToolTask, name: string): Pick<FunctionTool, 'invoke'> {
  return {
    async invoke(_context: unknown, input: string) {
      return askMock(task, name, jsonIn(input)).catch(errorMessage);
    },
  };
}
