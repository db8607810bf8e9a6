import type { AgentTask } from '../adapters/agent/agent-function.ts';
import { SalvoError } from '../text/errors/salvo-error.ts';
import { isRecord } from '../text/json/is-record.ts';
import { jsonOrUndefined } from '../text/json/json-in-text.ts';

/** The part of a task that the tools of an SDK need. */
export type ToolTask = Pick<AgentTask, 'tools' | 'callTool'>;

/** A function that does the work of a tool: it returns what the mock answers. */
export type MockedWork = (args: unknown) => Promise<unknown>;

/**
 * Asks the mock of a tool. An object is returned as one, because the real tool would return one, too. An error of the mock
 * is thrown, as SDKs expect it of a tool that fails.
 */
export async function askMock({ callTool }: ToolTask, name: string, args: unknown): Promise<unknown> {
  const { content, is_error } = await callTool(name, isRecord(args) ? args : {});
  if (is_error) throw new Error(content);
  const value = jsonOrUndefined(content);
  // "42" and a date stay the text that the mock answers.
  return typeof value === 'object' && value !== null ? value : content;
}

/** The work of a tool, if the scenario mocks it. */
export function mockOf(task: ToolTask, name: string): MockedWork | undefined {
  return task.tools.some((tool) => tool.name === name) ? (args) => askMock(task, name, args) : undefined;
}

const mockedClasses = new WeakSet<object>();

/** The class of an agent that defines a method; undefined if it was asked for before, because a method is replaced once. */
export function unmockedClass(agent: object, method: string): object | undefined {
  let owner = agent;
  while (!Object.hasOwn(owner, method)) owner = Object.getPrototypeOf(owner);
  if (mockedClasses.has(owner)) return undefined;
  mockedClasses.add(owner);
  return owner;
}

const FROM_TOOLS_FOR = {
  source: 'toolsFor() got',
  advice: 'Correct the name in the scenario, or pass all tools of the agent to one call of toolsFor().',
};

/**
 * Refuses tools among which one of the scenario is missing. Under another name, the agent's own tool would do its real
 * work, and nobody would notice that the mock is not used.
 */
export function refuseMissing(task: ToolTask, own: readonly string[], { source, advice } = FROM_TOOLS_FOR): void {
  const missing = task.tools.map(({ name }) => name).filter((name) => !own.includes(name));
  if (missing.length === 0) return;
  const found = own.length === 0 ? 'no tools' : listed(own);
  throw refusal(`The scenario has ${listed(missing)}, which the agent does not have: ${source} ${found}. ${advice}`);
}

/** The trial cannot be scored: the agent was not asked as it must be. Of a base class, which loads nothing else of Salvo. */
export function refusal(message: string, cause?: unknown): SalvoError {
  return new SalvoError('ADAPTER_BAD_REQUEST', message, { cause });
}

function listed(names: readonly string[]): string {
  return `${names.length === 1 ? 'the tool' : 'the tools'} ${names.join(', ')}`;
}
