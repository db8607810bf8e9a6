import type { ToolsInput } from '@mastra/core/agent';
import { isRecord } from '../text/json/is-record.ts';
import { askMock, mockOf, refuseMissing, type ToolTask, unmockedClass } from './mocked-tools.ts';
import { taskOfRun, workingFor } from './task-of-run.ts';

type AnyTool = ToolsInput[string];

/** An agent of Mastra. */
export interface AnyAgent {
  listTools(...args: never[]): unknown;
  listAgents?(): unknown;
}

/** The tools of the scenario as tools of Mastra. */
export function toolsFor(task: ToolTask): ToolsInput;
/**
 * The agent's own tools. Those that the scenario has, too, keep their description and their schema, and are answered by the
 * mocks. The others stay as they are.
 */
export function toolsFor<Tools extends ToolsInput>(task: ToolTask, own: Tools): Tools;
export function toolsFor(task: ToolTask, own?: ToolsInput): ToolsInput {
  if (own === undefined) return scenarioTools(task);
  refuseMissing(task, Object.keys(own));
  return mockedTools(task, own);
}

/** The methods that begin a turn. */
const BEGINS: ReadonlySet<unknown> = new Set(['generate', 'stream']);

/** The same agent, in which the mocks answer for the tools that the scenario has, too: also in its sub-agents. */
export function agentFor<Agent extends AnyAgent>(task: ToolTask, agent: Agent): Agent {
  mockToolsOf(agent);
  return workingFor(task, agent, (name, work) => (BEGINS.has(name) ? refuseMissingIn(task, agent).then(work) : work()));
}

/** Tools of sub-agents are not known before they work, and others may depend on the request: then nothing is refused. */
async function refuseMissingIn(task: ToolTask, agent: AnyAgent): Promise<void> {
  const own: unknown = await Promise.resolve(agent.listTools()).catch(() => undefined);
  const agents: unknown = await agent.listAgents?.();
  if (isRecord(own) && isRecord(agents) && Object.keys(agents).length === 0) refuseMissing(task, Object.keys(own));
}

/**
 * Lets the method by which Mastra asks an agent for its tools return the mocks, while there is a task. A sub-agent is asked
 * by it as well, and cannot be reached otherwise: its tools would do real work.
 */
function mockToolsOf(agent: AnyAgent): void {
  const owner = unmockedClass(agent, 'listTools');
  if (!owner) return;
  const original = agent.listTools;
  Object.assign(owner, {
    listTools(this: AnyAgent, ...args: unknown[]): unknown {
      const tools: ToolsInput | Promise<ToolsInput> = Reflect.apply(original, this, args);
      const task = taskOfRun();
      if (!task) return tools;
      return tools instanceof Promise ? tools.then((each) => mockedTools(task, each)) : mockedTools(task, tools);
    },
  });
}

function mockedTools(task: ToolTask, own: ToolsInput): ToolsInput {
  return Object.fromEntries(Object.entries(own).map(([name, tool]) => [name, mocked(task, name, tool)]));
}

/** A tool without `execute` ends the turn with an open call, which Salvo answers from the mocks. */
function mocked(task: ToolTask, name: string, tool: AnyTool): AnyTool {
  const work = mockOf(task, name);
  if (!work || !('execute' in tool) || !tool.execute) return tool;
  // A copy of the same class, by which Mastra knows its own tools.
  return Object.assign(Object.create(Object.getPrototypeOf(tool)), tool, { execute: work });
}

function scenarioTools(task: ToolTask): ToolsInput {
  return Object.fromEntries(
    task.tools.map(({ name, description, parameters }): [string, AnyTool] => [
      name,
      { id: name, description, inputSchema: parameters, execute: (input: unknown) => askMock(task, name, input) },
    ]),
  );
}
