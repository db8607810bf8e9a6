import type { DynamicStructuredTool, StructuredToolInterface, ToolParams } from '@langchain/core/tools';
import { askMock, mockOf, refuseMissing, type ToolTask } from './mocked-tools.ts';

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
  const work = mockOf(task, tool.name);
  if (!work) return tool;
  const { name, description, schema, returnDirect, extras } = tool;
  const { responseFormat, metadata, tags, verboseParsingErrors } = tool;
  const hasArtifact = responseFormat === 'content_and_artifact';
  return new langChain.DynamicStructuredTool({
    ...{ name, description, schema, returnDirect, extras, responseFormat, metadata, tags, verboseParsingErrors },
    func: async (input: unknown) => {
      const answer = await work(input);
      return hasArtifact ? [answer, null] : answer;
    },
  });
}
