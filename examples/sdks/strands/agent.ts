import { Agent, type Model, type Tool, tool } from '@strands-agents/sdk';
import type { AgentTask } from 'salvo';
import { model, tools } from './support.ts';

/** An agent with a model and tools as a function that Salvo can call. */
export const testable = (model: Model, tools: Tool[]) => async (task: AgentTask) => {
  const mocked = tools.map((own) => {
    if (!task.tools.some(({ name }) => name === own.name)) return own;
    return tool({ ...own.toolSpec, callback: (input) => answer(task, own.name, input) });
  });
  const messages = task.messagesAs('bedrock');
  const agent = new Agent({ model, tools: mocked, systemPrompt: task.system, messages: messages.slice(0, -1) });
  await agent.invoke(messages.slice(-1), { cancelSignal: task.signal });
  return { messages: agent.messages.slice(messages.length), model: model.modelId };
};

export default testable(model, tools);

/** What the mock answers. A tool that fails throws. */
async function answer(task: AgentTask, name: string, input: unknown): Promise<string> {
  const { content, is_error } = await task.callTool(name, { ...Object(input) });
  if (is_error) throw new Error(content);
  return content;
}
