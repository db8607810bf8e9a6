import type { DynamicStructuredTool, StructuredToolInterface, ToolParams } from '@langchain/core/tools';
import { isRecord } from '../text/json/is-record.ts';
import { askMock, type MockedWork, mockOf, refuseMissing, type ToolTask, unmockedClass } from './mocked-tools.ts';
import { taskOfRun, workingFor } from './task-of-run.ts';

const langChain: typeof import('@langchain/core/tools') = await import('@langchain/core/tools').catch(async () => {
  // Salvo is installed elsewhere than the project.
  const { importOptionalPackage } = await import('../adapters/call/optional-package.ts');
  return importOptionalPackage({ name: '@langchain/core/tools', root: process.cwd(), needed: ['@langchain/core'] });
});

/** A tool with the fields that all tools have, but not their interface. */
type ExecutedTool = StructuredToolInterface & ToolParams;

/** The tools of the scenario as tools of LangChain and LangGraph. */
export function toolsFor(task: ToolTask): DynamicStructuredTool[];
/**
 * The agent's own tools. Those that the scenario has, too, keep their description and their schema, and are answered by the
 * mocks. The others stay as they are.
 */
export function toolsFor<Tool extends object>(task: ToolTask, own: readonly Tool[]): (Tool | DynamicStructuredTool)[];
export function toolsFor(task: ToolTask, own?: readonly object[]): object[] {
  if (own === undefined) return task.tools.map((tool) => scenarioTool(task, tool));
  refuseMissing(
    task,
    own.flatMap((tool) => (isExecuted(tool) ? [tool.name] : [])),
  );
  return own.map((tool) => (isExecuted(tool) ? mocked(task, tool) : tool));
}

/** A compiled graph of LangGraph, or an agent that has one: `createAgent` of LangChain. */
export type AnyGraph = { nodes: object } | { graph: { nodes: object } };

/**
 * The same compiled graph, in which the mocks answer for the tools that the scenario has, too: also in its subgraphs, and in
 * agents that its tools call.
 */
export function agentFor<Graph extends AnyGraph>(task: ToolTask, graph: Graph): Graph {
  const tools = toolsIn('nodes' in graph ? graph : graph.graph);
  refuseMissing(
    task,
    tools.map(({ name }) => name),
    {
      source: 'agentFor() found in the tool nodes of the graph',
      advice:
        'Correct the name in the scenario. A tool that a node calls by itself is not found: build the graph for each task, with toolsFor(task, tools).',
    },
  );
  for (const tool of tools) mockWorkOf(tool);
  return workingFor(task, graph, (_, work) => {
    const given = work();
    // `withConfig` gives another graph.
    return isGraph(given) ? agentFor(task, given) : given;
  });
}

function isGraph(value: unknown): value is { nodes: object } {
  return isRecord(value) && isRecord(value.nodes);
}

/** A tool whose class has the method in which it does its work. */
type WorkingTool = ExecutedTool & { _call(...args: unknown[]): unknown };

/** The tools of all tool nodes of a graph and of its subgraphs. */
function toolsIn(graph: { nodes: object }, seen = new Set<object>()): WorkingTool[] {
  if (seen.has(graph)) return [];
  seen.add(graph);
  const parts = Object.values(graph.nodes).flatMap((node: unknown) => {
    if (!isRecord(node)) return [];
    return [node.bound, ...(Array.isArray(node.subgraphs) ? node.subgraphs : [])];
  });
  return parts.flatMap((part: unknown) => {
    if (isGraph(part)) return toolsIn(part, seen);
    return isRecord(part) && Array.isArray(part.tools) ? part.tools.filter(isWorking) : [];
  });
}

function isWorking(tool: unknown): tool is WorkingTool {
  return isRecord(tool) && isExecuted(tool) && '_call' in tool;
}

/**
 * Lets the method in which tools of this class work return what the mock answers, while there is a task. The tools of an
 * agent that is called by another tool cannot be reached otherwise.
 */
function mockWorkOf(tool: WorkingTool): void {
  const owner = unmockedClass(tool, '_call');
  if (!owner) return;
  const original = tool._call;
  Object.assign(owner, {
    _call(this: WorkingTool, ...args: unknown[]): unknown {
      const task = taskOfRun();
      const work = task && answerOf(task, this);
      return work ? work(args[0]) : Reflect.apply(original, this, args);
    },
  });
}

/** Others describe a tool that the provider executes. */
function isExecuted(tool: object): tool is ExecutedTool {
  return 'name' in tool && typeof tool.name === 'string' && 'invoke' in tool && typeof tool.invoke === 'function';
}

function scenarioTool(task: ToolTask, tool: ToolTask['tools'][number]): DynamicStructuredTool {
  const { name, description, parameters: schema } = tool;
  return new langChain.DynamicStructuredTool({
    name,
    description,
    schema,
    func: (input) => askMock(task, name, input),
  });
}

function mocked(task: ToolTask, tool: ExecutedTool): StructuredToolInterface {
  const func = answerOf(task, tool);
  if (!func) return tool;
  const { name, description, schema, returnDirect, extras } = tool;
  const { responseFormat, metadata, tags, verboseParsingErrors } = tool;
  return new langChain.DynamicStructuredTool({
    ...{ name, description, schema, returnDirect, extras, responseFormat, metadata, tags, verboseParsingErrors, func },
  });
}

/** The work of a tool, if the scenario mocks it. A mock has no artifact. */
function answerOf(task: ToolTask, { name, responseFormat }: ExecutedTool): MockedWork | undefined {
  const work = mockOf(task, name);
  if (!work) return undefined;
  return async (input) => {
    // The schema of a tool with one text takes it out of the arguments.
    const answer = await work(typeof input === 'string' ? { input } : input);
    return responseFormat === 'content_and_artifact' ? [answer, null] : answer;
  };
}
