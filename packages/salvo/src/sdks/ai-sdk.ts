import type { Schema, Tool, ToolSet } from 'ai';
import { isRecord } from '../text/json/is-record.ts';
import { askMock, mockOf, refusal, refuseMissing, type ToolTask } from './mocked-tools.ts';

/** The tools of the scenario as tools of the AI SDK. */
export function toolsFor(task: ToolTask): ToolSet;
/**
 * The agent's own tools. Those that the scenario has, too, keep their description and their schema, and are answered by the
 * mocks. The others stay as they are.
 */
export function toolsFor<Tools extends ToolSet>(task: ToolTask, own: Tools): Tools;
export function toolsFor(task: ToolTask, own?: ToolSet): ToolSet {
  if (own === undefined) return scenarioTools(task);
  refuseMissing(task, Object.keys(own));
  return Object.fromEntries(Object.entries(own).map(([name, tool]) => [name, mocked(task, name, tool)]));
}

/** The same `ToolLoopAgent`, in which the mocks answer for the tools that the scenario has, too. */
export function agentFor<Agent extends { readonly tools: ToolSet }>(task: ToolTask, agent: Agent): Agent {
  const settings: unknown = Reflect.get(agent, 'settings');
  if (!isRecord(settings)) {
    const advice = 'For any other agent, make it anew for each task, with toolsFor(task, tools).';
    throw refusal(`agentFor() of salvo/ai-sdk needs a ToolLoopAgent. ${advice}`);
  }
  // The class is taken from the agent: a project may have several versions of the SDK.
  return Reflect.construct(agent.constructor as NewableFunction as new () => Agent, [
    { ...settings, tools: toolsFor(task, agent.tools) },
  ]);
}

function scenarioTools(task: ToolTask): ToolSet {
  return Object.fromEntries(
    task.tools.map(({ name, description, parameters }): [string, Tool] => [
      name,
      {
        description,
        inputSchema: jsonSchema(parameters),
        execute: (input: unknown) => askMock(task, name, input),
      },
    ]),
  );
}

/**
 * A tool without `execute` ends the turn with an open call, which Salvo answers from the mocks; a tool of the provider is
 * executed there.
 */
function mocked(task: ToolTask, name: string, tool: Tool): Tool {
  const work = mockOf(task, name);
  return work && tool.execute ? { ...tool, execute: work } : tool;
}

/** As `jsonSchema` of the SDK returns it. Without the SDK, so that the copy of it that the agent uses does not matter. */
function jsonSchema(schema: Record<string, unknown>): Schema<unknown> {
  const mark = { [Symbol.for('vercel.ai.schema')]: true };
  return { ...mark, _type: undefined, jsonSchema: schema, validate: undefined } as unknown as Schema<unknown>;
}
